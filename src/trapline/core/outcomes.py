"""How a match ends: who won, why, and by how much."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from trapline.core.seats import Seat

if TYPE_CHECKING:
    from trapline.core.seats import Viewer

GOAL = "goal"
TRAP = "trap"
TURN_LIMIT = "turn limit"
"""Reasons that several games share. A game may end for any other reason, said in a word or two."""


class Reason(StrEnum):
    """Endings that the players make themselves, whatever the game."""

    RESIGNED = "resigned"
    AGREED_DRAW = "agreed draw"
    FORFEIT = "forfeit"
    TIME = "time"
    UNOPENED = "unopened"
    """What was hidden on a player's own device was not opened when it had to be."""
    BROKEN_SECRET = "broken secret"
    """What was hidden there turned out to be what the rules do not allow."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    winner: Seat | None
    reason: str
    score: int = 1
    """How much the winner wins and the other loses."""

    def result(self, seat: Viewer) -> float:
        """What the match was worth to a seat: above 0 for a win, below for a loss."""
        if self.winner is None:
            return 0.0
        return float(self.score if self.winner == seat else -self.score)


ONGOING = None
"""The outcome of a match that goes on."""


@cache
def won(seat: int, reason: str, score: int = 1) -> Outcome:
    return Outcome(2 if seat == 2 else 1, reason, score)


@cache
def drawn(reason: str) -> Outcome:
    return Outcome(None, reason)
