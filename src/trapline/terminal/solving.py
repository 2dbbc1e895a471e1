"""The command `solve` on a screen: a bar while the gap falls, then the findings."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from trapline.core import Game, other
from trapline.solve import Solution, judged, sentences
from trapline.solve.pace import Pace
from trapline.solve.unsolved import Unsolved
from trapline.terminal.screen import make_console

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.solve.extensive import ExtensiveSolution, Tree
    from trapline.solve.interface import Certificate, Ranked

MOST_SECRETS = 8
"""More secrets than this are summed up in one line."""


def run(
    game: Game[Any] | Tree,
    target: float,
    seconds: float | None,
    *,
    fresh: bool,
    more: bool,
    quiet: bool,
) -> Solution | ExtensiveSolution:
    """Solve, or find what is kept; with a progress bar where somebody is watching."""
    how: dict[str, Any] = {"target": target, "time_limit": seconds, "fresh": fresh, "more": more}
    if quiet or not sys.stderr.isatty():
        return _solve(game, **how)
    columns = (
        TextColumn("Solving {task.fields[title]}"),
        BarColumn(),
        TextColumn("exploitability {task.fields[gap]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, title=game.title, gap="1")
        pace, begun = Pace(target, math.inf if seconds is None else seconds), time.monotonic()

        def show(_iterations: int, certificate: Certificate) -> None:
            gap, passed = certificate.exploitability, time.monotonic() - begun
            pace.note(passed, gap)
            bar.update(task, completed=pace.told(passed).share, gap=f"{gap:.1e}")

        return _solve(game, progress=show, **how)


def _solve(game: Game[Any] | Tree, *, more: bool, **how: Any) -> Solution | ExtensiveSolution:
    if isinstance(game, Game):
        return judged(game, more=more, **how)
    from trapline.solve import extensive

    return extensive.solved(game, **how)  # which goes on as long as its target is not reached


def tell(solution: Solution | ExtensiveSolution) -> None:
    console = make_console()
    facts = solution.facts
    whom = "whoever moves first" if isinstance(solution, Solution) else "Player 1"
    console.print(facts.sentence)
    console.print()
    table = Table(box=None, show_header=False, pad_edge=False)
    lower, upper = facts.bounds
    if sentences.is_open(facts.bounds):
        table.add_row(f"bounds of the value for {whom}", _between(lower, upper))
    else:
        table.add_row(f"value for {whom}", f"{facts.value:+.6f}")
        table.add_row("proven to lie between", _between(lower, upper))
    table.add_row("exploitability", "0 (exact)" if facts.exact else f"{facts.exploitability:.2e}")
    table.add_row("solved in", f"{facts.seconds:.1f} s")
    console.print(table)
    if sentences.is_open(facts.bounds) and not isinstance(solution, Unsolved):
        console.print("More time may bring the bounds closer (--more).")
    for who, secrets in zip(("first", "second"), facts.secrets, strict=True):
        if secrets and isinstance(solution, Solution):
            _tell_secrets(console, solution, who, secrets)


def _between(lower: float, upper: float) -> str:
    return f"{lower:+.6f} and {upper:+.6f}"


def _tell_secrets(console: Console, solution: Solution, who: str, secrets: Ranked) -> None:
    first: Seat = 2 if solution.facts.first == 2 else 1
    seat = first if who == "first" else other(first)
    question = solution.game.question(solution.game.start(first), seat)
    assert question is not None  # there are secrets
    console.print(f"\nbest secrets for whoever moves {who} (seen as Player {seat})")
    table = Table(box=None, show_header=False, pad_edge=False)
    for secret, chance in secrets[:MOST_SECRETS]:
        table.add_row(question.spoken(secret), f"{chance:.1%}")
    rest = secrets[MOST_SECRETS:]
    if rest:
        table.add_row(f"{len(rest)} others", f"{sum(chance for _, chance in rest):.1%}")
    console.print(table)
