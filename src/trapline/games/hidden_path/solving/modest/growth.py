"""Trees that grow: from what was worth something in one tree to the next.

In a seat's own tree it keeps to a few secrets and few moves, and the other may do anything. What
may be worth more is told by three trees that are met along the same landings:

- by its own, as far as it was searched: what it does there;
- by the other's, in which the other keeps to little and the seat may do anything: what it does
  there;
- by a third, in which the other keeps to what it does in the seat's own tree, and the seat may do
  anything: what is best against that.

Where none of them says anything, the seat takes one way that looks good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.doubts import in_a_hurry, one_way
from trapline.games.hidden_path.solving.duel.nodes import (
    MOST_BITS,
    NO_BITS,
    NO_SOURCE,
    OPEN,
    Limits,
    Source,
    child,
)
from trapline.games.hidden_path.solving.duel.tables import normalise
from trapline.games.hidden_path.solving.duel.training import Plan, Room, best_response, reach
from trapline.games.hidden_path.solving.duel.tree import build, measure, restored
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.duel.nodes import Bits, Counts, Nodes
    from trapline.games.hidden_path.solving.duel.tree import Pair, Tree

    Floats = NDArray[np.float64]

SELDOM = (0.03, 0.1, 0.25, 0.5, 0.9)
"""What the other does as seldom is left out where a reply is looked for, the less the better."""


class Grown(NamedTuple):
    """A tree that was searched, and what both seats do in it."""

    tree: Tree
    plan: Plan
    reaches: tuple[Floats, Floats]
    """Of what each seat comes to; 0 elsewhere."""

    def does(self, seat: Seat, often: float) -> Source:
        """The moves of a seat, without those that are made no more often."""
        nodes = self.tree.nodes
        bits = np.zeros(len(nodes), np.int16)
        _made(nodes, seat, self.plan.table, self.reaches[seat - 1], often, bits)
        return Source(nodes, bits)

    def hides(self, seat: Seat, often: float) -> set[int]:
        """The same of secrets."""
        pairs = zip(self.tree.secrets(seat), self.plan.mixes[seat - 1].tolist(), strict=True)
        return {secret for secret, chance in pairs if chance > often}


def grown(tree: Tree, plan: Plan) -> Grown:
    room = Room(tree)
    one, two = (_reached(tree, seat, plan, room) for seat in (1, 2))
    return Grown(tree, plan, (one, two))


def _reached(tree: Tree, seat: int, plan: Plan, room: Room) -> Floats:
    found = reach(tree, seat, plan, room)
    kept = np.zeros(len(found))
    _keep(tree.nodes, seat, room.nodes(seat), found, kept)
    return kept


def limits_of(seat: Seat, pair: Pair, sources: tuple[Source, Source, Source]) -> Limits:
    """For a seat that keeps to what the sources tell, and else to one way."""
    return Limits(seat, NO_BITS, one_way(pair[seat - 1].doubts), sources)


def given(tree: Tree, seat: Seat) -> Bits:
    """The moves of a seat that the tree knows, as `Limits` take them up again."""
    nodes = tree.nodes
    found: Bits = nodes["bits"][(nodes["kind"] == OPEN) & (nodes["mover"] == seat)]
    return found


def again(pair: Pair, seat: Seat, moves: Bits, most: int) -> Tree | None:
    """The tree of a seat that keeps to these moves; None where it is too large. ValueError where
    they are those of another tree."""
    limits = limits_of(seat, pair, (NO_SOURCE,) * 3)._replace(given=moves)
    tree = restored(pair, most, limits)
    if tree is not None and not np.array_equal(given(tree, seat), moves):
        raise ValueError("the plan of another game")
    return tree


def reply(of: Grown, pair: Pair, seat: Seat, most: int) -> Source:
    """What is best for a seat, with each secret of the pair, against what the other does in a tree.

    Where the other does not come in that tree, it hurries.
    """
    rival: Seat = 2 if seat == 1 else 1
    for seldom in SELDOM:
        sources = (of.does(rival, seldom), NO_SOURCE, NO_SOURCE)
        limits = Limits(rival, NO_BITS, in_a_hurry(pair[rival - 1].doubts), sources)
        size = measure(pair, most, limits)
        if size is not None:
            return _reply(of, build(pair, size, limits), seat)
    return NO_SOURCE


def _reply(of: Grown, tree: Tree, seat: Seat) -> Source:
    table, lone = np.zeros(tree.entries), np.zeros(tree.lone_entries)
    where = np.full(len(tree.nodes), -1, np.int32)
    where[0] = 0
    _meet(tree.nodes, of.tree.nodes, where)
    _take_up(tree.nodes, 3 - seat, where, of.tree.nodes, of.plan.table, table)
    normalise(tree.nodes, tree.runs, table, lone)
    count = len(tree.secrets(seat))
    mixes = [np.full(count, 1 / count), np.full(count, 1 / count)]
    mixes[2 - seat] = of.plan.mixes[2 - seat]
    plan, room = Plan((mixes[0], mixes[1]), table, lone), Room(tree)
    best_response(tree, seat, plan, room)
    _best(tree.nodes, seat, room.worth, table)
    bits = np.zeros(len(tree.nodes), np.int16)
    _made(tree.nodes, seat, table, _reached(tree, seat, plan, room), 0.0, bits)
    return Source(tree.nodes, bits)


@Loop
def _keep(nodes: Nodes, seat: int, visited: Counts, reach: Floats, kept: Floats) -> None:
    for at in visited:
        begin = nodes[at].start[seat - 1]
        for k in range(begin, begin + nodes[at].width[seat - 1]):
            kept[k] = reach[k]


@Loop
def _made(nodes: Nodes, seat: int, table: Floats, reach: Floats, often: float, bits: Bits) -> None:
    """Of each decision of a seat to which it comes: the moves that it makes more often."""
    for at in range(len(nodes)):
        node = nodes[at]
        if node.kind != OPEN or node.mover != seat:
            continue
        begin, width, action = node.start[seat - 1], node.width[seat - 1], 0
        total = 0.0
        for k in range(begin, begin + width):
            total += reach[k]
        for m in range(MOST_BITS):
            if not node.bits >> m & 1:
                continue
            made, row = 0.0, node.entry + action * width
            for k in range(width):
                made += reach[begin + k] * table[row + k]
            if made > often * total:
                bits[at] |= 1 << m
            action += 1


@Loop
def _meet(nodes: Nodes, others: Nodes, where: Counts) -> None:
    """For each node, where it is in another tree, or −1; the first ones are the same."""
    for at in range(1, len(nodes)):
        node = nodes[at]
        if where[node.parent] < 0:
            continue
        action, bits, move = node.action, nodes[node.parent].bits, 0
        while not bits >> move & 1 or action:
            action -= bits >> move & 1
            move += 1
        where[at] = child(others, where[node.parent], move, node.trapped)


@Loop
def _take_up(
    nodes: Nodes, seat: int, where: Counts, others: Nodes, theirs: Floats, table: Floats
) -> None:
    """Copy what a seat does in another tree, in which it has the same secrets."""
    for at in range(len(nodes)):
        node = nodes[at]
        if node.kind != OPEN or node.mover != seat or where[at] < 0:
            continue
        other, width = others[where[at]], node.width[seat - 1]
        if other.kind != OPEN:
            continue
        action, their_action = 0, 0
        for m in range(MOST_BITS):
            if node.bits >> m & 1 and other.bits >> m & 1:
                to, of = node.entry + action * width, other.entry + their_action * width
                for k in range(width):
                    table[to + k] = theirs[of + k]
            action += node.bits >> m & 1
            their_action += other.bits >> m & 1


@Loop
def _best(nodes: Nodes, seat: int, worth: Floats, table: Floats) -> None:
    """Make only the best move, with every secret."""
    for at in range(len(nodes)):
        node = nodes[at]
        if node.kind != OPEN or node.mover != seat:
            continue
        width = node.width[seat - 1]
        for k in range(node.entry, node.entry + width):
            best = 0
            for m in range(node.moves):
                table[k + m * width] = 0.0
                if worth[k + m * width] > worth[k + best * width]:
                    best = m
            table[k + best * width] = 1.0
