"""What best replies come to, as values that travel between processes."""

from __future__ import annotations

import msgspec


class Ladder(msgspec.Struct, frozen=True):
    """Each reply answers the one before it; results are those of whoever moves first."""

    results: list[float]
    """The first mover's best reply to random play, the other's best reply to that, and so on."""
    settles: int | None
    """After how many replies they get the value of the game; None where they run in circles."""


class Pair(msgspec.Struct, frozen=True):
    """Something for whoever moves first, and for whoever moves second, as chances of winning."""

    first: float
    second: float
