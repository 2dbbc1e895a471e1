"""Hidden Path as everybody sees it: the tree of both runners' landings, cut where nothing is open.

A node of the public tree stands for everything that both players have seen. Two cuts keep it
small, and both are sound. Each runner has a fewest number of moves to the goal, with any luck,
and a number that suffices without any (`doubts`). Where one runner's sufficient number beats the
other's fewest, the race is decided, and the tree ends. Where a runner's two numbers are the same,
that runner is only a number, and the other runs alone (`lone`).

The nodes lie in the order in which a walk meets them, so that what follows a node is a range, and
parents come before children.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numba
import numpy as np

from trapline.games.hidden_path.solving.doubts import SAME, Doubts, Hidden
from trapline.games.hidden_path.solving.lone import Runs, lone_runs
from trapline.solve.memory import check_room

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]
    Small = NDArray[np.int8]

OPEN, FIRST_WINS, SECOND_WINS, FIRST_ALONE, SECOND_ALONE = range(5)
"""What a node is: a decision, an end, or the beginning of a lone run."""

MOST_LEFT = 1 << 16
"""No lone run takes as many moves: a path of 99 steps, all of them trapped, takes fewer."""


class Duel(NamedTuple):
    """The tree. Player 1 moves first; vectors of a seat are over its own secrets still possible."""

    kind: Small
    mover: Small
    """Whose turn it is: 1 or 2, also where nothing is chosen any more."""
    parent: Ints
    action: Small
    """The move that led here, counted from 0."""
    trapped: Small
    """1 if it ended on a trap."""
    slot: Ints
    """Where in `doubts.slots` the secrets that are left are listed, SAME for all of them."""
    doubt: Counts
    """By node and seat: what each runner doubts, which lists the other's secrets."""
    start: Ints
    """By node and seat: where its vector begins."""
    entry: Ints
    """Where a decision's table begins (moves × secrets), or a lone run's (points × moves)."""
    run: Counts
    """Which of the lone runs it is."""
    moves: Small
    """How many moves are legal."""
    end: Ints
    """What follows a node ends before this one."""


class Tree(NamedTuple):
    duel: Duel
    runs: Runs
    hidden: Hidden
    widths: tuple[int, int]
    """The length of each seat's vectors, all together."""
    entries: int
    lone_entries: int

    @property
    def doubts(self) -> Doubts:
        return self.hidden.doubts

    def live(self, node: int, seat: int) -> slice:
        """A seat's vector at a node."""
        begin = int(self.duel.start[node, seat - 1])
        return slice(begin, begin + int(self.doubts.size[self.duel.doubt[node, 2 - seat]]))

    def table(self, values: Any, node: int) -> Any:
        """A decision's part of a table: moves × the mover's secrets."""
        own = self.live(node, int(self.duel.mover[node]))
        begin, rows, width = (
            int(self.duel.entry[node]),
            int(self.duel.moves[node]),
            own.stop - own.start,
        )
        return values[begin : begin + rows * width].reshape(rows, width)

    def lone_table(self, values: Any, node: int) -> Any:
        """A lone run's part of a table: open points × moves."""
        begin, rows = int(self.duel.entry[node]), int(self.runs.rows[self.duel.run[node]])
        width = self.doubts.max_step
        return values[begin : begin + rows * width].reshape(rows, width)


class Size(NamedTuple):
    """How large a tree would be."""

    nodes: int
    numbers: int
    """In all vectors of both seats."""
    entries: int
    """In tables of decisions, without those of lone runs."""

    @property
    def memory(self) -> float:
        """Bytes for the tree and for training; lone runs are about as large as the decisions."""
        return 80.0 * self.nodes + 24.0 * self.numbers + 80.0 * self.entries


def measure(hidden: Hidden, most: int) -> Size | None:
    """The size of the tree, found by walking it without keeping it; None beyond `most` nodes."""
    nodes, numbers, entries = _walk(hidden.doubts, most, *_pages(0))
    return None if nodes > most else Size(int(nodes), int(numbers), int(entries))


