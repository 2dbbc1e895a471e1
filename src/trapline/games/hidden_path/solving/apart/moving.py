"""What was learnt on one graph, taken along to another that has other secrets, moves or signals.

Both are graphs of one path and one seat, and met along the same landings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.games.hidden_path.solving.apart.passes import mine
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int32]


@Loop
def meet(states: Any, edges: Any, old_states: Any, old_edges: Any, where: Counts) -> None:
    """For each state, one of another graph to which the same landings lead, or −1."""
    last = len(states) - 1
    where[:] = -1
    where[last] = len(old_states) - 1
    for x in range(last, -1, -1):
        if where[x] < 0:
            continue
        state, old = states[x], old_states[where[x]]
        for e in range(state.edge, state.edge + state.moves):
            for f in range(old.edge, old.edge + old.moves):
                if edges[e].far != old_edges[f].far:
                    continue
                for bad in range(2):
                    after, before = edges[e].after[bad], old_edges[f].after[bad]
                    if after < 0 or before < 0 or where[after] >= 0:
                        continue
                    if states[after].kind == old_states[before].kind:
                        where[after] = before


@Loop
def take_up(
    states: Any,
    edges: Any,
    old_states: Any,
    old_edges: Any,
    where: Counts,
    run: Any,
    rival: Any,
    told: Any,
    secrets: Counts,
) -> None:
    """Go on with what was learnt on another graph, where that knows the state. Each of `run`,
    `rival` and `told` has the new strategy and regrets, and the old ones; `secrets` are the places
    of secrets in the old list."""
    choices, choice_regrets, old_choices, old_choice_regrets = rival
    for x in range(len(states)):
        if where[x] < 0:
            continue
        state, old = states[x], old_states[where[x]]
        if not mine(state):
            for k in range(state.moves * state.width):
                choices[state.table + k] = old_choices[old.table + k]
                choice_regrets[state.table + k] = old_choice_regrets[old.table + k]
            continue
        _run_on(state, edges, old, old_edges, run, told)
        if state.knows:
            for k in range(len(secrets)):
                _tell_on(state, edges, old, old_edges, run, told, k, secrets[k])


@Loop
def same_move(state: Any, edges: Any, old: Any, old_edges: Any, m: int) -> int:
    """Which of an old state's moves goes as far, or −1."""
    for n in range(old.moves):
        if edges[state.edge + m].far == old_edges[old.edge + n].far:
            return int(n)
    return -1


@Loop
def _certain(old: Any, run: Any, told: Any) -> float:
    """How much regret there is for an old choice in all: how sure the seat was of it."""
    regrets, count, whole = run[3], 1, 0.0
    if old.knows:
        count = told[3].shape[1]
        regrets = told[3][old.knows : old.knows + old.moves].ravel()
    else:
        regrets = regrets[old.edge : old.edge + old.moves]
    for regret in regrets:
        whole += max(regret, 0.0)
    return whole / count


@Loop
def _run_on(state: Any, edges: Any, old: Any, old_edges: Any, run: Any, told: Any) -> None:
    """A choice that was made by the secret is made as it looked from outside, and as surely."""
    strategy, regrets, old_strategy, old_regrets = run
    whole, sure = 0.0, _certain(old, run, told)
    for m in range(state.moves):
        n = same_move(state, edges, old, old_edges, m)
        at, before = state.edge + m, old.edge + n
        strategy[at] = old_strategy[before] if n >= 0 else 0.0
        regrets[at] = 0.0
        if n >= 0:
            regrets[at] = sure * strategy[at] if old.knows else old_regrets[before]
        whole += strategy[at]
    for at in range(state.edge, state.edge + state.moves):
        strategy[at] = strategy[at] / whole if whole > 0.0 else 1.0 / state.moves


@Loop
def _tell_on(
    state: Any, edges: Any, old: Any, old_edges: Any, run: Any, told: Any, k: int, was: int
) -> None:
    """The choice of one secret; one that is new, or was not looked at, does as all others did, and
    as surely: without regret it would change its mind at once."""
    chances, regrets, old_chances, old_regrets = told
    known, whole, sure = old.knows > 0 and was >= 0, 0.0, _certain(old, run, told)
    for m in range(state.moves):
        n = same_move(state, edges, old, old_edges, m)
        at, chance = state.knows + m, run[0][state.edge + m]
        regrets[at, k] = sure * chance
        if known:
            chance = old_chances[old.knows + n, was] if n >= 0 else 0.0
            regrets[at, k] = old_regrets[old.knows + n, was] if n >= 0 else 0.0
        chances[at, k] = chance
        whole += chance
    for at in range(state.knows, state.knows + state.moves):
        chances[at, k] = chances[at, k] / whole if whole > 0.0 else 1.0 / state.moves
