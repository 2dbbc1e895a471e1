"""One runner alone: the other will arrive after a number of moves that nothing can change.

What is left is to be there in time. The own secret does not matter any more, and the other's
moves tell nothing; so the way to run depends on the own landings alone, and one small graph of
them serves every history that comes to the same doubt, place and number of moves left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]

LATE = -1
"""In place of what comes next: the other is there first, or it cannot happen."""


POINT = np.dtype(
    [
        ("open", np.int8),  # 1 where a move is chosen, 0 where the runner will surely be in time
        ("moves", np.int8),  # how many are legal
        ("row", np.int32),  # which of its run's open points it is
        ("first", np.int64),  # if it is not open: where its secrets begin in `secrets`, and end
        ("last", np.int64),
    ],
    align=True,
)
RUN = np.dtype([("begin", np.int64), ("end", np.int64), ("rows", np.int64)])
"""A run's points, and how many of them are open."""


class Point(NamedTuple):
    open: int
    moves: int
    row: int
    first: int
    last: int


class Run(NamedTuple):
    begin: int
    end: int
    rows: int


class Runs(NamedTuple):
    """The graphs of all lone runs, one after the other; parents before children."""

    runs: Any
    """By run: RUN."""
    points: Any
    """By point: POINT."""
    passed: Counts
    """By point and move: the point after a safe landing, counted within the run, or LATE."""
    caught: Counts
    secrets: Counts
    """Places in the list of the doubt with which the run began."""

    def as_rows(self) -> Runs:
        """The same as plain loops read it."""
        return self._replace(runs=rows(self.runs, Run), points=rows(self.points, Point))


def rows(records: Any, kind: Callable[..., Any]) -> list[Any]:
    """Records of an array as values of a kind with the same fields: read much faster one by one."""
    fields = (records[name].tolist() for name in records.dtype.names)
    return [kind(*record) for record in zip(*fields, strict=True)]


def lone_runs(doubts: tuple[Doubts, Doubts], keys: Sequence[tuple[int, int, int, int]]) -> Runs:
    """The runs of one of both runners that begin with a doubt, at a place, with moves left."""
    drawing = _Drawing(doubts[0].max_step)
    for runner, doubt, place, left in keys:
        drawing.add(doubts[runner], doubt, place, left)
    return drawing.finish()


class _Drawing:
    def __init__(self, max_step: int) -> None:
        self.max_step = max_step
        self.runs: list[tuple[int, int, int]] = []
        self.points: list[tuple[int, int, int, int, int]] = []
        self.passed: list[list[int]] = []
        self.caught: list[list[int]] = []
        self.listed = 0
        self.secrets: list[Counts] = []

    def add(self, doubts: Doubts, doubt: int, place: int, left: int) -> None:
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
            passed, caught = [LATE] * doubts.max_step, [LATE] * doubts.max_step
            steps = range(place + 1, min(place + doubts.max_step, doubts.length) + 1)
            listed = self.listed + (0 if chosen else len(held))
            self.points.append((int(chosen), len(steps), rows, self.listed, listed))
            self.listed = listed
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
        self.runs.append((len(self.points) - len(points), len(self.points), rows))

    def finish(self) -> Runs:
        width = self.max_step
        return Runs(
            np.array(self.runs, RUN),
            np.array(self.points, POINT),
            np.array(self.passed, np.int32).reshape(-1, width),
            np.array(self.caught, np.int32).reshape(-1, width),
            np.concatenate(self.secrets) if self.secrets else np.zeros(0, np.int32),
        )
