"""Hidden Path as everybody sees it: the tree of both runners' landings, cut where nothing is open.

A node of the public tree stands for everything that both players have seen. Two cuts keep it
small, and both are sound. Each runner has a fewest number of moves to the goal, with any luck,
and a number that suffices without any (`doubts`). Where one runner's sufficient number beats the
other's fewest, the race is decided, and the tree ends. Where a runner's two numbers are the same,
that runner is only a number, and the other runs alone (`lone`).

The nodes lie in the order in which a walk meets them, so that what follows a node is a range, and
parents come before children.

Each seat has a list of secrets of its own. Where both lists hold everything that the rules allow,
it is the game. Where a seat's list is shorter, it is the game of somebody who has given some
secrets up (`modest`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.doubts import SAME, Doubts, Hidden
from trapline.games.hidden_path.solving.duel.lone import Position, Runs, lone_runs, rows
from trapline.games.hidden_path.solving.duel.nodes import (
    FIRST_ALONE,
    FIRST_WINS,
    MOST_BITS,
    NO_LIMITS,
    NODE,
    OPEN,
    SECOND_ALONE,
    SECOND_WINS,
    Limits,
    Row,
    child,
    legal_bits,
    limited,
)
from trapline.solve.loops import Loop
from trapline.solve.memory import check_room

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel.nodes import Counts, Nodes
    from trapline.solve.loops import P, R

    Ints = NDArray[np.int64]

MOST_LEFT = 1 << 16
"""No lone run takes as many moves: a path of 99 steps, all of them trapped, takes fewer."""


FEW = 2_000
"""Trees of so many nodes are gone through as quickly as a compiler is loaded."""


Pair = tuple[Hidden, Hidden]
"""What the first runner may doubt, which lists the second's secrets, and the other way round."""


class Laid(NamedTuple):
    """Nodes and lone runs as loops read them: as arrays, or where the tree is small as rows."""

    nodes: Nodes
    runs: Runs


class Tree(NamedTuple):
    nodes: Nodes
    slots: Counts
    """Lists of secrets, by their place in the list before."""
    runs: Runs
    laid: Laid
    small: bool
    """Whether loops go through it as they are written."""
    hidden: Pair
    widths: tuple[int, int]
    """The length of each seat's vectors, all together."""
    entries: int
    lone_entries: int

    @property
    def length(self) -> int:
        return self.hidden[0].doubts.length

    @property
    def max_step(self) -> int:
        return self.hidden[0].doubts.max_step

    def fit(self, loop: Loop[P, R]) -> Callable[P, R]:
        """A loop as it goes through what is laid out."""
        return loop.plain if self.small else loop.compiled

    def doubts(self, seat: int) -> Doubts:
        """What a seat may doubt as a runner."""
        return self.hidden[seat - 1].doubts

    def secrets(self, seat: int) -> tuple[int, ...]:
        """What a seat may hide, as bits, in rising order."""
        return self.hidden[2 - seat].secrets

    def live(self, node: int, seat: int) -> slice:
        """A seat's vector at a node."""
        begin = int(self.nodes[node]["start"][seat - 1])
        return slice(begin, begin + int(self.nodes[node]["width"][seat - 1]))

    def table(self, values: Any, node: int) -> Any:
        """A decision's part of a table: moves × the mover's secrets."""
        own = self.live(node, int(self.nodes[node]["mover"]))
        begin, rows, width = (
            int(self.nodes[node]["entry"]),
            int(self.nodes[node]["moves"]),
            own.stop - own.start,
        )
        return values[begin : begin + rows * width].reshape(rows, width)

    def point(self, node: int, number: int) -> Any:
        """A point of the lone run at a node."""
        return self.runs.points[self._listed(node, number)]

    def next_point(self, node: int, number: int, move: int, *, trapped: bool) -> int:
        """Where a move from a point of the lone run at a node leads, or LATE."""
        table = self.runs.caught if trapped else self.runs.passed
        return int(table[self._listed(node, number), move])

    def _listed(self, node: int, number: int) -> int:
        return int(self.runs.runs["begin"][self.nodes[node]["run"]]) + number

    def lone_table(self, values: Any, node: int) -> Any:
        """A lone run's part of a table: open points × moves."""
        begin, rows = (
            int(self.nodes[node]["entry"]),
            int(self.runs.runs["rows"][self.nodes[node]["run"]]),
        )
        return values[begin : begin + rows * self.max_step].reshape(rows, self.max_step)


