"""The inner loops over the states of a graph: reach goes from the first one down, values come up.

Values are what a state is worth to the seat. They are vectors over the rival's secrets, since the
rival knows its own and may choose by it; where the rival runs alone, that does not matter any more,
and there is one number. `weights` are how likely the seat's secrets are that are left in each of
the rival's doubts, all together. A strategy of the seat is a chance for each edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.apart.keys import (
    MINE_ALONE,
    NOTHING,
    THEIRS_ALONE,
    WON,
)
from trapline.solve.loops import Loop
from trapline.solve.regret import choose_anew

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int32]
    Marks = NDArray[np.bool_]

NEVER = 1e-100
"""What is as unlikely does not happen: products of such chances are beyond numbers."""


@Loop
def mine(state: Any) -> bool:
    """Whether the seat chooses."""
    return bool(state.kind % 2 == 0)


@Loop
def worth_of(states: Any, after: int, values: Floats) -> float:
    """What the end of a race is worth, or a state where the rival runs alone."""
    if after < 0:
        return 1.0 if after == WON else -1.0
    return float(values[states[after].begin])


@Loop
def own_reach(
    states: Any, edges: Any, weights: Floats, strategy: Floats, open_: Marks, reach: Floats
) -> None:
    """How likely the seat comes to each open state, if the rival leads there; 0 where it cannot."""
    last = len(states) - 1
    reach[:] = 0.0
    reach[last] = 1.0
    for x in range(last, -1, -1):
        if reach[x] == 0.0:
            continue
        state = states[x]
        never = reach[x] < NEVER or not open_[x]
        if never or (state.kind != MINE_ALONE and weights[state.rivals] < NEVER):
            reach[x] = 0.0
            continue
        for e in range(state.edge, state.edge + state.moves):
            part = reach[x]
            if mine(state) and not state.knows:
                part *= strategy[e]
            if part > 0.0:
                for bad in range(2):
                    after = edges[e].after[bad]
                    if after >= 0:
                        reach[after] += part


@Loop
def add_to_average(
    states: Any, weight: float, reach: Floats, strategy: Floats, total: Floats
) -> None:
    """Weigh what the seat does into its average, wherever it comes."""
    for x in range(len(states)):
        state = states[x]
        if reach[x] > 0.0 and mine(state) and not state.knows:
            for e in range(state.edge, state.edge + state.moves):
                total[e] += weight * reach[x] * strategy[e]


@Loop
def offers(states: Any, edges: Any, weights: Floats, values: Floats, x: int, worth: Floats) -> None:
    """What each move of the rival is worth to the seat, with each of the rival's secrets."""
    state = states[x]
    width = state.width
    for m in range(state.moves):
        edge, row = edges[state.edge + m], m * width
        for j in range(width):
            worth[row + j] = 0.0
        for bad in range(2):
            after = edge.after[bad]
            if after == NOTHING:
                continue
            part = weights[edge.doubt[bad]] / weights[state.rivals]
            if part <= 0.0:
                continue
            if after < 0 or states[after].kind == THEIRS_ALONE:
                whole = part * worth_of(states, after, values)
                for j in range(width):
                    worth[row + j] += whole
            else:
                begin = states[after].begin
                for j in range(width):
                    worth[row + j] += part * values[begin + j]


@Loop
def run_on(
    states: Any, edges: Any, slots: Counts, strategy: Floats, values: Floats, x: int
) -> None:
    """What the seat's own choice at a state is worth, with each of the rival's secrets."""
    state = states[x]
    begin = state.begin
    for j in range(begin, begin + state.width):
        values[j] = 0.0
    for e in range(state.edge, state.edge + state.moves):
        if strategy[e] == 0.0:
            continue
        for bad in range(2):
            after, slot = edges[e].after[bad], edges[e].slot[bad]
            if after == NOTHING:
                continue
            if after < 0 or states[after].kind == THEIRS_ALONE:
                whole = strategy[e] * worth_of(states, after, values)
                for j in range(edges[e].count[bad]):
                    values[begin + (j if slot < 0 else slots[slot + j])] += whole
            else:
                other = states[after].begin
                for j in range(edges[e].count[bad]):
                    at = begin + (j if slot < 0 else slots[slot + j])
                    values[at] += strategy[e] * values[other + j]


@Loop
def answer(
    states: Any,
    edges: Any,
    slots: Counts,
    weights: Floats,
    strategy: Floats,
    reach: Floats,
    values: Floats,
    worth: Floats,
) -> None:
    """What every state to which the seat comes is worth, against the rival's best."""
    for x in range(len(states)):
        if reach[x] == 0.0:
            continue
        state = states[x]
        if mine(state):
            run_on(states, edges, slots, strategy, values, x)
            continue
        offers(states, edges, weights, values, x, worth)
        for j in range(state.width):
            least = worth[j]
            for m in range(1, state.moves):
                least = min(least, worth[m * state.width + j])
            values[state.begin + j] = least


