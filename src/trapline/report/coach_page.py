"""The coach's account of a match: as a table for the terminal, and as one HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table
from rich.text import Text

from trapline.coach.sentences import figure
from trapline.core import SEATS
from trapline.games import make_game
from trapline.report import html, pictures, svg

if TYPE_CHECKING:
    from trapline.coach import Analysis, Judgement
    from trapline.core import Names, Seat

NOTICED = 0.01
"""A smaller loss is not worth a word; the coach calls such a choice best."""
STYLES = {"best": "green", "fine": "", "mistake": "yellow", "blunder": "bold red", "lucky": "cyan"}


def summary(analysis: Analysis) -> str:
    players = analysis.players
    winner = analysis.outcome.winner
    reason = str(analysis.outcome.reason)
    ending = f"Drawn ({reason})." if winner is None else f"{players[str(winner)]} won ({reason})."
    if not analysis.judgements:
        return f"{ending} It was over before there was a choice to judge."
    told = [account(analysis, seat) for seat in SEATS if str(seat) in analysis.accounts]
    return " ".join([ending, *told, analysis.sentence])


def account(analysis: Analysis, seat: Seat) -> str:
    """How luck and skill made a player's result, in a sentence."""
    found, name = analysis.accounts[str(seat)], analysis.players[str(seat)]
    parts = [
        ("the toss" if found.tossed else "moving first or second", found.start),
        ("own choices", found.own),
        ("the other's", found.other),
        ("luck", found.luck),
    ]
    told = [f"{what} {_points(share)}" for what, share in parts if abs(share) >= NOTICED]
    even = "nothing moved it from even" if not told else ", ".join(told)
    return f"{name}: {even}."


def _points(share: float) -> str:
    return f"{'+' if share > 0 else '−'}{abs(100 * share):.0f}%"


def table(analysis: Analysis) -> Table:
    """One line a choice: the chance that could be expected, and what the choice made of it."""
    grid = Table(box=None, pad_edge=False)
    for column in ("turn", "player", "chose", "", "chance", "why"):
        grid.add_column(column)
    for judged in analysis.judgements:
        grid.add_row(
            str(judged.turn) if judged.turn else "-",
            Text(analysis.players[str(judged.by)]),
            Text(judged.chosen),
            Text(judged.word.value, STYLES[judged.word.value]),
            _change(analysis, judged),
            Text(_told(judged)),
        )
    return grid


def _change(analysis: Analysis, judged: Judgement) -> str:
    """What could be expected before and after a choice, where it makes a difference."""
    if make_game(analysis.game, analysis.options).stake > 1:
        return f"{judged.before:+.2f} → {judged.after:+.2f}" if judged.lost > NOTICED else ""
    before, after = figure(judged.expected_before), figure(judged.expected_after)
    return after if before == after else f"{before} → {after}"


def _told(judged: Judgement) -> str:
    """What the coach says of a choice: the judgement, and the plainest reason."""
    return " ".join([judged.sentence, *(reason.sentence for reason in judged.reasons[:1])])


def lines(analysis: Analysis) -> list[str]:
    """The same as sentences, for readers of text alone."""
    told = []
    for judged in analysis.judgements:
        when = f"Turn {judged.turn}" if judged.turn else "Before the first move"
        who = analysis.players[str(judged.by)]
        told.append(f"{when}, {who}: {judged.chosen}, {judged.word.value}. {_told(judged)}")
    return told


def _beliefs(judged: Judgement, most: int) -> str:
    held = judged.beliefs[judged.by - 1][:most]
    return ", ".join(f"{belief.secret} {belief.chance:.0%}" for belief in held)


# --- one page ---------------------------------------------------------------------------

STYLE = """
article { border-top: 1px solid var(--line); padding: .6rem 0; }
.word { font-weight: 600; border: 1px solid currentColor; border-radius: .3rem;
  padding: 0 .35rem; font-size: .85rem; }
.blunder, .mistake { color: var(--bad); } .best { color: var(--good); }
"""


def page(analysis: Analysis) -> str:
    players = analysis.players
    game = make_game(analysis.game, analysis.options)
    title = f"{game.title}: {players['1']} against {players['2']}"
    choices = [_choice(analysis, judged, game.place) for judged in analysis.judgements]
    body = [f"<p>{escape(summary(analysis))}</p>", _graph(analysis), *choices]
    return html.page(escape(title), STYLE, "\n".join(body))


def _graph(analysis: Analysis) -> str:
    """Each player's own chances after each of their choices, ending with what happened."""
    if not analysis.judgements:
        return ""
    last = float(len(analysis.judgements) + 1)
    stake = make_game(analysis.game, analysis.options).stake
    scale = _Scale.of_chances() if stake <= 1 else _Scale.of_results(float(stake))
    series = []
    for seat, colour in zip(SEATS, ("one", "two"), strict=True):
        own = [(i, j) for i, j in enumerate(analysis.judgements, 1) if j.by == seat]
        points = [(float(i), scale.of(j)) for i, j in own]
        points.append((last, analysis.outcome.result(seat)))
        labels = [*(j.chosen for _, j in own), "the end"]
        series.append(svg.Series(analysis.players[str(seat)], points, colour, labels))
    return svg.plot(
        "Each player's chance, choice by choice, and how it ended",
        series,
        svg.Frame((1.0, last), scale.span),
        x_title="choice",
        y_title=scale.title,
        y_marks=scale.marks,
        x_marks=[(1.0, "1"), (last, "end")],
        lines=True,
    )


class _Scale(NamedTuple):
    """How what a player can expect is told along the axis."""

    span: tuple[float, float]
    title: str
    marks: list[tuple[float, str]]
    chances: bool

    def of(self, judged: Judgement) -> float:
        """How high a choice lies."""
        return 2 * judged.expected_after - 1 if self.chances else judged.after

    @classmethod
    def of_chances(cls) -> _Scale:
        """Where a win is worth 1, an expectation is a chance."""
        marks = [(-1.0, "0%"), (0.0, "50%"), (1.0, "100%")]
        return cls((-1.0, 1.0), "own chance of winning, as can be expected", marks, True)

    @classmethod
    def of_results(cls, most: float) -> _Scale:
        marks = [(worth, f"{worth:+g}") for worth in (-most, 0.0, most)]
        return cls((-most, most), "what each could expect to win", marks, False)


def _choice(analysis: Analysis, judged: Judgement, place: str) -> str:
    name = escape(analysis.players[str(judged.by)])
    heading = f"Turn {judged.turn}" if judged.turn else "Before the first move"
    believes = _beliefs(judged, 5)
    believed = f'<p class="soft">Could believe: {escape(believes)}.</p>' if believes else ""
    names: Names = {seat: analysis.players[str(seat)] for seat in SEATS}
    picture = judged.board.picture(names, None, place)
    drawing = pictures.board(picture, f"The board after {names[judged.by]}'s choice")
    return (
        f"<article><h2>{heading}</h2><p>{name} chose <b>{escape(judged.chosen)}</b> "
        f'<span class="word {judged.word.value}">{judged.word.value}</span>, '
        f"{escape(_change(analysis, judged))}. {escape(_told(judged))}</p>"
        f"{believed}{drawing}</article>"
    )
