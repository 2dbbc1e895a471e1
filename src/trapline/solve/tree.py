"""A model, laid out flat: the public tree as NumPy arrays, parents before children.

The children of a node lie side by side, in the order of the actions that lead to them, so
two numbers name them all. Each node lists, for both seats, the holdings that are still
possible there (`live`), and for each of these its place in the parent's list (`slot`), so
that vectors over holdings shrink as secrets come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.solve import levels
from trapline.solve.decided import Decided
from trapline.solve.memory import Budget
from trapline.solve.model import ALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.decided import Masks
    from trapline.solve.model import Branch, Model

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

ENTRY_BYTES = 180
"""What a holding at a node costs while the arrays are made."""
LOOK_EVERY = 4_096


class Side(NamedTuple):
    """One seat's holdings along the tree, for the kernels."""

    start: Ints
    """Where a node's holdings begin; they end where the next node's begin."""
    slot: NDArray[np.int32]
    live: NDArray[np.int32]


class Nodes(NamedTuple):
    """The shape of the tree, for the kernels."""

    mover: NDArray[np.int8]
    """1 or 2; 0 at a deal and at an end."""
    first: Ints
    """A node's children are first[node] … first[node + 1] − 1."""
    action: NDArray[np.int32]
    """The index of the action that leads here."""
    actions: NDArray[np.int32]
    entry: Ints
    """Where the mover's table begins: one row for each action, one column a holding."""
    payoff: Floats
    table: NDArray[np.int32]
    """Which table multiplies the payoff, −1 for none."""


@dataclass(frozen=True)
class Tree:
    nodes: Nodes
    sides: tuple[Side, Side]
    tables: Floats
    holdings: tuple[int, int]
    chosen: bool
    entries: int
    """The size of a table with one number for each action, holding and decision."""

    @cached_property
    def depths(self) -> list[tuple[int, int]]:
        """The first and the last node of each depth."""
        return levels.depths(self.nodes)

    @cached_property
    def descents(self) -> tuple[levels.Descent, levels.Descent]:
        one, two = self.sides
        return levels.Descent(self.nodes, one, 1), levels.Descent(self.nodes, two, 2)

    @property
    def size(self) -> int:
        return len(self.nodes.mover)

    @property
    def decisions(self) -> int:
        return int(np.count_nonzero(self.nodes.mover))

    def children(self, node: int) -> range:
        return range(self.nodes.first[node], self.nodes.first[node + 1])

    def child(self, node: int, action: int, branch: int) -> int:
        """The node after an action, by the numbers of the action and of what came of it."""
        children = self.children(node)
        actions = self.nodes.action[children.start : children.stop]
        return children[int(np.searchsorted(actions, action)) + branch]

    def table(self, values: Any, node: int) -> Any:
        """The part of a table that belongs to a decision: actions × live holdings."""
        side = self.sides[self.nodes.mover[node] - 1]
        width = int(side.start[node + 1] - side.start[node])
        begin = int(self.nodes.entry[node])
        rows = int(self.nodes.actions[node])
        return values[begin : begin + rows * width].reshape(rows, width)

    def live(self, node: int, seat: int) -> NDArray[np.int32]:
        side = self.sides[seat - 1]
        return side.live[side.start[node] : side.start[node + 1]]


def build(model: Model, *, to_the_end: bool = False, until: float | None = None) -> Tree:
    """The public tree of a model; TooLarge when its arrays would not fit, or it takes too long.

    It ends where all is decided between good players; `to_the_end`, at the end of the game, as
    it must where a player's mistakes are to count.
    """
    return _Builder(model, until, to_the_end=to_the_end).build()


