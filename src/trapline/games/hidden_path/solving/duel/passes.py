"""The inner loops of a duel: reach runs down the tree, values come back up.

Vectors are over a seat's own secrets that are still possible at a node. A seat's value at a node
is counterfactual: weighted with the other seat's reach, as if it came here on purpose. A move
parts the other's secrets and leaves the own ones as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.duel.lone_kernels import (
    learn_alone,
    lone_best,
    lone_reach,
)
from trapline.games.hidden_path.solving.duel.nodes import (
    FIRST_ALONE,
    FIRST_WINS,
    OPEN,
    SECOND_ALONE,
    SECOND_WINS,
)
from trapline.solve.loops import Loop
from trapline.solve.regret import choose_anew

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel.lone import Runs
    from trapline.games.hidden_path.solving.duel.nodes import Counts, Nodes

    Floats = NDArray[np.float64]


@Loop
def reach_down(
    nodes: Nodes,
    slots: Counts,
    seat: int,
    table: Floats,
    reach: Floats,
    visited: Counts,
    first: int,
) -> int:
    """Fill in a seat's reach of what follows `first`, whose own reach is given.

    Where the seat never comes is left out, with all that follows. The nodes to which it comes are
    listed; returns how many there are.
    """
    me = seat - 1
    visited[0] = first
    count, at, last = 1, first + 1, nodes[first].end
    while at < last:
        node = nodes[at]
        above = nodes[node.parent]
        begin, up, width = node.start[me], above.start[me], node.width[me]
        total = 0.0
        if above.mover == seat:
            row = above.entry + node.action * width
            for k in range(width):
                reach[begin + k] = reach[up + k] * table[row + k]
                total += reach[begin + k]
        else:
            slot = node.slot
            for k in range(width):
                reach[begin + k] = reach[up + (k if slot < 0 else slots[slot + k])]
                total += reach[begin + k]
        if total == 0.0:
            at = node.end
            continue
        visited[count] = at
        count += 1
        at += 1
    return count


@Loop
def add_to_average(
    nodes: Nodes,
    runs: Runs,
    seat: int,
    weight: float,
    reach: Floats,
    visited: Counts,
    tables: Any,
    lones: Any,
    spare: Floats,
) -> None:
    """Weigh what a seat plays into its average, wherever it comes."""
    strategy, _, total = tables
    lone, _, lone_total = lones
    each, points, passed, caught, _ = runs
    alone = FIRST_ALONE if seat == 1 else SECOND_ALONE
    for at in visited:
        node = nodes[at]
        begin, width, entry = node.start[seat - 1], node.width[seat - 1], node.entry
        if node.kind == OPEN:
            if node.mover == seat:
                for m in range(node.moves):
                    for k in range(width):
                        to = entry + m * width + k
                        total[to] += weight * reach[begin + k] * strategy[to]
        elif node.kind == alone:
            own = weight * weight_of(node, seat, reach)
            run = each[node.run]
            lone_reach(run, points, passed, caught, entry, lone, spare)
            for j in range(run.end - run.begin):
                if points[run.begin + j].open and spare[j] > 0.0:
                    row = entry + points[run.begin + j].row * passed.shape[1]
                    for m in range(passed.shape[1]):
                        lone_total[row + m] += own * spare[j] * lone[row + m]


@Loop
def weight_of(node: Any, seat: int, reach: Floats) -> float:
    """How likely a seat comes to a node, all its secrets together."""
    begin, total = node.start[seat - 1], 0.0
    for k in range(begin, begin + node.width[seat - 1]):
        total += reach[k]
    return total


@Loop
def decided_values(node: Any, seat: int, reach: Floats, out: Floats) -> None:
    """What a decided race is worth, with each secret."""
    won = node.kind == (FIRST_WINS if seat == 1 else SECOND_WINS)
    got = weight_of(node, 3 - seat, reach)
    fill(node, seat, got if won else -got, out)


@Loop
def fill(node: Any, seat: int, value: float, out: Floats) -> None:
    """The same value with all of a seat's secrets."""
    begin = node.start[seat - 1]
    for k in range(begin, begin + node.width[seat - 1]):
        out[k] = value


@Loop
def number_values(
    node: Any,
    run: Any,
    points: Any,
    secrets: Counts,
    seat: int,
    reach: Floats,
    chances: Floats,
    out: Floats,
) -> None:
    """What a lone run is worth to the seat that is only a number, with each of its secrets."""
    begin, total = node.start[seat - 1], weight_of(node, 3 - seat, reach)
    fill(node, seat, total, out)
    for j in range(run.end - run.begin):
        point = points[run.begin + j]
        if not point.open and chances[j] > 0.0:
            for k in range(point.first, point.last):
                out[begin + secrets[k]] -= 2.0 * total * chances[j]