class Size(NamedTuple):
    """How large a tree would be."""

    nodes: int
    numbers: tuple[int, int]
    """In all vectors of each seat."""
    entries: int
    """In tables of decisions, without those of lone runs."""

    @property
    def memory(self) -> float:
        """Bytes for the tree and for training; lone runs are smaller than the decisions."""
        return 88.0 * self.nodes + 16.0 * sum(self.numbers) + 80.0 * self.entries


def measure(hidden: Pair, most: int, limits: Limits = NO_LIMITS) -> Size | None:
    """The size of the tree, found by walking it without keeping it; None beyond `most` nodes."""
    return _measured(_walk.compiled, hidden, most, limits)


def _measured(walk: Callable[..., Any], hidden: Pair, most: int, limits: Limits) -> Size | None:
    one, two = hidden
    unkept = (np.zeros(0, NODE), np.zeros(0, np.int64))
    nodes, *sums = walk(one.doubts, two.doubts, limits, most, *unkept)
    return None if nodes > most else Size(int(nodes), (int(sums[0]), int(sums[1])), int(sums[2]))


def restored(hidden: Pair, most: int, limits: Limits = NO_LIMITS) -> Tree | None:
    """The tree of a plan that was kept; no compiler is needed for a small one."""
    small = _measured(_walk.plain, hidden, FEW, limits)
    if small is not None:
        return build(hidden, small, limits, small=True)
    size = measure(hidden, most, limits)
    return None if size is None else build(hidden, size, limits)


def build(hidden: Pair, size: Size, limits: Limits = NO_LIMITS, *, small: bool = False) -> Tree:
    """The tree, whose size has been measured; OutOfMemory where it would not fit."""
    check_room(size.memory, f"the {size.nodes:,} situations that both runners can see")
    one, two = (side.doubts for side in hidden)
    nodes, key = np.zeros(size.nodes, NODE), np.zeros(size.nodes, np.int64)
    drawn = nodes.view(np.recarray) if small else nodes
    (_walk.plain if small else _walk.compiled)(one, two, limits, size.nodes, drawn, key)
    slots = one.slots
    if one.slots is not two.slots:
        slots = np.concatenate([one.slots, two.slots])
        second_came = (nodes["mover"] == 1) & (nodes["slot"] != SAME)
        nodes["slot"][second_came] += len(one.slots)
    alone = nodes["kind"] >= FIRST_ALONE
    wanted, run = np.unique(key[alone], return_inverse=True)
    runs = lone_runs((one, two), [_begun(int(number), one.length) for number in wanted])
    lone = runs.runs["rows"][run] * one.max_step
    nodes["run"][alone], nodes["entry"][alone] = run, np.cumsum(lone) - lone
    (_ends.plain if small else _ends.compiled)(drawn)
    laid = Laid(rows(nodes, Row), runs.as_rows()) if small else Laid(nodes, runs)
    counts = (size.numbers, size.entries, int(lone.sum()))
    return Tree(nodes, slots, runs, laid, small, hidden, *counts)


def _begun(key: int, length: int) -> tuple[int, Position]:
    """Who runs alone (0 or 1), and from where."""
    rest, left = divmod(key, MOST_LEFT)
    rest, place = divmod(rest, length + 1)
    doubt, runner = divmod(rest, 2)
    return runner, Position(doubt, place, left)


@Loop
def _ends(nodes: Nodes) -> None:
    for node in range(len(nodes) - 1, 0, -1):
        above = nodes[node].parent
        nodes[above].end = max(nodes[above].end, nodes[node].end)


@Loop
def classify(
    mine: Doubts, theirs: Doubts, me: int, places: Any, doubting: Any
) -> tuple[int, int, int]:
    """What a node is where `me` (0 or 1) moves; and of a lone run, who runs and the moves left."""
    return judge(
        me,
        mine.fewest[doubting[me], places[me]],
        mine.surely[doubting[me], places[me]],
        theirs.fewest[doubting[1 - me], places[1 - me]],
        theirs.surely[doubting[1 - me], places[1 - me]],
    )


