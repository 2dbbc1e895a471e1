"""Who takes part: two players, and chance, which the referee draws."""

from __future__ import annotations

from typing import Literal

Seat = Literal[1, 2]
SEATS: tuple[Seat, Seat] = (1, 2)
First = Literal[1, 2, "toss"]

CHANCE: Literal[0] = 0
"""The seat of chance: what it is asked, the referee answers by lot."""
Actor = Literal[0, 1, 2]
"""Whoever answers a question: a player, or chance."""

Viewer = Seat | None
"""A seat, or None for a spectator."""


def other(seat: Seat) -> Seat:
    return 2 if seat == 1 else 1
