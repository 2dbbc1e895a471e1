"""Runners who know of no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.interface import evenly

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.doubts import Doubts
    from trapline.games.hidden_path.solving.duel.situation import Landing
    from trapline.games.hidden_path.solving.duel.timing import Timing


class Loose:
    """What both doubt, and where they are."""

    def __init__(self, doubts: Doubts, timing: Timing) -> None:
        self._doubts, self._timing = doubts, timing
        self._doubting, self._places = [0, 0], [0, 0]

    def land(self, landing: Landing) -> None:
        seat, steps, trapped = landing
        me, to = seat - 1, self._places[seat - 1] + steps
        table = self._doubts.caught if trapped else self._doubts.passed
        self._doubting[me] = int(table[self._doubting[me], to])
        self._places[me] = 0 if trapped else to

    def in_times(self, role: int) -> dict[int, float]:
        return self._timing.in_times(role, self._doubting, self._places)

    def hurry(self, role: int) -> dict[int, float]:
        """How often somebody makes each move who only wants to be in time."""
        worth = self._timing.shortest(role, self._doubting, self._places)
        return evenly(worth, worth)