def build(hidden: Hidden, size: Size) -> Tree:
    """The tree, whose size has been measured; OutOfMemory where it would not fit."""
    check_room(size.memory, f"the {size.nodes:,} situations that both runners can see")
    count, doubts = size.nodes, hidden.doubts
    pages = _pages(count)
    _walk(doubts, count, *pages)
    kind, mover, action, trapped, moves, parent, slot, doubt, key = pages
    alone = kind >= FIRST_ALONE
    wanted, run = np.unique(key[alone], return_inverse=True)
    places = doubts.length + 1
    keys = [
        (int(k) // MOST_LEFT // places, int(k) // MOST_LEFT % places, int(k) % MOST_LEFT)
        for k in wanted
    ]
    runs = lone_runs(doubts, keys)
    runs_of = np.full(count, -1, np.int32)
    runs_of[alone] = run
    sizes = doubts.size[doubt[:, ::-1]]  # a seat's secrets are listed by the other's doubt
    start = np.cumsum(sizes, axis=0) - sizes
    own = np.where(mover == 1, sizes[:, 0], sizes[:, 1])
    tables = np.where(kind == OPEN, own * moves, 0)
    lone = np.zeros(count, np.int64)
    lone[alone] = runs.rows[run] * doubts.max_step
    entry = np.where(alone, np.cumsum(lone) - lone, np.cumsum(tables) - tables)
    end = np.arange(1, count + 1)
    _ends(parent, end)
    duel = Duel(
        kind, mover, parent, action, trapped, slot, doubt, start, entry, runs_of, moves, end
    )
    widths = int(sizes[:, 0].sum()), int(sizes[:, 1].sum())
    return Tree(duel, runs, hidden, widths, int(tables.sum()), int(lone.sum()))


def _pages(count: int) -> tuple[Any, ...]:
    """Where a walk writes so many nodes down."""
    small = [np.zeros(count, np.int8) for _ in range(5)]
    parent, slot, key = (np.zeros(count, np.int64) for _ in range(3))
    return *small, parent, slot, np.zeros((count, 2), np.int32), key


@numba.njit(cache=True)
def _ends(parent: Ints, end: Ints) -> None:
    for node in range(len(parent) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])


@numba.njit(cache=True)
def classify(doubts: Doubts, mover: int, places: Any, doubting: Any) -> tuple[int, int, int]:
    """What a node is; and of a lone run, who runs (0 or 1) and how many moves are left."""
    me = mover - 1
    fewest = doubts.fewest[doubting[me], places[me]]
    surely = doubts.surely[doubting[me], places[me]]
    their_fewest = doubts.fewest[doubting[1 - me], places[1 - me]]
    their_surely = doubts.surely[doubting[1 - me], places[1 - me]]
    if surely <= their_fewest:
        return FIRST_WINS + me, 0, 0
    if their_surely < fewest:
        return SECOND_WINS - me, 0, 0
    if fewest == surely:
        return SECOND_ALONE - me, 1 - me, surely - 1
    if their_fewest == their_surely:
        return FIRST_ALONE + me, me, their_surely
    return OPEN, 0, 0


@numba.njit(cache=True)
def _walk(
    doubts: Doubts,
    most: int,
    kind: Small,
    mover: Small,
    action: Small,
    trapped: Small,
    moves: Small,
    parent: Ints,
    slot: Ints,
    doubt: Counts,
    key: Ints,
) -> tuple[int, int, int]:
    """Visit every node, children in the order of the moves; write them down where there is room."""
    keeps = len(kind) > 0
    nodes, numbers, entries = 0, 0, 0
    # For each node that waits: parent, move, trapped, slot, mover, both places, both doubts.
    waiting = np.zeros((4_096, 9), np.int64)
    waiting[0] = (0, 0, 0, SAME, 1, 0, 0, 0, 0)
    depth = 1
    while depth:
        depth -= 1
        above, move, caught, held, who, one, two, first, second = waiting[depth]
        places, doubting = (one, two), (first, second)
        what, runner, left = classify(doubts, who, places, doubting)
        node, me = nodes, who - 1
        nodes += 1
        if nodes > most:
            break
        numbers += doubts.size[first] + doubts.size[second]
        count = min(doubts.max_step, doubts.length - places[me])
        if keeps:
            kind[node], mover[node], action[node], trapped[node] = what, who, move, caught
            moves[node], parent[node], slot[node] = count, above, held
            doubt[node, 0], doubt[node, 1] = first, second
            if what >= FIRST_ALONE:
                place = doubting[runner] * (doubts.length + 1) + places[runner]
                key[node] = place * MOST_LEFT + left
        if what != OPEN:
            continue
        entries += count * doubts.size[doubting[1 - me]]
        if depth + 2 * count > len(waiting):
            more = np.zeros((2 * len(waiting), 9), np.int64)
            more[:depth] = waiting[:depth]
            waiting = more
        for m in range(count - 1, -1, -1):
            to = places[me] + m + 1
            for bad in (1, 0):
                new = doubts.caught[doubting[me], to] if bad else doubts.passed[doubting[me], to]
                if new < 0:
                    continue
                list_ = (
                    doubts.caught_slot[doubting[me], to]
                    if bad
                    else doubts.passed_slot[doubting[me], to]
                )
                there = 0 if bad else to
                if me == 0:
                    waiting[depth] = (node, m, bad, list_, 2, there, two, new, second)
                else:
                    waiting[depth] = (node, m, bad, list_, 1, one, there, first, new)
                depth += 1
    return nodes, numbers, entries
