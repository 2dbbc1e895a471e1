"""The arena's findings as one HTML page: tables, and intervals drawn to scale at any width."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from trapline.report import html

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trapline.arena.ratings import Rating
    from trapline.arena.standings import Report

STYLE = """
h3 { font-size: 1rem; margin: 1rem 0 .2rem; font-weight: 600; }
.soft { font-size: .9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; min-width: 100%; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line);
  white-space: nowrap; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.row { display: grid; grid-template-columns: 9rem 1fr 11rem; gap: 0 .8rem; align-items: center;
  padding: .15rem 0; }
.row b { font-weight: 400; overflow-wrap: anywhere; }
.row span { text-align: right; font-variant-numeric: tabular-nums; }
.row svg { width: 100%; height: 18px; display: block; }
.row path { fill: none; vector-effect: non-scaling-stroke; }
.scale { display: flex; justify-content: space-between; grid-column: 2; }
@media (max-width: 36rem) { .row { grid-template-columns: 1fr auto; }
  th, td { padding: .25rem .25rem; font-size: .88rem; }
  .row svg, .scale { grid-column: 1 / 3; } .row svg { order: 3; } }
"""

ABOUT_RATINGS = (
    "A rating is an estimate of strength on the scale of openskill, on which a newcomer has 25; "
    "the line spans 95% of what it may be."
)
ABOUT_REGRET = (
    "The regret of a choice is what it cost against the best choice there was, when the other "
    "plays the equilibrium: 0 is perfect, 2 turns a sure win into a sure loss."
)
ABOUT_EXPLOITS = (
    "Exploitability is what an opponent who knew the player's strategy would gain on average "
    "over a perfect player's result: 0 cannot be exploited. The strategy was found by asking "
    "again and again, and the line spans 95% of what the true value may be. Answers that could "
    "not be used are counted beside it."
)


ABOUT_NOISE = (
    "The variance of each measure, as a share of a match, times the tokens (or choices) that it "
    "took: the less, the sooner two players are told apart."
)


class Bar(NamedTuple):
    """A figure with its interval, and how it is told."""

    label: str
    low: float
    middle: float
    high: float
    told: str


def page(report: Report) -> str:
    games = ", ".join(report.games)
    parts = [
        f"<p>{report.played} matches of {escape(games)}.</p>",
        _section("Leaderboard", _leaderboard(report) + _ratings(report), ABOUT_RATINGS),
        _section("What choices cost", "".join(_regrets(report)), ABOUT_REGRET),
        _section("How far a strategy can be exploited", "".join(_exploits(report)), ABOUT_EXPLOITS),
        _section("What a token tells", _noises(report), ABOUT_NOISE),
        _section("Against each other", _pairs(report), "Won, drawn and lost, from the left."),
        _section("What the models cost", _bills(report), "Kept replies at their first price."),
        _section("Left out", _list(report.refused), "No strategies could be sampled here."),
        _section("Not finished", _list(_missing(report)), "The same command tries these again."),
    ]
    return html.page("Trapline arena", STYLE, "\n".join(parts))


def _section(title: str, body: str, note: str) -> str:
    """A section, unless there is nothing in it."""
    if not body:
        return ""
    return f'<h2>{escape(title)}</h2><p class="soft">{escape(note)}</p>{body}'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f'<div class="wide"><table><tr>{cells}</tr>{body}</table></div>'


def _list(sentences: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def _missing(report: Report) -> list[str]:
    return [f"{missing.title}: {missing.why}" for missing in report.unfinished]


def _leaderboard(report: Report) -> str:
    rows = []
    for place, standing in enumerate(report.standings, 1):
        score = standing.score
        counts = [str(count) for count in (score.won, score.drawn, score.lost, standing.forfeits)]
        if standing.rating is None:
            rows.append([standing.player, *counts, "no match yet"])
        else:
            rows.append([f"{place}. {standing.player}", *counts, f"{score.mean:+.2f}"])
    return _table(["player", "won", "drawn", "lost", "forfeits", "score"], rows)


def _pairs(report: Report) -> str:
    """Every player against every other, the stronger ones first."""
    names = [standing.player for standing in report.standings]
    told: dict[tuple[str, str], str] = {}
    for one, two, score in ((pair.one, pair.two, pair.score) for pair in report.pairs):
        told[one, two] = f"{score.won}-{score.drawn}-{score.lost}"
        told[two, one] = f"{score.lost}-{score.drawn}-{score.won}"
    return _table(["", *names], ([a, *(told.get((a, b), "") for b in names)] for a in names))


def _noises(report: Report) -> str:
    rows = [
        [s.player, s.noise.unit, *("-" if value is None else f"{value:.3g}" for value in values)]
        for s in report.standings
        if report.evergreen is not None
        for values in [(s.noise.win_rate, s.noise.regret, s.noise.exploitability)]
    ]
    return _table(["player", "counted in", "win rate", "regret", "exploitability"], rows) * bool(
        rows
    )


def _bills(report: Report) -> str:
    rows = []
    for standing in report.standings:
        spent = standing.spent
        if spent is not None:
            cost = "not known" if spent.cost is None else f"{spent.cost:.4f}"
            counts = (spent.replies, spent.cached, spent.tokens_in, spent.tokens_out)
            rows.append([standing.player, *(f"{count:,}" for count in counts), cost])
    head = ["player", "replies", "kept", "tokens read", "tokens written", "cost"]
    return _table(head, rows) if rows else ""


# --- figures with their intervals -------------------------------------------------------


def _ratings(report: Report) -> str:
    bars = [_rating(s.player, s.rating) for s in report.standings if s.rating is not None]
    return f"<h3>Rating</h3>{_plot(bars, from_zero=False)}" if bars else ""


def _rating(player: str, rating: Rating) -> Bar:
    mean, margin = rating.mean, 1.96 * rating.deviation
    return Bar(player, mean - margin, mean, mean + margin, f"{mean:.1f} ± {margin:.1f}")


def _regrets(report: Report) -> Iterable[str]:
    for game in report.games:
        bars = []
        for standing in report.standings:
            regret = standing.regrets.get(game)
            if regret is not None:
                mean, margin = regret.mean, regret.margin or 0.0
                told = f"{mean:.3f} ± {margin:.3f}"
                bars.append(Bar(standing.player, max(0, mean - margin), mean, mean + margin, told))
        if bars:
            yield f"<h3>{escape(game)}</h3>{_plot(bars, from_zero=True)}"


def _exploits(report: Report) -> Iterable[str]:
    for game in report.games:
        bars = []
        for standing in report.standings:
            found = standing.exploitabilities.get(game)
            if found is not None:
                told = f"{found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})"
                told += f", {found.unusable} unusable" * bool(found.unusable)
                bars.append(Bar(standing.player, found.low, found.estimate, found.high, told))
        if bars:
            yield f"<h3>{escape(game)}</h3>{_plot(bars, from_zero=True)}"


def _plot(bars: Sequence[Bar], *, from_zero: bool) -> str:
    """One row a figure, all to the same scale, which is written below."""
    low, high = min(bar.low for bar in bars), max(bar.high for bar in bars)
    start, end = _scale(0.0 if from_zero else low, high)
    rows = "".join(_row(bar, start, end) for bar in bars)
    marks = "".join(f"<i>{start + (end - start) * part:.2g}</i>" for part in (0.0, 0.5, 1.0))
    return f'{rows}<div class="row soft"><div class="scale">{marks}</div></div>'


def _scale(low: float, high: float) -> tuple[float, float]:
    """The nearest short numbers around a span."""
    if high <= low:
        return low, low + 1.0
    step = 10.0 ** math.floor(math.log10(high - low)) / 2
    return math.floor(low / step) * step, math.ceil(high / step) * step


def _row(bar: Bar, start: float, end: float) -> str:
    low, middle, high = (
        round(1 + 98 * (value - start) / (end - start), 2)
        for value in (bar.low, bar.middle, bar.high)
    )
    name = escape(f"{bar.label}: {bar.told}")
    return (
        f'<div class="row"><b>{escape(bar.label)}</b>'
        f'<svg viewBox="0 0 100 18" preserveAspectRatio="none" role="img"><title>{name}</title>'
        f'<path d="M0 17H100" stroke="var(--line)"/>'
        f'<path d="M{low} 9H{high}" stroke="var(--one)" stroke-width="5" stroke-opacity=".45"/>'
        f'<path d="M{middle} 2V16" stroke="var(--two)" stroke-width="3"/></svg>'
        f"<span>{escape(bar.told)}</span></div>"
    )
