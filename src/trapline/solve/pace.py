"""How far a search has come, told in proportion to the time that it takes.

The gap between what is proven from both sides falls about as a power of the time, so its logarithm
falls in a straight line over the logarithm of the time. The latest part of that line says when the
target will be reached. A bar made of it can wait, but never goes back.
"""

from __future__ import annotations

import math
from typing import NamedTuple

LAYING_OUT = 15.0
SILENT = 0.25
"""A search that has said nothing yet is taken to need so many seconds, and then to have come no
farther than this share of its way, however long it takes."""
STEEPEST, SHALLOWEST = 4.0, 0.25
"""Between these powers of the time a gap is taken to fall: a jump, or a halt, is no trend."""
NEARLY = 0.99
"""More is not told before it is done."""


class Told(NamedTuple):
    share: float
    """From 0 to 1."""
    left: float
    """Seconds."""
    trend: bool
    """Whether the search has said something: else both figures are no more than a guess."""


class Pace:
    """Is told gaps as they are found, and tells how far the search has come."""

    def __init__(self, target: float, limit: float = math.inf) -> None:
        """`target` is the gap to reach; after `limit` seconds the search ends in any case."""
        self._target = max(target, 1e-12)
        self._limit = limit
        self._notes: list[tuple[float, float]] = []
        self._share = 0.0

    def note(self, seconds: float, gap: float) -> None:
        """Only what is better than before says something."""
        gap = max(gap, 1e-12)
        if seconds > 0 and (not self._notes or gap < self._notes[-1][1]):
            self._notes.append((seconds, gap))

    def told(self, seconds: float) -> Told:
        """How far it has come after so many seconds."""
        end = min(self._limit, max(self._end(seconds), seconds))
        left = max(0.0, end - seconds)
        fresh = seconds / (seconds + left) if seconds + left else 0.0
        self._share = min(NEARLY, max(self._share, fresh))
        # Who is told a share is told the time that fits it, also where the bar waits.
        left = seconds * (1 - self._share) / self._share if self._share else left
        return Told(self._share, left, bool(self._notes))

    def _end(self, now: float) -> float:
        """When the target will be reached, in seconds from the beginning."""
        if not self._notes:
            return max(LAYING_OUT, now / SILENT)
        seconds, gap = self._notes[-1]
        if gap <= self._target:
            return seconds
        missing = math.log(gap / self._target) / self._steepness()
        return seconds * math.exp(min(missing, 20.0))

    def _steepness(self) -> float:
        """The power of the time with which the gap fell over the later half of the notes."""
        later, last = self._notes[len(self._notes) // 2], self._notes[-1]
        if later[0] >= last[0]:
            return 1.0
        fell = math.log(later[1] / last[1]) / math.log(last[0] / later[0])
        return min(STEEPEST, max(SHALLOWEST, fell))
