"""What a solution knows at a decision: how it plays, what moves are worth, what to believe.

A policy is asked with a View, so it cannot use what the player may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Move, Seat, Secret, View


class Outlook(NamedTuple):
    """A decision as the mover may see it, when the other plays the solution."""

    chances: dict[Move, float]
    """How often the solution makes each move."""
    values: dict[Move, float]
    """What the mover can expect of each legal move, from −1 to 1."""
    beliefs: dict[Secret, float]
    """How likely each of the other's secrets is; empty where there are none."""


class Policy(Protocol):
    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        """How often the solution chooses each secret, for a seat of a match."""

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        """What a player can expect of each secret."""

    def chances(self, view: View) -> dict[Move, float]:
        """How often the solution makes each move: the chances of `look`, without the rest."""

    def look(self, view: View) -> Outlook:
        """The decision that the View asks for."""


def evenly(moves: dict[Any, float], legal: Sequence[Move]) -> dict[Move, float]:
    """The moves of highest hope, equally often; all others never."""
    most = max(moves.values())
    best = [move for move, hope in moves.items() if hope > most - 1e-9]
    return {move: 1 / len(best) if move in best else 0.0 for move in legal}
