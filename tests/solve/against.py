"""One comparison of what the solver says of a game with what brute force finds."""

from __future__ import annotations

from typing import Any

import msgspec
from tests.solve import brute, plain

from trapline.core import SEATS, other
from trapline.games import make_game
from trapline.players import perfect
from trapline.solve import solve

CLOSE = 1e-6
FEW = 400
"""With no more positions than this, a best response to `perfect` is played out as well."""


def compare(name: str, options: dict[str, Any], most: int) -> str:
    """Value, bounds, and what best responses get against `perfect`; returns how it was solved.

    AssertionError where they differ, TooLong where there are more positions than `most`.
    """
    game = make_game(name, options)
    value = brute.value_of(game, 1, most)
    found = solve(game, first=1)
    lower, upper = found.bounds
    assert lower - CLOSE <= value <= upper + CLOSE, (name, options, value, found.bounds)
    if found.exact:
        assert abs(found.value - value) <= CLOSE, (name, options, value, found.value)
    try:
        brute.value_of(game, 1, FEW)
    except brute.TooLong:
        return found.facts.method
    if game.draws or not game.hides:
        return found.facts.method
    known: dict[bytes, Any] = {}

    def asked(view: Any) -> Any:
        key = msgspec.json.encode(view)
        if key not in known:
            known[key] = perfect.chances(view)
        return known[key]

    for seat in SEATS:
        conceded = upper if seat == 1 else -lower
        got = plain.best_response(game, seat, asked)
        assert got <= conceded + CLOSE, (name, options, other(seat), got, conceded)
    return found.facts.method
