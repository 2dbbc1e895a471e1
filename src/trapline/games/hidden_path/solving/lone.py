"""One runner alone: the other will arrive after a number of moves that nothing can change.

What is left is to be there in time. The own secret does not matter any more, and the other's
moves tell nothing; so the way to run depends on the own landings alone, and one small graph of
them serves every history that comes to the same doubt, place and number of moves left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]

LATE = -1
"""In place of what comes next: the other is there first, or it cannot happen."""


class Runs(NamedTuple):
    """The graphs of all lone runs, one after the other; parents before children."""

    begin: Ints
    """For each run, its first point; the next run's first point ends it."""
    rows: Ints
    """For each run, how many points are open: their moves are chosen."""
    open: NDArray[np.int8]
    """1 where a move is chosen, 0 where the runner will be there in time whatever comes."""
    row: Counts
    """Which of its run's open points it is."""
    moves: Counts
    """How many moves are legal."""
    passed: Counts
    """By point and move: the point after a safe landing, counted within the run, or LATE."""
    caught: Counts
    span: Ints
    """Of points that are not open: where their secrets begin in `secrets`."""
    secrets: Counts
    """Places in the list of the doubt with which the run began."""


def lone_runs(doubts: Doubts, keys: Sequence[tuple[int, int, int]]) -> Runs:
    """The runs that begin with a doubt, at a place, with so many moves left."""
    drawing = _Drawing(doubts)
    for doubt, place, left in keys:
        drawing.add(doubt, place, left)
    return drawing.finish()


class _Drawing:
    def __init__(self, doubts: Doubts) -> None:
        self.doubts = doubts
        self.begin = [0]
        self.rows: list[int] = []
        self.open: list[int] = []
        self.row: list[int] = []
        self.moves: list[int] = []
        self.passed: list[list[int]] = []
        self.caught: list[list[int]] = []
        self.span = [0]
        self.secrets: list[Counts] = []

    def add(self, doubt: int, place: int, left: int) -> None:
        doubts = self.doubts
        everything = np.arange(doubts.size[doubt], dtype=np.int32)
        points = [(doubt, place, left, everything)]
        number = {(place, left, everything.tobytes()): 0}
        rows = 0

        def after(new: int, slot: int, held: Counts, to: int, left: int) -> int:
            if new < 0 or doubts.fewest[new, to] > left:
                return LATE
            if slot >= 0:
                held = held[doubts.slots[slot : slot + doubts.size[new]]]
            key = (to, left, held.tobytes())
            if key not in number:
                number[key] = len(points)
                points.append((new, to, left, held))
            return number[key]

        for doubt, place, left, held in points:  # which grows while it is walked
            chosen = doubts.surely[doubt, place] > left
            self.open.append(int(chosen))
            self.row.append(rows)
            passed, caught = [LATE] * doubts.max_step, [LATE] * doubts.max_step
            steps = range(place + 1, min(place + doubts.max_step, doubts.length) + 1)
            self.moves.append(len(steps))
            if chosen:
                rows += 1
                for m, to in enumerate(steps):
                    good, bad = int(doubts.passed[doubt, to]), int(doubts.caught[doubt, to])
                    slot, sprung = doubts.passed_slot[doubt, to], doubts.caught_slot[doubt, to]
                    passed[m] = after(good, int(slot), held, to, left - 1)
                    caught[m] = after(bad, int(sprung), held, 0, left - 1)
            self.passed.append(passed)
            self.caught.append(caught)
            self.secrets.append(held[:0] if chosen else held)
            self.span.append(self.span[-1] + len(self.secrets[-1]))
        self.begin.append(len(self.open))
        self.rows.append(rows)

    def finish(self) -> Runs:
        width = self.doubts.max_step
        return Runs(
            np.array(self.begin, np.int64),
            np.array(self.rows, np.int64),
            np.array(self.open, np.int8),
            np.array(self.row, np.int32),
            np.array(self.moves, np.int32),
            np.array(self.passed, np.int32).reshape(-1, width),
            np.array(self.caught, np.int32).reshape(-1, width),
            np.array(self.span, np.int64),
            np.concatenate(self.secrets) if self.secrets else np.zeros(0, np.int32),
        )
