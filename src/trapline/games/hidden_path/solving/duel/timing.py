"""Whether a runner can be in time, where nothing is left to choose but how to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.interface import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Form
    from trapline.games.hidden_path.solving.doubts import Doubts


class Timing:
    """For two runners, each with what the runner may doubt; seats are 1, who moves first, and 2."""

    def __init__(self, one: Doubts, two: Doubts) -> None:
        self._doubts = (one, two)
        self._known: dict[tuple[int, int, int, int], float] = {}

    def shortest(
        self, seat: int, doubting: Sequence[int], places: Sequence[int], left: int | None = None
    ) -> dict[Form, float]:
        """Of the moves with the best chance to be in time: minus what they surely take."""
        doubts, doubt, place = self._doubts[seat - 1], doubting[seat - 1], places[seat - 1]
        chances = self.in_times(seat, doubting, places, left)
        best = max(chances.values()) - ROUNDING
        worst: dict[Form, float] = {}
        for steps in (steps for steps, chance in chances.items() if chance >= best):
            to = place + steps
            good, bad = doubts.passed[doubt, to], doubts.caught[doubt, to]
            sure = doubts.surely[good, to] if good >= 0 else 0
            worst[steps] = -float(max(sure, doubts.surely[bad, 0] if bad >= 0 else 0))
        return worst

    def in_times(
        self, seat: int, doubting: Sequence[int], places: Sequence[int], left: int | None = None
    ) -> dict[int, float]:
        """For each move, the chance to be there with the moves that are left, or before the other
        surely is."""
        theirs, me, other = self._doubts[2 - seat], seat - 1, 2 - seat
        if left is None:
            left = int(theirs.surely[doubting[other], places[other]])
        farthest = min(theirs.max_step, theirs.length - places[me])
        return {
            steps: self._after(seat, doubting[me], places[me] + steps, left - 1)
            for steps in range(1, farthest + 1)
        }

    def _after(self, seat: int, doubt: int, to: int, left: int) -> float:
        """The chance to be there in time after a landing, all secrets equally likely."""
        doubts = self._doubts[seat - 1]
        good, bad = int(doubts.passed[doubt, to]), int(doubts.caught[doubt, to])
        share = float(doubts.size[bad] / doubts.size[doubt]) if bad >= 0 else 0.0
        chance = share * self._in_time(seat, bad, 0, left) if bad >= 0 else 0.0
        return chance + ((1 - share) * self._in_time(seat, good, to, left) if good >= 0 else 0.0)

    def _in_time(self, seat: int, doubt: int, place: int, left: int) -> float:
        doubts = self._doubts[seat - 1]
        if doubts.fewest[doubt, place] > left:
            return 0.0
        if doubts.surely[doubt, place] <= left:
            return 1.0
        key = (seat, doubt, place, left)
        if key not in self._known:
            farthest = min(place + doubts.max_step, doubts.length)
            self._known[key] = max(
                self._after(seat, doubt, to, left - 1) for to in range(place + 1, farthest + 1)
            )
        return self._known[key]
