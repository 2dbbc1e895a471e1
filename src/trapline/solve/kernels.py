"""The inner loops of training: reach runs down the tree, values come back up.

All vectors are over holdings. `reach` of a seat at a node is the chance that this seat's own
choices lead there, for each of its live holdings. A seat's value at a node is
counterfactual: weighted with the other seat's reach, as if it came here on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.loops import Loop
from trapline.solve.regret import choose_anew

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from trapline.solve.tree import Nodes, Side

    Floats = NDArray[np.float64]


@Loop
def run_down(nodes: Nodes, side: Side, seat: int, strategy: Floats, reach: Floats) -> None:
    """Fill in one seat's reach everywhere below the root, whose own part of `reach` is given."""
    start, slot = side.start, side.slot
    for node in range(len(nodes.mover)):
        begin = start[node]
        width = start[node + 1] - begin
        own = nodes.mover[node] == seat
        for child in range(nodes.first[node], nodes.first[node + 1]):
            row = nodes.entry[node] + nodes.action[child] * width
            for k in range(start[child], start[child + 1]):
                chance = reach[begin + slot[k]]
                reach[k] = chance * strategy[row + slot[k]] if own else chance


@Loop
def end_values(
    nodes: Nodes, mine: Side, other: Side, seat: int, tables: Floats, reach: Floats, values: Floats
) -> None:
    """What the ends of the game are worth to a seat, given the other's reach."""
    for node in range(len(nodes.mover)):
        if nodes.first[node] != nodes.first[node + 1]:
            continue
        worth = nodes.payoff[node] if seat == 1 else -nodes.payoff[node]
        table = nodes.table[node]
        begin, end = other.start[node], other.start[node + 1]
        if table < 0:
            total = 0.0
            for k in range(begin, end):
                total += reach[k]
            values[mine.start[node] : mine.start[node + 1]] = worth * total
            continue
        for k in range(mine.start[node], mine.start[node + 1]):
            total = 0.0
            for m in range(begin, end):
                if seat == 1:
                    total += reach[m] * tables[table, mine.live[k], other.live[m]]
                else:
                    total += reach[m] * tables[table, other.live[m], mine.live[k]]
            values[k] = worth * total


@Loop
def gather(nodes: Nodes, mine: Side, node: int, values: Floats, per_action: Floats) -> None:
    """The value of each action (row) with each live holding (column)."""
    rows, width = nodes.actions[node], mine.start[node + 1] - mine.start[node]
    per_action[:rows, :width] = 0.0
    for child in range(nodes.first[node], nodes.first[node + 1]):
        row = nodes.action[child]
        for k in range(mine.start[child], mine.start[child + 1]):
            per_action[row, mine.slot[k]] += values[k]


@Loop
def sum_children(nodes: Nodes, mine: Side, node: int, values: Floats) -> None:
    """The value where somebody else moves: their reach is in the values already."""
    begin = mine.start[node]
    values[begin : mine.start[node + 1]] = 0.0
    for child in range(nodes.first[node], nodes.first[node + 1]):
        for k in range(mine.start[child], mine.start[child + 1]):
            values[begin + mine.slot[k]] += values[k]


@Loop
def learn(
    nodes: Nodes,
    mine: Side,
    seat: int,
    rule: Any,
    weight: float,
    strategy: Floats,
    regret: Floats,
    total: Floats,
    reach: Floats,
    values: Floats,
    scratch: Floats,
) -> None:
    """One update of a seat: bring values up, weigh the choice into the average, choose anew."""
    for node in range(len(nodes.mover) - 1, -1, -1):
        if nodes.first[node] == nodes.first[node + 1]:
            continue
        if nodes.mover[node] != seat:
            sum_children(nodes, mine, node, values)
            continue
        gather(nodes, mine, node, values, scratch)
        begin, entry = mine.start[node], nodes.entry[node]
        width = mine.start[node + 1] - begin
        for i in range(width):
            count = nodes.actions[node]
            for a in range(count):
                at = entry + i + a * width
                total[at] += weight * reach[begin + i] * strategy[at]
            values[begin + i] = choose_anew(
                rule, strategy, regret, entry + i, width, count, scratch[:, i]
            )


@Loop
def normalise(nodes: Nodes, one: Side, two: Side, totals: Floats, table: Floats) -> None:
    """Scale every choice to a sum of one; a choice without weight becomes uniform."""
    for node in range(len(nodes.mover)):
        if nodes.mover[node] == 0:
            continue
        start = one.start if nodes.mover[node] == 1 else two.start
        width, count = start[node + 1] - start[node], nodes.actions[node]
        for at in range(nodes.entry[node], nodes.entry[node] + width):
            whole = 0.0
            for a in range(count):
                whole += totals[at + a * width]
            for a in range(count):
                table[at + a * width] = totals[at + a * width] / whole if whole > 0 else 1.0 / count
