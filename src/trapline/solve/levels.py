"""Reach down and values up, one depth of the tree after the other, in NumPy alone.

The same as the inner loops of training (`kernels`), for whoever asks a few times and should not
wait for a compiler: proving a kept solution again, and looking decisions up in it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.tree import Nodes, Side, Tree

    Floats = NDArray[np.float64]


class Descent:
    """One seat's holdings along the tree: where each comes from, and by which of its choices."""

    def __init__(self, nodes: Nodes, side: Side, seat: int) -> None:
        count = len(nodes.mover)
        parent = np.concatenate(([0], np.repeat(np.arange(count), np.diff(nodes.first))))
        width = np.diff(side.start)
        node = np.repeat(np.arange(count), width)
        above = parent[node]
        self.above = side.start[above] + side.slot
        """For each holding at a node, its place at the node above."""
        self.own = nodes.mover[above] == seat
        self.own[: width[0]] = False
        self.entry = nodes.entry[above] + nodes.action[node] * width[above] + side.slot
        """For each holding at a node that an own choice has led to, its place in the table."""
        mine = np.flatnonzero(nodes.mover == seat)
        sizes = nodes.actions[mine] * width[mine]
        which = np.repeat(mine, sizes)
        within = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        self.entries = nodes.entry[which] + within
        """The places in the table that are this seat's, in the order of the nodes."""
        self.held = side.start[which] + within % width[which]
        """For each of these, the place of its holding at its node."""
        counts = np.zeros(count, np.int64)
        counts[mine] = sizes
        self.first = np.concatenate(([0], np.cumsum(counts)))
        """Where a node's part of these begins."""


def depths(nodes: Nodes) -> list[tuple[int, int]]:
    """The first and the last node of each depth: children lie in the order of their parents."""
    found = []
    begin, end = 0, 1
    while begin < end:
        found.append((begin, end))
        begin, end = int(nodes.first[begin]), int(nodes.first[end])
    return found


def run_down(tree: Tree, seat: int, table: Floats, reach: Floats, root: int = 0) -> None:
    """Fill in one seat's reach everywhere below a node, whose own part of `reach` is given."""
    side, descent = tree.sides[seat - 1], tree.descents[seat - 1]
    for begin, end in tree.depths:
        if begin <= root:
            continue
        here = slice(int(side.start[begin]), int(side.start[end]))
        own = descent.own[here]
        chances = np.where(own, table[np.where(own, descent.entry[here], 0)], 1.0)
        reach[here] = reach[descent.above[here]] * chances


def end_values(tree: Tree, seat: int, reach: Floats) -> Floats:
    """What the ends of the game are worth to a seat, given the other's reach; 0 elsewhere."""
    nodes, mine, other = tree.nodes, tree.sides[seat - 1], tree.sides[2 - seat]
    ends = np.diff(nodes.first) == 0
    worth = np.where(ends & (nodes.table < 0), nodes.payoff if seat == 1 else -nodes.payoff, 0.0)
    totals = np.add.reduceat(reach, other.start[:-1])
    values = np.repeat(worth * totals, np.diff(mine.start))
    for node in np.flatnonzero(ends & (nodes.table >= 0)).tolist():
        weights = tree.tables[nodes.table[node]]
        weights = weights if seat == 1 else -weights.T
        ours, theirs = tree.live(node, seat), tree.live(node, 3 - seat)
        part = reach[other.start[node] : other.start[node + 1]]
        found = weights[np.ix_(ours, theirs)] @ part * nodes.payoff[node]
        values[mine.start[node] : mine.start[node + 1]] = found
    return values


def best_values(tree: Tree, seat: int, values: Floats) -> None:
    """Bring the values of the ends up, the seat choosing its best action with every holding."""
    side, descent = tree.sides[seat - 1], tree.descents[seat - 1]
    worth = np.zeros(tree.entries)
    values[descent.held] = -np.inf
    for (above, below), (begin, end) in reversed(list(pairwise(tree.depths))):
        here = slice(int(side.start[begin]), int(side.start[end]))
        own = descent.own[here]
        np.add.at(values, descent.above[here][~own], values[here][~own])
        np.add.at(worth, descent.entry[here][own], values[here][own])
        chosen = slice(int(descent.first[above]), int(descent.first[below]))
        np.maximum.at(values, descent.held[chosen], worth[descent.entries[chosen]])


def mean_values(tree: Tree, seat: int, table: Floats, values: Floats) -> None:
    """Bring the values of the ends up, the seat choosing as a table says."""
    side, descent = tree.sides[seat - 1], tree.descents[seat - 1]
    values[descent.held] = 0.0
    for begin, end in reversed(tree.depths[1:]):
        here = slice(int(side.start[begin]), int(side.start[end]))
        own = descent.own[here]
        chances = np.where(own, table[np.where(own, descent.entry[here], 0)], 1.0)
        np.add.at(values, descent.above[here], chances * values[here])


def action_values(tree: Tree, seat: int, node: int, values: Floats) -> Floats:
    """The value of each action (row) with each live holding (column) at a node of the seat's."""
    side, nodes = tree.sides[seat - 1], tree.nodes
    width = int(side.start[node + 1] - side.start[node])
    found = np.zeros((int(nodes.actions[node]), width))
    for child in tree.children(node):
        here = slice(int(side.start[child]), int(side.start[child + 1]))
        found[nodes.action[child], side.slot[here]] += values[here]
    return found


def is_table(tree: Tree, table: Floats) -> bool:
    """Whether chances are chances: nothing below zero, and a sum of one for every choice."""
    for descent in tree.descents:
        sums = np.bincount(descent.held, table[descent.entries])
        if not np.allclose(sums[descent.held], 1.0, rtol=0.0, atol=1e-9):
            return False
    return bool(np.all(table >= 0))