class _Builder:
    def __init__(self, model: Model, until: float | None, *, to_the_end: bool) -> None:
        self.model = model
        self.budget = Budget(until)
        self.states: list[Any] = []
        self.masks: list[tuple[int, int]] = []
        self.parents: list[int] = []
        self.action: list[int] = []
        self.payoff: list[float] = []
        self.table: list[int] = []
        self.decided = Decided(model, until) if model.chosen and not to_the_end else None
        self.slots: dict[tuple[int, int], NDArray[np.int32]] = {}
        self.total = 0

    def build(self) -> Tree:
        model = self.model
        everything = tuple((1 << len(held)) - 1 for held in model.holdings)
        self._add(model.root, (everything[0], everything[1]), -1, 0)
        mover, actions, first = [], [], []
        node = 0
        while node < len(self.states):
            state = self.states[node]
            first.append(len(self.states))
            choices = () if state is None else model.actions(state)
            mover.append(0 if state is None else model.mover(state))
            actions.append(len(choices))
            for index, action in enumerate(choices):
                self._branch(node, index, action)
            self.states[node] = None  # a large tree should not keep what it no longer needs
            node += 1
        first.append(len(self.states))
        return self._finish(np.array(mover, np.int8), np.array(actions, np.int32), np.array(first))

    def _branch(self, node: int, index: int, action: Any) -> None:
        one, two = self.masks[node]
        for branch in self.model.branches(self.states[node], action):
            masks = one & branch.masks[0], two & branch.masks[1]
            if masks[0] and masks[1]:
                self._add_branch(branch, masks, node, index)

    def _add_branch(self, branch: Branch, masks: Masks, parent: int, action: int) -> None:
        state, payoff = branch.state, branch.payoff
        if state is not None and self.decided is not None:
            value = self.decided.value(state, masks)
            if value is not None:
                state, payoff = None, value
        table = -1 if branch.table is None else branch.table
        self._add(state, masks, parent, action, payoff, table)

    def _add(
        self,
        state: Any,
        masks: Masks,
        parent: int,
        action: int,
        payoff: float = 0.0,
        table: int = -1,
    ) -> None:
        self.states.append(state)
        self.masks.append(masks)
        self.parents.append(parent)
        self.action.append(action)
        self.payoff.append(payoff)
        self.table.append(table)
        self.total += masks[0].bit_count() + masks[1].bit_count()
        if len(self.states) % LOOK_EVERY == 0:
            self.budget.check(
                ENTRY_BYTES * self.total, "the tree of everything both players may see"
            )

    def _finish(self, mover: Any, actions: Any, first: Any) -> Tree:
        sides = (self._side(0), self._side(1))
        widths = np.where(mover == 2, np.diff(sides[1].start), np.diff(sides[0].start))
        sizes = np.where(mover > 0, widths * actions, 0)
        entry = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        nodes = Nodes(
            mover,
            first.astype(np.int64),
            np.array(self.action, np.int32),
            actions,
            entry[:-1].copy(),
            np.array(self.payoff),
            np.array(self.table, np.int32),
        )
        held = self.model.holdings
        return Tree(
            nodes,
            sides,
            np.ascontiguousarray(self.model.tables, np.float64),
            (len(held[0]), len(held[1])),
            self.model.chosen,
            int(entry[-1]),
        )

    def _side(self, seat: int) -> Side:
        masks = [pair[seat] for pair in self.masks]
        counts = np.array([mask.bit_count() for mask in masks], np.int64)
        start = np.concatenate(([0], np.cumsum(counts)))
        live = np.concatenate([self._live(mask) for mask in masks])
        slot = np.concatenate(
            [
                self._slot(masks[max(parent, 0)], mask)
                for parent, mask in zip(self.parents, masks, strict=True)
            ]
        )
        return Side(start, slot, live)

    def _live(self, mask: int) -> NDArray[np.int32]:
        return self._slot(ALL, mask)

    def _slot(self, parent: int, mask: int) -> NDArray[np.int32]:
        """For each holding in the mask, its place in the parent's list."""
        known = self.slots.get((parent, mask))
        if known is None:
            if parent == ALL:
                known = np.array([i for i in range(mask.bit_length()) if mask >> i & 1], np.int32)
            else:
                found = np.searchsorted(self._live(parent), self._live(mask))
                known = found.astype(np.int32)
            self.slots[parent, mask] = known
        return known
