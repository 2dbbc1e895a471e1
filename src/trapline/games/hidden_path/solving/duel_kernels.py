"""The inner loops of a duel: reach runs down the tree, values come back up.

Vectors are over a seat's own secrets that are still possible at a node. A seat's value at a node
is counterfactual: weighted with the other seat's reach, as if it came here on purpose. A move
parts the other's secrets and leaves the own ones as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

from trapline.games.hidden_path.solving.duel import (
    FIRST_ALONE,
    FIRST_WINS,
    OPEN,
    SECOND_ALONE,
    SECOND_WINS,
)

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts
    from trapline.games.hidden_path.solving.duel import Duel
    from trapline.games.hidden_path.solving.lone import Runs

    Floats = NDArray[np.float64]


@numba.njit(cache=True)
def reach_down(
    duel: Duel,
    doubts: Doubts,
    seat: int,
    table: Floats,
    reach: Floats,
    nodes: Any,
    first: int,
    last: int,
) -> int:
    """Fill in a seat's reach of what follows `first`, whose own reach is given.

    Where the seat never comes is left out, with all that follows. The nodes to which it comes are
    listed; returns how many there are.
    """
    nodes[0] = first
    count, node = 1, first + 1
    while node < last:
        above = duel.parent[node]
        begin, up = duel.start[node, seat - 1], duel.start[above, seat - 1]
        width = doubts.size[duel.doubt[node, 2 - seat]]
        total = 0.0
        if duel.mover[above] == seat:
            row = duel.entry[above] + duel.action[node] * width
            for k in range(width):
                reach[begin + k] = reach[up + k] * table[row + k]
                total += reach[begin + k]
        else:
            slot = duel.slot[node]
            for k in range(width):
                reach[begin + k] = reach[up + (k if slot < 0 else doubts.slots[slot + k])]
                total += reach[begin + k]
        if total == 0.0:
            node = duel.end[node]
            continue
        nodes[count] = node
        count += 1
        node += 1
    return count


@numba.njit(cache=True)
def add_to_average(
    duel: Duel,
    runs: Runs,
    doubts: Doubts,
    seat: int,
    weight: float,
    reach: Floats,
    nodes: Any,
    tables: Any,
    lones: Any,
    points: Floats,
) -> None:
    """Weigh what a seat plays into its average, wherever it comes."""
    strategy, _, total = tables
    lone, _, lone_total = lones
    for node in nodes:
        begin, width = duel.start[node, seat - 1], doubts.size[duel.doubt[node, 2 - seat]]
        entry = duel.entry[node]
        if duel.kind[node] == OPEN:
            if duel.mover[node] == seat:
                for m in range(duel.moves[node]):
                    for k in range(width):
                        at = entry + m * width + k
                        total[at] += weight * reach[begin + k] * strategy[at]
        elif duel.kind[node] == (FIRST_ALONE if seat == 1 else SECOND_ALONE):
            own = weight * reach[begin : begin + width].sum()
            run, moves = duel.run[node], runs.passed.shape[1]
            lone_reach(runs, run, entry, lone, points)
            for j in range(runs.begin[run + 1] - runs.begin[run]):
                if runs.open[runs.begin[run] + j] and points[j] > 0.0:
                    row = entry + runs.row[runs.begin[run] + j] * moves
                    for m in range(moves):
                        lone_total[row + m] += own * points[j] * lone[row + m]


@numba.njit(cache=True)
def lone_reach(runs: Runs, run: int, entry: int, table: Floats, points: Floats) -> None:
    """How likely the runner comes to each point of a run, if the secrets lead there."""
    begin, count = runs.begin[run], runs.begin[run + 1] - runs.begin[run]
    width = runs.passed.shape[1]
    points[:count] = 0.0
    points[0] = 1.0
    for j in range(count):
        at = begin + j
        if not runs.open[at] or points[j] == 0.0:
            continue
        row = entry + runs.row[at] * width
        for m in range(runs.moves[at]):
            part = points[j] * table[row + m]
            if runs.passed[at, m] >= 0:
                points[runs.passed[at, m]] += part
            if runs.caught[at, m] >= 0:
                points[runs.caught[at, m]] += part


@numba.njit(cache=True)
def lone_wins(runs: Runs, run: int, points: Floats, wins: Floats, width: int) -> None:
    """For each secret, how likely the runner is there in time."""
    wins[:width] = 0.0
    for j in range(runs.begin[run + 1] - runs.begin[run]):
        at = runs.begin[run] + j
        if not runs.open[at] and points[j] > 0.0:
            for k in range(runs.span[at], runs.span[at + 1]):
                wins[runs.secrets[k]] += points[j]


@numba.njit(cache=True)
def lone_values(runs: Runs, run: int, weights: Floats, points: Floats) -> None:
    """At points that are not open: the weight of the secrets with which they are reached."""
    for j in range(runs.begin[run + 1] - runs.begin[run]):
        at = runs.begin[run] + j
        points[j] = 0.0
        if not runs.open[at]:
            for k in range(runs.span[at], runs.span[at + 1]):
                points[j] += weights[runs.secrets[k]]


@numba.njit(cache=True)
def lone_worth(runs: Runs, at: int, m: int, points: Floats) -> float:
    worth = 0.0
    if runs.passed[at, m] >= 0:
        worth += points[runs.passed[at, m]]
    if runs.caught[at, m] >= 0:
        worth += points[runs.caught[at, m]]
    return worth


@numba.njit(cache=True)
def lone_best(runs: Runs, run: int, weights: Floats, points: Floats) -> float:
    """The most of the weight with which the runner can be there in time."""
    lone_values(runs, run, weights, points)
    begin = runs.begin[run]
    for j in range(runs.begin[run + 1] - begin - 1, -1, -1):
        if runs.open[begin + j]:
            for m in range(runs.moves[begin + j]):
                points[j] = max(points[j], lone_worth(runs, begin + j, m, points))
    return float(points[0])


@numba.njit(cache=True)
def end_value(duel: Duel, node: int, seat: int, others: Floats) -> float:
    """What an end is worth to a seat, weighted with the other's reach there."""
    total = 0.0
    for k in range(len(others)):
        total += others[k]
    won = duel.kind[node] == (FIRST_WINS if seat == 1 else SECOND_WINS)
    return total if won else -total


