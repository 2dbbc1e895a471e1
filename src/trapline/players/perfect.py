"""The `perfect` opponent: plays the solution of the game.

Where several moves are equally good, or the game is lost or drawn anyway, the solution's
policy already prefers what gives a careless opponent the most chances to go wrong.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.games import make_game

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Move, Secret, View
    from trapline.solve import Policy


T = TypeVar("T")


def choose(view: View, rng: Random) -> Move | Secret:
    assert view.seat is not None  # only players are asked
    policy = _policy(view.game, tuple(_frozen(view.options)))
    if view.asks == "secret":
        return _draw(policy.secrets(view.seat, view.first), rng)
    return _draw(policy.look(view).chances, rng)


def _draw(chances: dict[T, float], rng: Random) -> T:
    return rng.choices(list(chances), list(chances.values()))[0]


def _frozen(options: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(k, tuple(v) if isinstance(v, list) else v) for k, v in sorted(options.items())]


@lru_cache(maxsize=16)
def _policy(name: str, options: tuple[tuple[str, Any], ...]) -> Policy:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import solved

    values = {k: list(v) if isinstance(v, tuple) else v for k, v in options}
    return solved(make_game(name, values)).policy
