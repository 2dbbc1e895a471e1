"""What to expect of somebody who can err: the opponent whom the coach reckons with.

Where best play settles the result, nothing is left to choose by but the other's mistakes. The
opponent here hides anything at all, and answers as the solution would, knowing no more than a
player does; but one answer in `1 / TREMBLE` is given without a thought, and is any that is
allowed (Selten's trembling hand, 1975). The hero risks nothing for it: of all that keeps what
can be forced, the hero takes what this opponent answers worst.
"""

from __future__ import annotations

from functools import cached_property
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
HORIZON = 24
"""So many turns before a limit its end comes in sight."""
SETTLED = 1e-7
SAME = 1e-9


class Prospects:
    """For each node of a proof game, what the hero can expect, from −1 to 1.

    With `both`, the hero errs as often as the villain, and nobody is in a hurry: then it is what
    comes of matches between two such players.

    `chances` says of each edge how likely it is if nothing is known. `choices` numbers what the
    villain chooses between, alike whatever the hero holds, which the villain does not know; −1
    where nobody chooses.
    """

    def __init__(
        self, graph: Graph, solved: Solved, chances: Floats, choices: Ints, *, both: bool = False
    ) -> None:
        degrees = np.diff(graph.first)
        self._graph = graph
        self._chances = _trembling(graph, solved, chances, choices)
        self._inner = np.flatnonzero(degrees)
        self._begin, self._degrees = graph.first[self._inner], degrees[self._inner]
        self._heros = graph.owner[self._inner] == HERO
        value = np.repeat(solved.value[self._inner], self._degrees)
        self._keeps = solved.value[graph.to] == value
        self._patience = np.where((graph.length > 0) & (not both), PATIENCE, 1.0)
        self._slips = TREMBLE if both else 0.0
        self._in_time = [graph.result.astype(np.float64)]

    @cached_property
    def in_the_end(self) -> Floats:
        """However long it takes."""
        return self._settled(self._in_time[0])

    def within(self, turns: float) -> Floats:
        """Where so many turns are left; what has not ended by then is drawn."""
        if turns > HORIZON:
            return self.in_the_end
        while len(self._in_time) <= turns:
            one_turn_less = self._in_time[-1]
            self._in_time.append(self._settled(one_turn_less, one_turn_less))
        return self._in_time[max(0, int(turns))]

    def _settled(self, start: Floats, after_a_turn: Floats | None = None) -> Floats:
        """Swept until nothing changes; what follows a turn may be known."""
        graph, found = self._graph, start.copy()
        for _ in range(SWEEPS if len(self._inner) else 0):
            ahead = found[graph.to]
            if after_a_turn is not None:
                ahead = np.where(graph.length > 0, after_a_turn[graph.to], ahead)
            fresh = self._swept(ahead * self._patience)
            change = np.abs(fresh - found[self._inner]).max()
            found[self._inner] = fresh
            if change < SETTLED:
                break
        return found

    def _swept(self, worth: Floats) -> Floats:
        """What each choice makes of what its answers are worth."""
        best = np.maximum.reduceat(np.where(self._keeps, worth, -2.0), self._begin)
        mean = np.add.reduceat(self._chances * worth, self._begin)
        best += self._slips * (np.add.reduceat(worth, self._begin) / self._degrees - best)
        return np.where(self._heros, best, mean)


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