@numba.njit(cache=True)
def others_at(duel: Duel, doubts: Doubts, node: int, seat: int, reach: Floats) -> Floats:
    """The other seat's reach of a node."""
    begin = duel.start[node, 2 - seat]
    return reach[begin : begin + doubts.size[duel.doubt[node, seat - 1]]]


@numba.njit(cache=True)
def hand_up(
    duel: Duel, doubts: Doubts, node: int, seat: int, values: Floats, worth: Floats
) -> None:
    """Add a node's value to that of the move, or of the node, that led to it."""
    above = duel.parent[node]
    begin, width = duel.start[node, seat - 1], doubts.size[duel.doubt[node, 2 - seat]]
    if duel.mover[above] == seat:
        row = duel.entry[above] + duel.action[node] * width
        for k in range(width):
            worth[row + k] += values[begin + k]
        return
    up, slot = duel.start[above, seat - 1], duel.slot[node]
    for k in range(width):
        values[up + (k if slot < 0 else doubts.slots[slot + k])] += values[begin + k]


@numba.njit(cache=True)
def number_value(
    duel: Duel,
    runs: Runs,
    node: int,
    others: Floats,
    lone: Floats,
    out: Floats,
    points: Floats,
) -> None:
    """What a lone run is worth to the seat that is only a number, with each of its secrets."""
    total = 0.0
    for k in range(len(others)):
        total += others[k]
    lone_reach(runs, duel.run[node], duel.entry[node], lone, points)
    lone_wins(runs, duel.run[node], points, out, len(out))
    for k in range(len(out)):
        out[k] = total * (1.0 - 2.0 * out[k])


@numba.njit(cache=True)
def best_values(
    duel: Duel,
    runs: Runs,
    doubts: Doubts,
    seat: int,
    reach: Floats,
    nodes: Any,
    lone: Floats,
    values: Floats,
    worth: Floats,
    points: Floats,
) -> None:
    """Bring values up to the first of the nodes, the seat choosing its best with every secret.

    The nodes are those to which the other comes: elsewhere nothing is worth anything. `worth`
    keeps what each of the seat's moves is worth.
    """
    clear(duel, doubts, seat, values, worth, nodes)
    for node in nodes[::-1]:
        begin, width = duel.start[node, seat - 1], doubts.size[duel.doubt[node, 2 - seat]]
        others = others_at(duel, doubts, node, seat, reach)
        kind = duel.kind[node]
        if kind == OPEN:
            if duel.mover[node] == seat:
                for k in range(width):
                    best = worth[duel.entry[node] + k]
                    for m in range(1, duel.moves[node]):
                        best = max(best, worth[duel.entry[node] + m * width + k])
                    values[begin + k] = best
        elif kind < FIRST_ALONE:
            values[begin : begin + width] = end_value(duel, node, seat, others)
        elif kind == (FIRST_ALONE if seat == 1 else SECOND_ALONE):
            won = lone_best(runs, duel.run[node], others, points)
            values[begin : begin + width] = 2.0 * won - others.sum()
        else:
            out = values[begin : begin + width]
            number_value(duel, runs, node, others, lone, out, points)
        if node > nodes[0]:
            hand_up(duel, doubts, node, seat, values, worth)


@numba.njit(cache=True)
def clear(duel: Duel, doubts: Doubts, seat: int, values: Floats, worth: Floats, nodes: Any) -> None:
    """Nothing is known yet of the values and the seat's moves at these nodes."""
    for node in nodes:
        begin, width = duel.start[node, seat - 1], doubts.size[duel.doubt[node, 2 - seat]]
        values[begin : begin + width] = 0.0
        if duel.kind[node] == OPEN and duel.mover[node] == seat:
            worth[duel.entry[node] : duel.entry[node] + duel.moves[node] * width] = 0.0


