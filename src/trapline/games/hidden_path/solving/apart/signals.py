"""What a seat's moves tell of its secret, where it chooses by it.

There a move is a signal, and what the rival believes depends on all that were given. The seat then
has a table of chances, by signal and secret: how often it is given, after that before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.solve.loops import Loop
from trapline.solve.regret import choose_anew

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]


def likely(before: Counts, mix: Floats, chances: Floats) -> Floats:
    """By signal and secret: how likely it is that the secret is hidden, and told so."""
    found = chances.copy()
    found[0] = mix
    _tell.at_hand(before, found)
    return found


@Loop
def _tell(before: Counts, likely: Floats) -> None:
    """How likely it is what signals tell, from how likely each is after that before it."""
    for m in range(1, len(before)):
        for k in range(likely.shape[1]):
            likely[m, k] *= likely[before[m], k]


@Loop
def by_belief(telling: Ints, states: Any, edges: Any, weights: Floats, strategy: Floats) -> None:
    """How often the seat makes each move where it chooses by its secret, as the rival sees it."""
    for x in telling:
        state = states[x]
        whole = weights[state.rivals]
        for e in range(state.edge, state.edge + state.moves):
            part = weights[edges[e].doubt[0]]
            strategy[e] = part / whole if whole > 0.0 else 1.0 / state.moves


@Loop
def know(
    rule: Any,
    weight: float,
    begin: Counts,
    before: Counts,
    likely: Floats,
    chances: Floats,
    regrets: Floats,
    total: Floats,
    gains: Floats,
) -> None:
    """One update of what the seat chooses by its secret. Gains, by signal and secret, become what
    all brings that follows; `likely` says how likely a signal was given."""
    last, width = chances.shape
    strategy, regret, offered = chances.reshape(-1), regrets.reshape(-1), np.zeros(128)
    while last > 1:
        first = begin[last - 1]
        above, moves = before[first], last - first
        for k in range(width):
            for m in range(moves):
                offered[m] = gains[first + m, k]
                gains[above, k] += chances[first + m, k] * offered[m]
                total[first + m, k] += weight * likely[above, k] * chances[first + m, k]
            at = first * width + k
            choose_anew(rule, strategy, regret, at, width, moves, offered)
        last = first


@Loop
def still_to_tell(states: Any, edges: Any) -> Any:
    """Of each state: whether the seat may still come to a choice that it makes by its secret."""
    found = np.zeros(len(states), np.bool_)
    for x in range(len(states)):
        state = states[x]
        found[x] = state.knows > 0
        for e in range(state.edge, state.edge + state.moves):
            for bad in range(2):
                after = edges[e].after[bad]
                if after >= 0 and found[after]:
                    found[x] = True
    return found