@Loop
def hand_up(nodes: Nodes, slots: Counts, at: int, seat: int, values: Floats, worth: Floats) -> None:
    """Add a node's value to that of the move, or of the node, that led to it."""
    node = nodes[at]
    above = nodes[node.parent]
    begin, width = node.start[seat - 1], node.width[seat - 1]
    if above.mover == seat:
        row = above.entry + node.action * width
        for k in range(width):
            worth[row + k] += values[begin + k]
    else:
        up, slot = above.start[seat - 1], node.slot
        for k in range(width):
            values[up + (k if slot < 0 else slots[slot + k])] += values[begin + k]


@Loop
def clear(nodes: Nodes, seat: int, values: Floats, worth: Floats, visited: Counts) -> None:
    """Nothing is known yet of the values and the seat's moves at these nodes."""
    for at in visited:
        node = nodes[at]
        if node.kind == OPEN:
            begin, width = node.start[seat - 1], node.width[seat - 1]
            for k in range(begin, begin + width):
                values[k] = 0.0
            if node.mover == seat:
                for k in range(node.entry, node.entry + node.moves * width):
                    worth[k] = 0.0


@Loop
def best_values(
    nodes: Nodes,
    slots: Counts,
    runs: Runs,
    seat: int,
    reach: Floats,
    visited: Counts,
    lone: Floats,
    values: Floats,
    worth: Floats,
    spare: Floats,
) -> None:
    """Bring values up to the first of the nodes, the seat choosing its best with every secret.

    Visited are those to which the other comes: elsewhere nothing is worth anything. `worth` keeps
    what each of the seat's moves is worth.
    """
    alone = FIRST_ALONE if seat == 1 else SECOND_ALONE
    clear(nodes, seat, values, worth, visited)
    each, points, passed, caught, secrets = runs
    for at in visited[::-1]:
        node = nodes[at]
        begin, width = node.start[seat - 1], node.width[seat - 1]
        if node.kind == alone:
            first = node.start[2 - seat]
            won = lone_best(each[node.run], points, passed, caught, secrets, reach, first, spare)
            fill(node, seat, 2.0 * won - weight_of(node, 3 - seat, reach), values)
        elif node.kind >= FIRST_ALONE:
            run = each[node.run]
            lone_reach(run, points, passed, caught, node.entry, lone, spare)
            number_values(node, run, points, secrets, seat, reach, spare, values)
        elif node.kind != OPEN:
            decided_values(node, seat, reach, values)
        elif node.mover == seat:
            for k in range(width):
                best = worth[node.entry + k]
                for m in range(1, node.moves):
                    best = max(best, worth[node.entry + m * width + k])
                values[begin + k] = best
        if at > visited[0]:
            hand_up(nodes, slots, at, seat, values, worth)


@Loop
def learn(
    rule: Any,
    nodes: Nodes,
    slots: Counts,
    runs: Runs,
    seat: int,
    others: Floats,
    visited: Counts,
    tables: Any,
    lones: Any,
    values: Floats,
    worth: Floats,
    spare: Floats,
) -> None:
    """One update of a seat: bring values up, add regrets, and choose anew.

    Visited are the nodes to which the other comes. `tables` and `lones` hold the strategy, the
    regrets and the weighted sum of strategies, of decisions and of lone runs.
    """
    alone = FIRST_ALONE if seat == 1 else SECOND_ALONE
    clear(nodes, seat, values, worth, visited)
    each, points, passed, caught, secrets = runs
    strategy, regret, _ = tables
    lone, lone_regret, _ = lones
    offered = np.zeros(passed.shape[1])
    for at in visited[::-1]:
        node = nodes[at]
        begin, width = node.start[seat - 1], node.width[seat - 1]
        if node.kind == alone:
            first = node.start[2 - seat]
            won = learn_alone(
                rule, each[node.run], points, passed, caught, secrets, others, first, node.entry,
                lone, lone_regret, spare, offered,
            )  # fmt: skip
            fill(node, seat, 2.0 * won - weight_of(node, 3 - seat, others), values)
        elif node.kind >= FIRST_ALONE:
            run = each[node.run]
            lone_reach(run, points, passed, caught, node.entry, lone, spare)
            number_values(node, run, points, secrets, seat, others, spare, values)
        elif node.kind != OPEN:
            decided_values(node, seat, others, values)
        elif node.mover == seat:
            for k in range(width):
                for m in range(node.moves):
                    offered[m] = worth[node.entry + m * width + k]
                values[begin + k] = choose_anew(
                    rule, strategy, regret, node.entry + k, width, node.moves, offered
                )
        if at:
            hand_up(nodes, slots, at, seat, values, worth)
