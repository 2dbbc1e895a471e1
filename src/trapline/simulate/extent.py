"""How long a match can be, where the game itself does not say."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from trapline.core import CHANCE, SEATS, asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, State

BUDGET = 20_000
"""States that are looked at: a moment's work, and enough for a few cards or a small board."""


@lru_cache(maxsize=256)
def most_turns(game: Game[Any]) -> int:
    """More turns than this no match can have; 0 where there is no such number, or none is found."""
    return game.longest() or _longest_played(game)


def _longest_played(game: Game[Any]) -> int:
    """Try everything, one answer after the other, until all matches are over."""
    layer: set[Any] = {game.start(seat) for seat in SEATS}
    most = looked_at = 0
    while layer:
        following: set[Any] = set()
        for state in layer:
            most = max(most, state.turn)
            for after in _after(game, state):
                looked_at += 1
                if looked_at > BUDGET:
                    return 0
                following.add(after)
        layer = following
    return most


def _after(game: Game[Any], state: State) -> Iterator[State]:
    """The states that one answer leads to; where both are asked, either may be the first."""
    for actor in asked(game, state)[:1]:
        if actor == CHANCE:
            drawn = game.chance(state)
            yield from (game.dealt(state, value) for value in (drawn.values() if drawn else ()))
        else:
            question = game.question(state, actor)
            for value in question.values() if question else ():
                yield game.apply(state, actor, value)
