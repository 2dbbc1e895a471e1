"""What to expect of somebody who can err: the opponent whom the coach reckons with.

Where best play settles the result, nothing is left to choose by but the other's mistakes. The
opponent here hides anything at all, and answers as the solution would, knowing no more than a
player does; but one answer in `1 / TREMBLE` is given without a thought, and is any that is
allowed (Selten's trembling hand, 1975). The hero risks nothing for it: of all that keeps what
can be forced, the hero takes what this opponent answers worst.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.solve.retrograde import HERO

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.retrograde import Graph, Solved

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

TREMBLE = 0.25
"""How often an answer is given without a thought; near what `casual` does in the rulebooks."""
PATIENCE = 0.98
"""What a later result is worth, for each turn it takes longer: winners hurry, losers tarry."""
SWEEPS = 2_000
SETTLED = 1e-7
SAME = 1e-9


def prospects(
    graph: Graph, solved: Solved, chances: Floats, choices: Ints, *, both: bool = False
) -> Floats:
    """For each node of a proof game, what the hero can expect, from −1 to 1.

    With `both`, the hero errs as often as the villain, and nobody is in a hurry: then it is what
    comes of matches between two such players.

    `chances` says of each edge how likely it is if nothing is known. `choices` numbers what the
    villain chooses between, alike whatever the hero holds, which the villain does not know; −1
    where nobody chooses.
    """
    chances = _trembling(graph, solved, chances, choices)
    inner = np.flatnonzero(np.diff(graph.first))
    begin = graph.first[inner]
    heros = graph.owner[inner] == HERO
    value = np.repeat(solved.value[inner], np.diff(graph.first)[inner])
    keeps = solved.value[graph.to] == value
    patience = np.where((graph.length > 0) & (not both), PATIENCE, 1.0)
    degrees, slips = np.diff(graph.first)[inner], TREMBLE if both else 0.0
    found = graph.result.astype(np.float64)
    if not len(inner):
        return found
    for _ in range(SWEEPS):
        worth = found[graph.to] * patience
        best = np.maximum.reduceat(np.where(keeps, worth, -2.0), begin)
        mean = np.add.reduceat(chances * worth, begin)
        best += slips * (np.add.reduceat(worth, begin) / degrees - best)
        fresh = np.where(heros, best, mean)
        change = np.abs(fresh - found[inner]).max()
        found[inner] = fresh
        if change < SETTLED:
            break
    return found


def _trembling(graph: Graph, solved: Solved, chances: Floats, choices: Ints) -> Floats:
    """How likely each edge is when the villain is somebody who errs."""
    chosen = np.flatnonzero(choices >= 0)
    if not len(chosen):
        return chances
    # What a choice leaves to the hero, on average over all that the hero may hold.
    weight = np.bincount(choices[chosen], chances[chosen])
    worth = np.bincount(choices[chosen], chances[chosen] * solved.value[graph.to[chosen]])
    leaves = (worth / weight)[choices[chosen]]
    node = np.repeat(np.arange(len(graph.owner)), np.diff(graph.first))[chosen]
    least = np.full(len(graph.owner), np.inf)
    np.minimum.at(least, node, leaves)
    good = leaves <= least[node] + SAME
    right = np.bincount(node, chances[chosen] * good, len(graph.owner))
    found = chances.copy()
    found[chosen] *= TREMBLE + (1 - TREMBLE) * good / right[node]
    return found
