"""The `perfect` opponent: plays the solution of the game.

Where several moves are equally good, or the game is lost or drawn anyway, the solution's
policy already prefers what gives a careless opponent the most chances to go wrong. A variant
that is too large to be solved is played like `sharp`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.games import changed_options, make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game, Move, Secret, View
    from trapline.solve import Policy


T = TypeVar("T")


def choose(view: View, rng: Random) -> Move | Secret:
    assert view.seat is not None  # only players are asked
    policy = _policy(view.game, tuple(_frozen(view.options)))
    if policy is None:
        return sharp.choose(view, rng)
    if view.asks == "secret":
        return _draw(policy.secrets(view.seat, view.first), rng)
    return _draw(policy.look(view).chances, rng)


def prepare(game: Game[Any, Any]) -> None:
    """Solve the game, or load its solution, so that the first choice is as quick as any."""
    _policy(game.name, tuple(_frozen(changed_options(game))))


def _draw(chances: dict[T, float], rng: Random) -> T:
    return rng.choices(list(chances), list(chances.values()))[0]


def _frozen(options: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(k, tuple(v) if isinstance(v, list) else v) for k, v in sorted(options.items())]


@lru_cache(maxsize=16)
def _policy(name: str, options: tuple[tuple[str, Any], ...]) -> Policy | None:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import TooLarge, solved

    values = {k: list(v) if isinstance(v, tuple) else v for k, v in options}
    try:
        return solved(make_game(name, values)).policy
    except TooLarge:
        return None
