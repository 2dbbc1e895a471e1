"""Is a game fair? The value of best play, how the levels do from each seat, and variants.

Everything is cut into tasks that any `concurrent.futures` executor can run (see `cluster`).
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.contest import play_out
from trapline.core import OptionsError, Seat, other
from trapline.fairness.best_play import BestPlay, best_play
from trapline.fairness.changes import Change, nearest_fair, neighbours
from trapline.fairness.figures import Ladder, Pair, Score
from trapline.games import make_game
from trapline.players import find_player
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from trapline.core import Game

__all__ = [
    "ROUNDS", "Duel", "Report", "Score", "Variant", "measure_task", "play_duel", "report",
    "solve_task", "tasks", "variants_of",
]  # fmt: skip

ROUNDS = 100
"""Matches of one task; several tasks make up a figure."""
PATIENCE = 60.0
"""Seconds that one variant may take to be solved."""


class Duel(msgspec.Struct, frozen=True):
    """A task: matches between two levels."""

    game: str
    options: dict[str, Any]
    one: str
    two: str
    seed: int
    matches: int = ROUNDS
    fixed_first: bool = False
    """The first level moves first always; otherwise first move and seats alternate."""


class Variant(msgspec.Struct, frozen=True):
    options: dict[str, Any]
    value: float | None
    """What best play is worth to the player who moves first; None if not solved in time."""
    bounds: tuple[float, float] | None
    skill: Score
    """How `casual` does against `random`: what there is to gain by thinking at all."""

    @property
    def unevenness(self) -> float:
        """How far from even it may be; all that the bounds leave open counts."""
        return max(map(abs, self.bounds)) if self.bounds is not None else 1.0


class Report(msgspec.Struct, frozen=True):
    game: str
    options: dict[str, Any]
    sentence: str
    value: float | None
    first_mover: dict[str, Score]
    """How the player who moves first does when both play at a level."""
    variants: list[Variant]
    """The closest to even first."""
    fairer: Change | None = None
    """The smallest change of one rule that makes it fair; None where none of `changes` does."""
    changes: int = 0
    """How many changes of one rule were tried."""
    best_play: BestPlay | None = None
    ladder: Ladder | None = None
    habits: dict[str, Pair] = {}
    """What each habit costs, as a chance of winning, against somebody who knows of it."""
    sight: Pair | None = None
    """What seeing the other's secret is worth, as a chance of winning."""
    restraints: dict[str, Pair | None] = {}
    """What it costs never to do something, played as well as it can be; None where that is not
    worked out."""


def report(
    game: Game[Any],
    pool: Executor,
    *,
    levels: list[str],
    rounds: int = 4,
    advance: Callable[[], None] = lambda: None,
) -> Report:
    """`rounds` times ROUNDS matches stand behind each figure; `advance` is called for each task."""
    options = _plain_options(game)
    duels = [
        Duel(game.name, options, level, level, seed, fixed_first=True)
        for level in levels
        for seed in range(rounds)
    ]
    grid, tried = variants_of(game), neighbours(game)
    measured = pool.submit(measure_task, game.name, options)
    own = pool.submit(solve_task, game.name, options)
    played = pool.map(play_duel, duels)
    solved = pool.map(solve_task, [game.name] * len(grid), grid)
    skilled = [
        Duel(game.name, variant, "casual", "random", seed) for variant in grid for seed in range(2)
    ]
    skills = pool.map(play_duel, skilled)
    changed = pool.map(solve_task, [game.name] * len(tried), tried)

    first_mover = dict.fromkeys(levels, Score())
    for duel, score in zip(duels, played, strict=True):
        first_mover[duel.one] += score
        advance()
    values = []
    for found in solved:
        values.append(found)
        advance()
    gained = [one + two for one, two in _pairs(skills)]
    variants = [
        Variant(variant, value, bounds, skill)
        for variant, (value, bounds, _), skill in zip(grid, values, gained, strict=True)
    ]
    value, _, sentence = own.result()
    variants.sort(key=lambda variant: (variant.unevenness, -variant.skill.mean))
    bounds = []
    for _, proven, _ in changed:
        bounds.append(proven)
        advance()
    measures = measured.result()
    advance()
    return Report(
        game.name,
        options,
        sentence,
        value,
        first_mover,
        variants,
        nearest_fair(game, tried, bounds),
        len(tried),
        *measures,
    )


def tasks(game: Game[Any], levels: list[str], rounds: int = 4) -> int:
    """How often `report` will advance."""
    return len(levels) * rounds + len(variants_of(game)) + len(neighbours(game)) + 1


def _pairs(scores: Iterator[Score]) -> Iterator[tuple[Score, Score]]:
    for one in scores:
        yield one, next(scores)


def variants_of(game: Game[Any]) -> list[dict[str, Any]]:
    """The variants that are compared; combinations that make no game are left out."""
    variants = []
    for values in product(*game.variants.values()):
        options = dict(zip(game.variants, values, strict=True))
        try:
            make_game(type(game), options)
        except OptionsError:
            continue
        variants.append(options)
    return variants


def _plain_options(game: Game[Any]) -> dict[str, Any]:
    return {
        field: list(value) if isinstance(value, tuple) else value
        for field in game.options.__struct_fields__
        for value in [getattr(game.options, field)]
    }


# --- tasks, run anywhere ----------------------------------------------------------------

Measures = tuple[
    BestPlay | None, Ladder | None, dict[str, Pair], Pair | None, dict[str, Pair | None]
]


def measure_task(name: str, options: dict[str, Any]) -> Measures:
    """What only a solved game has; nothing where it is not solved."""
    from trapline.fairness.replies import habits, ladder, sight
    from trapline.fairness.restraints import restraints
    from trapline.solve import TooLarge, solved

    try:
        solution = solved(make_game(name, options), target=1e-3, time_limit=PATIENCE)
    except TooLarge:
        return None, None, {}, None, {}
    return (
        best_play(solution),
        ladder(solution),
        habits(solution),
        sight(solution),
        restraints(solution),
    )


def solve_task(
    name: str, options: dict[str, Any]
) -> tuple[float | None, tuple[float, float] | None, str]:
    """Value, bounds and what they mean; no value if the game is too large."""
    from trapline.solve import TooLarge, solved

    try:
        solution = solved(make_game(name, options), target=1e-3, time_limit=PATIENCE)
    except TooLarge as error:
        return None, None, str(error)
    return solution.value, solution.bounds, solution.facts.sentence


def play_duel(duel: Duel) -> Score:
    """The first level's results."""
    game = make_game(duel.game, duel.options)
    rng = Random(f"{duel}")  # noqa: S311 (matches between programs)
    choose = [find_player(level).choose for level in (duel.one, duel.two)]
    score = Score()
    for number in range(duel.matches):
        seat: Seat = 1 if number % 2 == 0 else 2
        first: Seat = seat if duel.fixed_first or number % 4 < 2 else other(seat)
        match = Match(game, first, rng=rng)
        play_out(match, {seat: choose[0], other(seat): choose[1]}, lambda _view: rng)
        if match.outcome is not None:
            score += Score.of(match.outcome.result(seat))
    return score