@numba.njit(cache=True)
def learn(
    duel: Duel,
    runs: Runs,
    doubts: Doubts,
    seat: int,
    others_reach: Floats,
    nodes: Any,
    tables: Any,
    lones: Any,
    values: Floats,
    worth: Floats,
    points: Floats,
) -> None:
    """One update of a seat: bring values up, add regrets, and choose anew.

    The nodes are those to which the other comes. `tables` and `lones` hold the strategy, the
    regrets and the weighted sum of strategies, of decisions and of lone runs.
    """
    clear(duel, doubts, seat, values, worth, nodes)
    strategy, regret, _ = tables
    for node in nodes[::-1]:
        begin, width = duel.start[node, seat - 1], doubts.size[duel.doubt[node, 2 - seat]]
        others = others_at(duel, doubts, node, seat, others_reach)
        kind = duel.kind[node]
        if kind == OPEN:
            if duel.mover[node] == seat:
                entry, count = duel.entry[node], duel.moves[node]
                for k in range(width):
                    at = entry + k
                    values[begin + k] = choose(strategy, regret, at, width, count, worth, at)
        elif kind < FIRST_ALONE:
            values[begin : begin + width] = end_value(duel, node, seat, others)
        elif kind == (FIRST_ALONE if seat == 1 else SECOND_ALONE):
            won = learn_alone(runs, duel.run[node], duel.entry[node], others, lones, points)
            values[begin : begin + width] = 2.0 * won - others.sum()
        else:
            out = values[begin : begin + width]
            number_value(duel, runs, node, others, lones[0], out, points)
        if node:
            hand_up(duel, doubts, node, seat, values, worth)


@numba.njit(cache=True)
def learn_alone(
    runs: Runs, run: int, entry: int, others: Floats, lones: Any, points: Floats
) -> float:
    """The same in a lone run; returns the weight with which the runner was there in time."""
    strategy, regret, _ = lones
    begin, width = runs.begin[run], runs.passed.shape[1]
    lone_values(runs, run, others, points)
    worth = np.zeros(width)
    for j in range(runs.begin[run + 1] - begin - 1, -1, -1):
        at = begin + j
        if runs.open[at]:
            for m in range(runs.moves[at]):
                worth[m] = lone_worth(runs, at, m, points)
            row = entry + runs.row[at] * width
            points[j] = choose(strategy, regret, row, 1, runs.moves[at], worth, 0)
    return float(points[0])


@numba.njit(cache=True)
def choose(
    strategy: Floats,
    regret: Floats,
    begin: int,
    step: int,
    count: int,
    worth: Floats,
    first: int,
) -> float:
    """PCFR+ for one choice of `count` moves; returns what the old choice got.

    Regrets never fall below zero, and the last one is expected to come again.
    """
    mean = 0.0
    for a in range(count):
        mean += strategy[begin + a * step] * worth[first + a * step]
    positive = 0.0
    for a in range(count):
        at = begin + a * step
        gain = worth[first + a * step] - mean
        regret[at] = max(regret[at] + gain, 0.0)
        strategy[at] = max(regret[at] + gain, 0.0)
        positive += strategy[at]
    for a in range(count):
        at = begin + a * step
        strategy[at] = strategy[at] / positive if positive > 0.0 else 1.0 / count
    return mean


@numba.njit(cache=True)
def take_over(
    duel: Duel, runs: Runs, doubts: Doubts, seat: int, table: Floats, lone: Floats, best: Any
) -> None:
    """Copy a seat's choices into `best`, a table of decisions and one of lone runs."""
    into, lone_into = best
    for node in range(len(duel.kind)):
        entry = duel.entry[node]
        if duel.kind[node] == OPEN:
            if duel.mover[node] == seat:
                size = doubts.size[duel.doubt[node, 2 - seat]] * duel.moves[node]
                into[entry : entry + size] = table[entry : entry + size]
        elif duel.kind[node] == (FIRST_ALONE if seat == 1 else SECOND_ALONE):
            size = runs.rows[duel.run[node]] * runs.passed.shape[1]
            lone_into[entry : entry + size] = lone[entry : entry + size]


@numba.njit(cache=True)
def normalise(duel: Duel, runs: Runs, doubts: Doubts, totals: Floats, lone_totals: Floats) -> None:
    """Scale every choice to a sum of one; a choice without weight becomes uniform."""
    width = runs.passed.shape[1]
    for node in range(len(duel.kind)):
        entry = duel.entry[node]
        if duel.kind[node] == OPEN:
            own = doubts.size[duel.doubt[node, 2 - duel.mover[node]]]
            for k in range(own):
                _scale(totals, entry + k, own, duel.moves[node])
        elif duel.kind[node] >= FIRST_ALONE:
            run = duel.run[node]
            for at in range(runs.begin[run], runs.begin[run + 1]):
                if runs.open[at]:
                    _scale(lone_totals, entry + runs.row[at] * width, 1, runs.moves[at])


@numba.njit(cache=True)
def _scale(numbers: Floats, begin: int, step: int, count: int) -> None:
    whole = 0.0
    for a in range(count):
        whole += numbers[begin + a * step]
    for a in range(count):
        at = begin + a * step
        numbers[at] = numbers[at] / whole if whole > 0.0 else 1.0 / count
