"""How large the whole tree of a game is, before anybody walks it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from trapline.core import CHANCE, SEATS
from trapline.solve.interface import TooLarge, Unsuited

if TYPE_CHECKING:
    from trapline.core import Game, Question, Seat

MOST_NODES = 400_000
"""How large a tree may be: about a minute to walk."""
PROBES = 300
"""So many matches at random tell beforehand how large a tree is (Knuth, 1975)."""
FAR_TOO_LARGE = 4
"""An estimate may be wrong by this factor before it is believed."""
LONGEST = 5_000
"""No match may have more answers."""


def probe(game: Game[Any], first: Seat) -> None:
    """Refuse at once what is far too large, or does not end."""
    rng = Random(1)  # noqa: S311 - the same game is always judged alike
    total = 0.0
    for _ in range(PROBES):
        state, ways, depth = game.start(first), 1.0, 0
        while state.outcome is None:
            seat, question = _asked(game, state)
            ways *= question.count()
            value = question.random(rng)
            state = game.apply(state, seat, value) if seat else game.dealt(state, value)
            depth += 1
            total += ways
            if ways > PROBES * FAR_TOO_LARGE * MOST_NODES:
                raise too_large(game)
            if depth > LONGEST:
                raise endless(game)
    if total / PROBES > FAR_TOO_LARGE * MOST_NODES:
        raise too_large(game)


def _asked(game: Game[Any], state: Any) -> tuple[Any, Question]:
    """Somebody who is asked, and what; chance is 0."""
    drawn = game.chance(state) if game.draws else None
    if drawn is not None:
        return CHANCE, drawn
    for seat in SEATS:
        question = game.question(state, seat)
        if question is not None:
            return seat, question
    raise Unsuited(f"{game.title} asks nobody anything, and is not over.")


def too_large(game: Game[Any]) -> TooLarge:
    return TooLarge(
        f"{game.title} can go in more ways under these options than can be looked through; "
        "smaller options have fewer."
    )


def too_late(game: Game[Any]) -> TooLarge:
    return TooLarge(f"There was no time to walk through {game.title} under these options.")


def endless(game: Game[Any]) -> TooLarge:
    return TooLarge(f"{game.title} can go on for ever under these options; a limit would end it.")
