"""What `perfect` promises, as its solution has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.players import perfect

if TYPE_CHECKING:
    from trapline.core import Seat

CLOSE = 1e-6


def conceded(game: Any, seat: Seat, first: Seat = 1) -> float:
    """What the bounds say that `perfect` in this seat lets the other have at most."""
    found = perfect.solution_of(game)
    assert found is not None
    lower, upper = found.bounds
    return -lower if seat == first else upper