@Loop
def rival_learns(
    rule: Any,
    states: Any,
    edges: Any,
    slots: Counts,
    weights: Floats,
    strategy: Floats,
    reach: Floats,
    choices: Floats,
    regrets: Floats,
    values: Floats,
    worth: Floats,
) -> None:
    """One update of the rival, wherever the seat comes: bring values up, add regrets, choose
    anew."""
    offered = np.zeros(128)
    for x in range(len(states)):
        if reach[x] == 0.0:
            continue
        state = states[x]
        if mine(state):
            run_on(states, edges, slots, strategy, values, x)
            continue
        offers(states, edges, weights, values, x, worth)
        width, often = state.width, reach[x] * weights[state.rivals]
        for j in range(width):
            for m in range(state.moves):
                offered[m] = -often * worth[m * width + j]
            got = choose_anew(rule, choices, regrets, state.table + j, width, state.moves, offered)
            values[state.begin + j] = -got / often


@Loop
def rival_reach(
    states: Any,
    edges: Any,
    slots: Counts,
    weights: Floats,
    strategy: Floats,
    curious: float,
    choices: Floats,
    mix: Floats,
    values: Floats,
    found: Floats,
    reach: Floats,
    gains: Floats,
    weight: float,
    flow: Floats,
) -> None:
    """How likely both come to each state with each of the rival's secrets, `found`, and how likely
    the seat alone does, `reach`: 0 where the rival never comes.

    The seat tries everything a little if it is curious. `gains` collects, by doubt of the rival,
    what the races that end there are worth; lone runs are worth what `values` say. How often each
    move is made, as far as the seat's secret allows it, is added to `flow`, by its weight.
    """
    last = len(states) - 1
    reach[:] = 0.0
    gains[:] = 0.0
    reach[last] = 1.0
    for j in range(len(mix)):
        found[states[last].begin + j] = mix[j]
    for x in range(last, -1, -1):
        if reach[x] == 0.0:
            continue
        state = states[x]
        begin, width, own = state.begin, state.width, mine(state)
        whole = 0.0
        for j in range(begin, begin + width):
            whole += found[j]
        if whole < NEVER or (state.kind != MINE_ALONE and weights[state.rivals] < NEVER):
            reach[x] = 0.0
            continue
        for m in range(state.moves):
            edge, row = edges[state.edge + m], state.table + m * width
            part = 1.0
            if own and not state.knows:
                part = (1.0 - curious) * strategy[state.edge + m] + curious / state.moves
            if part == 0.0:
                continue
            for bad in range(2):
                after, slot = edge.after[bad], edge.slot[bad]
                if after == NOTHING:
                    continue
                single = after < 0 or states[after].kind == THEIRS_ALONE
                first = after >= 0 and reach[after] == 0.0
                into = states[after].begin if after >= 0 else 0
                total, gain, likely = 0.0, 0.0, 1.0
                if after >= 0 and states[after].kind == MINE_ALONE and state.kind != MINE_ALONE:
                    likely = weights[edge.doubt[bad]]
                    if likely == 0.0:
                        continue
                for j in range(edge.count[bad]):
                    come = part * found[begin + (j if slot < 0 else slots[slot + j])]
                    if not own:
                        come *= choices[row + j]
                    total += come
                    if not single:
                        gain += come * values[into + j]
                        come *= likely
                        found[into + j] = come if first else found[into + j] + come
                flow[state.edge + m] += weight * total
                if state.kind != MINE_ALONE:
                    if after < 0:
                        gains[edge.doubt[bad]] += total if after == WON else -total
                    elif states[after].kind == MINE_ALONE:
                        gains[edge.doubt[bad]] += gain
                if after >= 0:
                    if single:
                        found[into] = total if first else found[into] + total
                    reach[after] += part * reach[x] * likely


@Loop
def seat_learns(
    rule: Any,
    states: Any,
    edges: Any,
    slots: Counts,
    weights: Floats,
    strategy: Floats,
    regrets: Floats,
    found: Floats,
    reach: Floats,
    choices: Floats,
    values: Floats,
    worth: Floats,
    curious: bool,
) -> None:
    """One update of the seat, wherever the rival comes: as `rival_learns`. Unless it has tried
    everything, what it does not do is worth what it was worth before."""
    offered = np.zeros(128)
    for x in range(len(states)):
        if reach[x] == 0.0:
            continue
        state = states[x]
        begin, width = state.begin, state.width
        if not mine(state):
            offers(states, edges, weights, values, x, worth)
            for j in range(width):
                mean = 0.0
                for m in range(state.moves):
                    mean += choices[state.table + m * width + j] * worth[m * width + j]
                values[begin + j] = mean
            continue
        run_on(states, edges, slots, strategy, values, x)
        if state.knows:
            continue
        for m in range(state.moves):
            offered[m] = 0.0
            edge = edges[state.edge + m]
            for bad in range(2):
                after, slot = edge.after[bad], edge.slot[bad]
                if after == NOTHING or (curious and after >= 0 and reach[after] == 0.0):
                    continue
                if after < 0 or states[after].kind == THEIRS_ALONE:
                    whole = worth_of(states, after, values) / reach[x]
                    for j in range(edge.count[bad]):
                        offered[m] += whole * found[begin + (j if slot < 0 else slots[slot + j])]
                else:
                    other = states[after].begin
                    for j in range(edge.count[bad]):
                        at = begin + (j if slot < 0 else slots[slot + j])
                        offered[m] += found[at] * values[other + j] / reach[x]
        choose_anew(rule, strategy, regrets, state.edge, 1, state.moves, offered)
