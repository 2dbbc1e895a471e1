"""The `perfect` opponent: plays the solution of the game.

Where several moves are equally good, the solution's policy prefers what gives a careless
opponent the most chances to go wrong. Where the game is lost by force, only such mistakes can
help, and it looks for them as `sharp` does. A variant that is too large to be solved is
played like `sharp` altogether.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.games import changed_options, make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game, Move, Secret, View
    from trapline.solve import Solution


T = TypeVar("T")


def choose(view: View, rng: Random) -> Move | Secret:
    assert view.seat is not None  # only players are asked
    solution = solution_of(make_game(view.game, view.options))
    if solution is None:
        return sharp.choose(view, rng)
    if view.asks == "secret":
        return _draw(solution.policy.secrets(view.seat, view.first), rng)
    outlook = solution.policy.look(view)
    if solution.forced and max(outlook.values.values()) <= -1:
        return sharp.best_of(view, view.legal, rng)
    return _draw(outlook.chances, rng)


def prepare(game: Game[Any, Any]) -> None:
    """Solve the game, or load its solution, so that the first choice is as quick as any."""
    solution_of(game)


def solution_of(game: Game[Any, Any]) -> Solution | None:
    """The solution of a game, kept in memory; None where it is too large for one."""
    return _solution(game.name, tuple(_frozen(changed_options(game))))


def _draw(chances: dict[T, float], rng: Random) -> T:
    return rng.choices(list(chances), list(chances.values()))[0]


def _frozen(options: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(k, tuple(v) if isinstance(v, list) else v) for k, v in sorted(options.items())]


@lru_cache(maxsize=16)
def _solution(name: str, options: tuple[tuple[str, Any], ...]) -> Solution | None:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import TooLarge, solved

    values = {k: list(v) if isinstance(v, tuple) else v for k, v in options}
    try:
        return solved(make_game(name, values))
    except TooLarge:
        return None
