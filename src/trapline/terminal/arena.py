"""The command `arena` on a screen: a bar while matches are played, then the tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from trapline.arena import config as configs
from trapline.arena.estimate import estimate
from trapline.arena.evergreen import fresh
from trapline.arena.results import Results
from trapline.arena.run import run, tasks, waiting
from trapline.cluster import executor
from trapline.terminal.screen import make_console

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from trapline.arena.config import Config
    from trapline.arena.estimate import Estimate
    from trapline.arena.exploiting import Exploitability
    from trapline.arena.standings import Regret, Report, Standing

MOST_LISTED = 10
"""How many things that could not be done are listed one by one."""


def read(path: Path, seed: int | None) -> tuple[Config, Path]:
    """The tournament of a file, and where its results go; a seed draws its games."""
    config, out = configs.load(path, seed)
    return config if config.evergreen is None else fresh(config, config.evergreen), out


def foresee(path: Path, merge: Iterable[Path] = (), seed: int | None = None) -> Estimate:
    """What is left of the tournament of a file, and what it will ask of language models; what
    others have played is left out, and not taken over yet."""
    config, out = read(path, seed)
    with Results(out) as results:
        for theirs in merge:
            results.done |= results.lacking(theirs)
        return estimate(waiting(config, results))


def tell_estimate(found: Estimate) -> None:
    """Before anything is played."""
    console = make_console()
    console.print(
        f"{found.matches:,} matches and {found.strategies:,} strategies are left; "
        f"about {found.requests:,} requests to language models."
    )
    if not found.demands:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("player", overflow="fold")
    for column in ("requests", "tokens read", "tokens written", "cost"):
        table.add_column(column, justify="right")
    for demand in found.demands:
        counts = (demand.requests, demand.tokens_in, demand.tokens_out)
        cost = "price not known" if demand.cost is None else f"{demand.cost:.4f}"
        table.add_row(Text(demand.player), *(f"{count:,}" for count in counts), cost)
    console.print(table)


def hold(
    path: Path,
    scheduler: str | None,
    *,
    quiet: bool,
    merge: Iterable[Path] = (),
    seed: int | None = None,
) -> Report:
    """Hold the tournament of a file, or what is left of it, where nobody watches without a bar;
    results of others are taken over first."""
    config, out = read(path, seed)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = quiet or not sys.stderr.isatty()
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)
    with Results(out) as results, executor(scheduler, config.workers) as pool, bar:
        for theirs in merge:
            count = results.merge(theirs)
            sys.stderr.write(f"Results taken over from {theirs.name}: {count}.\n")
        total = len(tasks(config))
        task = bar.add_task("", total=total)
        try:
            return run(config, results, pool, lambda: bar.advance(task), _tell_stopping)
        except KeyboardInterrupt:
            left = len(waiting(config, results))
            sys.stderr.write(f"{total - left} of {total} are done and kept in {out.name}. ")
            sys.stderr.write("The same command goes on.\n")
            raise


def _tell_stopping(under_way: int) -> None:
    sys.stderr.write(f"Stopped; waiting for {under_way} under way, which will be kept")
    sys.stderr.write(" (Ctrl-C once more: leave at once, without them).\n")


def tell(report: Report) -> None:
    console = make_console()
    games = ", ".join(report.games)
    console.print(Text(f"{report.played} matches of {games}."), soft_wrap=True)
    console.print()
    console.print(_leaderboard(report))
    for title, table in (
        *((f"In {game}:", _in_game(report, game)) for game in report.games),
        ("Noise: the variance of each measure times what it took", _noises(report)),
    ):
        if table.row_count:
            console.print()
            console.print(Text(title), soft_wrap=True)
            console.print(table)
    for sentence in report.refused:
        console.print(Text(f"No strategies for {sentence}"), soft_wrap=True)
    if report.unfinished:
        _tell_unfinished(report, console)


def _leaderboard(report: Report) -> Table:
    table = Table(box=None, pad_edge=False)
    billed = any(standing.spent for standing in report.standings)
    columns = ["player", "rating", "won-drawn-lost", "regret of a choice", "forfeits"]
    for column in columns + ["tokens", "cost"] * billed:
        table.add_column(column, overflow="fold")  # a name that was cut could be another's
    for standing in report.standings:
        score, rating = standing.score, standing.rating
        table.add_row(
            Text(standing.player),
            f"{rating.mean:.1f} ± {1.96 * rating.deviation:.1f}" if rating else "no match yet",
            f"{score.won}-{score.drawn}-{score.lost}",
            _regret(standing.regret),
            str(standing.forfeits or ""),
            *(_bill(standing) if billed else ()),
        )
    return table


def _bill(standing: Standing) -> tuple[str, str]:
    spent = standing.spent
    if spent is None:
        return "", ""
    cost = "price not known" if spent.cost is None else f"{spent.cost:.4f}"
    return f"{spent.tokens_in + spent.tokens_out:,}", cost


def _regret(regret: Regret | None) -> str:
    if regret is None:
        return "-"
    return f"{regret.mean:.3f}" + (f" ± {regret.margin:.3f}" if regret.margin is not None else "")


def _in_game(report: Report, game: str) -> Table:
    """One row a player: however many there are, a line has room for what is known of each."""
    regrets = [standing.regrets.get(game) for standing in report.standings]
    exploited = [standing.exploitabilities.get(game) for standing in report.standings]
    table = Table(box=None, pad_edge=False)
    unusable = [found.unusable if found else 0 for found in exploited]
    told: list[tuple[str, list[str]]] = [
        ("regret of a choice", [*map(_regret, regrets)] if any(regrets) else []),
        ("exploitability", [*map(_exploitability, exploited)] if any(exploited) else []),
        ("unusable", [str(count or "") for count in unusable] if any(unusable) else []),
    ]
    known = [(title, cells) for title, cells in told if cells]
    for column in ("player", *(title for title, _ in known)):
        table.add_column(column, overflow="fold")
    for number, standing in enumerate(report.standings if known else ()):
        table.add_row(Text(standing.player), *(cells[number] for _, cells in known))
    return table


def _noises(report: Report) -> Table:
    """Beside an evergreen test: which measure tells most for a token."""
    table = Table(box=None, pad_edge=False)
    for column in ("player", "counted in", "win rate", "regret", "exploitability"):
        table.add_column(column, overflow="fold")
    for standing in report.standings if report.evergreen is not None else ():
        noise = standing.noise
        told = [
            "-" if value is None else f"{value:.3g}"
            for value in (noise.win_rate, noise.regret, noise.exploitability)
        ]
        table.add_row(Text(standing.player), noise.unit, *told)
    return table


def _exploitability(found: Exploitability | None) -> str:
    return "-" if found is None else f"{found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})"


def _tell_unfinished(report: Report, console: Console) -> None:
    console.print("\nNot finished; the same command tries these again:")
    for missing in report.unfinished[:MOST_LISTED]:
        console.print(Text(f"  {missing.title}: {missing.why}"), soft_wrap=True)
    more = len(report.unfinished) - MOST_LISTED
    if more > 0:
        console.print(f"  and {more} more")
