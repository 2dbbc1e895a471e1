"""One runner alone: the other will arrive after a number of moves that nothing can change.

What is left is to be there in time. The own secret does not matter any more, and the other's
moves tell nothing; so the way to run depends on the own landings alone, and one small graph of
them serves every history that comes to the same doubt, place and number of moves left.

Often nothing is left to choose: one way to run is in time with every secret with which any way is.
Such a position is *clear*. Most are, and a graph of those that are not is small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts

    Bools = NDArray[np.bool_]
    Counts = NDArray[np.int32]
    Floats = NDArray[np.float64]

LATE = -1
"""In place of what comes next: the other is there first, or it cannot happen."""


POINT = np.dtype(
    [
        ("open", np.int8),  # 1 where a move is chosen, 0 where that is clear
        ("moves", np.int8),  # how many are legal
        ("row", np.int32),  # which of its run's open points it is
        ("first", np.int64),  # if it is clear: where the secrets that are beaten begin, and end
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
    """Those that are beaten at clear points: places in the list of the doubt with which the run
    began."""

    def as_rows(self) -> Runs:
        """The same as plain loops read it."""
        return self._replace(runs=rows(self.runs, Run), points=rows(self.points, Point))


def rows(records: Any, kind: Callable[..., Any]) -> list[Any]:
    """Records of an array as values of a kind with the same fields: read much faster one by one."""
    fields = (records[name].tolist() for name in records.dtype.names)
    return [kind(*record) for record in zip(*fields, strict=True)]


class Position(NamedTuple):
    """Of a lone runner: what is doubted, where the runner stands, and how many moves are left."""

    doubt: int
    place: int
    left: int


class Prospect(NamedTuple):
    """What can come of a position."""

    winnable: Bools
    """By secret of the doubt: whether some way to run is in time."""
    clear: bool
    """Whether one way is, with all of these."""


class Alone:
    """What a runner can reach alone, found once for every position."""

    def __init__(self, doubts: Doubts) -> None:
        self.doubts = doubts
        self._known: dict[Position, Prospect] = {}

    def after(self, at: Position, to: int) -> Iterator[tuple[Position, slice | Counts, bool]]:
        """Where a landing may lead in time: the position, which of the secrets are left in its
        list, and whether it was a trap."""
        doubts = self.doubts
        safe, trap = doubts.passed[at.doubt, to], doubts.caught[at.doubt, to]
        slots = (doubts.passed_slot[at.doubt, to], doubts.caught_slot[at.doubt, to])
        for new, slot, place in ((safe, slots[0], to), (trap, slots[1], 0)):
            if new >= 0 and doubts.fewest[new, place] < at.left:
                held = doubts.slots[slot : slot + doubts.size[new]] if slot >= 0 else slice(None)
                yield Position(int(new), place, at.left - 1), held, place == 0

    def steps(self, place: int) -> range:
        """Where the next move may end."""
        return range(place + 1, min(place + self.doubts.max_step, self.doubts.length) + 1)

    def prospect(self, at: Position) -> Prospect:
        if at not in self._known:
            self._known[at] = self._find(at)
        return self._known[at]

    def _find(self, at: Position) -> Prospect:
        doubts = self.doubts
        count = int(doubts.size[at.doubt])
        if doubts.surely[at.doubt, at.place] <= at.left:
            return Prospect(np.ones(count, bool), clear=True)
        winnable, most = np.zeros(count, bool), 0
        if doubts.fewest[at.doubt, at.place] > at.left:
            return Prospect(winnable, clear=True)
        for to in self.steps(at.place):
            won = 0
            for after, held, _ in self.after(at, to):
                ahead = self.prospect(after)
                winnable[held] |= ahead.winnable
                won += int(ahead.winnable.sum()) if ahead.clear else -count
            most = max(most, won)
        return Prospect(winnable, clear=most == int(winnable.sum()))

    def worth(self, at: Position, weights: Floats) -> float:
        """The most of the weight of the secrets with which the runner can be in time."""
        ahead = self.prospect(at)
        if ahead.clear:
            return float(weights[ahead.winnable].sum())
        return max(self.worth_of(at, to, weights) for to in self.steps(at.place))

    def worth_of(self, at: Position, to: int, weights: Floats) -> float:
        """The same after a move."""
        worths = (self.worth(after, weights[held]) for after, held, _ in self.after(at, to))
        return sum(worths, start=0.0)


def lone_runs(doubts: tuple[Doubts, Doubts], keys: Sequence[tuple[int, Position]]) -> Runs:
    """The runs that begin where one of both runners (0 or 1) is alone."""
    drawing = _Drawing(doubts)
    for runner, start in keys:
        drawing.add(runner, start)
    return drawing.finish()


class _Drawing:
    def __init__(self, doubts: tuple[Doubts, Doubts]) -> None:
        self.alone = [Alone(one) for one in doubts]
        self.max_step = doubts[0].max_step
        self.runs: list[tuple[int, int, int]] = []
        self.points: list[tuple[int, int, int, int, int]] = []
        self.passed: list[list[int]] = []
        self.caught: list[list[int]] = []
        self.listed = 0
        self.secrets: list[Counts] = []

    def add(self, runner: int, start: Position) -> None:
        alone = self.alone[runner]
        everything = np.arange(alone.doubts.size[start.doubt], dtype=np.int32)
        points = [(start, everything)]
        number = {(start, everything.tobytes()): 0}
        rows = 0
        for at, held in points:  # which grows while it is walked
            ahead, steps = alone.prospect(at), alone.steps(at.place)
            beaten = held[ahead.winnable] if ahead.clear else held[:0]
            listed = self.listed + len(beaten)
            self.points.append((int(not ahead.clear), len(steps), rows, self.listed, listed))
            self.listed = listed
            self.secrets.append(beaten)
            leads = ([LATE] * self.max_step, [LATE] * self.max_step)
            if not ahead.clear:
                rows += 1
                for m, to in enumerate(steps):
                    for after, kept, trapped in alone.after(at, to):
                        key = (after, held[kept].tobytes())
                        if key not in number:
                            number[key] = len(points)
                            points.append((after, held[kept]))
                        leads[trapped][m] = number[key]
            self.passed.append(leads[0])
            self.caught.append(leads[1])
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