@Loop
def judge(
    me: int, fewest: int, surely: int, their_fewest: int, their_surely: int
) -> tuple[int, int, int]:
    """The same by the fewest moves of whoever moves and those that suffice, and by the other's."""
    if surely <= their_fewest:
        return FIRST_WINS + me, 0, 0
    if their_surely < fewest:
        return SECOND_WINS - me, 0, 0
    if fewest == surely:
        return SECOND_ALONE - me, 1 - me, surely - 1
    if their_fewest == their_surely:
        return FIRST_ALONE + me, me, their_surely
    return OPEN, 0, 0


@Loop
def _walk(
    one: Doubts, two: Doubts, limits: Limits, most: int, nodes: Nodes, key: Ints
) -> tuple[int, int, int, int]:
    """Visit every node, children in the order of the moves; write them down where there is room."""
    count, first_numbers, second_numbers, entries, decisions = 0, 0, 0, 0, 0
    # For each node that waits: parent, move, trapped, slot, mover, both places, both doubts; and
    # where it is in the trees that tell.
    waiting = np.zeros((4_096, 12), np.int64)
    waiting[0, 3:5] = (SAME, 1)
    for k in range(3):
        waiting[0, 9 + k] = 0 if len(limits.sources[k].nodes) else -1
    depth = 1
    while depth:
        depth -= 1
        above, move, caught, held, who, here, there, first, second = waiting[depth, :9]
        known = (waiting[depth, 9], waiting[depth, 10], waiting[depth, 11])
        places, doubting = (here, there), (first, second)
        me = who - 1
        mine, theirs = (one, two) if me == 0 else (two, one)
        what, runner, left = classify(mine, theirs, me, places, doubting)
        at = count
        count += 1
        if count > most:
            break
        bits, moves = legal_bits(mine, places[me]), 0
        if what == OPEN and limits.seat == who:
            bits = limited(limits, decisions, known, doubting[me], places[me], bits)
            decisions += 1
        for m in range(mine.max_step):
            moves += bits >> m & 1
        if len(nodes):
            node = nodes[at]
            node.kind, node.mover, node.action, node.trapped = what, who, move, caught
            node.moves, node.parent, node.slot, node.end = moves, above, held, at + 1
            node.bits = bits if mine.max_step <= MOST_BITS else 0
            node.doubt[0], node.doubt[1] = first, second
            node.width[0], node.width[1] = two.size[second], one.size[first]
            node.start[0], node.start[1] = first_numbers, second_numbers
            node.entry = entries
            if what >= FIRST_ALONE:
                place = (2 * doubting[runner] + runner) * (one.length + 1) + places[runner]
                key[at] = place * MOST_LEFT + left
        first_numbers += two.size[second]  # a seat's secrets are listed by what the other doubts
        second_numbers += one.size[first]
        if what != OPEN:
            continue
        entries += moves * theirs.size[doubting[1 - me]]
        if depth + 2 * moves > len(waiting):
            more = np.zeros((2 * len(waiting), 12), np.int64)
            more[:depth] = waiting[:depth]
            waiting = more
        action = moves
        for m in range(mine.max_step - 1, -1, -1):
            if not bits >> m & 1:
                continue
            action -= 1
            to = places[me] + m + 1
            for bad in (1, 0):
                new, listed = mine.passed[doubting[me], to], mine.passed_slot[doubting[me], to]
                if bad:
                    new, listed = mine.caught[doubting[me], to], mine.caught_slot[doubting[me], to]
                if new < 0:
                    continue
                stand = 0 if bad else to
                if me == 0:
                    waiting[depth, :9] = (at, action, bad, listed, 2, stand, there, new, second)
                else:
                    waiting[depth, :9] = (at, action, bad, listed, 1, here, stand, first, new)
                for k in range(3):
                    waiting[depth, 9 + k] = child(limits.sources[k].nodes, known[k], m, bad)
                depth += 1
    return count, first_numbers, second_numbers, entries
