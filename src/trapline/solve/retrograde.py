"""Retrograde analysis: who can force what in a graph that play may go round in for ever.

Nodes belong to the player who moves there; ends carry a result. Values flow backwards from
the ends in order of distance, so a node is settled when it is first reached; what is never
settled can be kept going for ever, which is a draw. Winners hurry, losers tarry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numba
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

HERO, VILLAIN, END = 1, -1, 0
FAR = np.iinfo(np.int64).max


class Graph(NamedTuple):
    """Edges lie in the order of the nodes they leave, so two numbers name a node's edges."""

    owner: NDArray[np.int8]
    """HERO or VILLAIN, whoever chooses here; END where play is over."""
    result: NDArray[np.int8]
    """For the hero, at ends: 1, 0 or −1."""
    first: Ints
    """A node's edges are first[node] … first[node + 1] − 1."""
    to: Ints
    length: NDArray[np.int8]
    """How many turns an edge takes: 0 or 1."""


class Solved(NamedTuple):
    value: NDArray[np.int8]
    """For the hero: 1 a forced win, −1 a loss that cannot be avoided, 0 neither."""
    distance: Ints
    """Turns until then with best play, FAR for what never ends."""


def analyse(graph: Graph) -> Solved:
    back, sources = _backwards(graph)
    count = len(graph.owner)
    value = np.zeros(count, np.int8)
    distance = np.full(count, FAR)
    for result in (1, -1):
        ends = np.flatnonzero((graph.owner == END) & (graph.result == result))
        _spread(graph, back, sources, ends, result, value, distance)
    return Solved(value, distance)


def _backwards(graph: Graph) -> tuple[Ints, Ints]:
    """The edges sorted by where they lead: for each node a range of edge numbers."""
    order = np.argsort(graph.to, kind="stable")
    counts = np.bincount(graph.to, minlength=len(graph.owner))
    return np.concatenate(([0], np.cumsum(counts))), order


@numba.njit(cache=True)
def _spread(
    graph: Graph,
    back: Ints,
    order: Ints,
    ends: Ints,
    winner: int,
    value: NDArray[np.int8],
    distance: Ints,
) -> None:
    """Settle all that the winner can force, nearest first.

    The winner's own nodes need one good edge; the other's need all their edges to be bad,
    and last as long as the longest of them.
    """
    count = len(graph.owner)
    source = np.empty(len(graph.to), np.int64)
    left = np.empty(count, np.int64)
    for node in range(count):
        left[node] = graph.first[node + 1] - graph.first[node]
        source[graph.first[node] : graph.first[node + 1]] = node
    longest = np.zeros(count, np.int64)
    now = [int(end) for end in ends]
    later = [0]
    later.clear()
    turns = 0
    while now or later:
        if not now:
            now, later = later, now
            turns += 1
        node = now.pop()
        if distance[node] != FAR:
            continue
        distance[node], value[node] = turns, winner
        for at in range(back[node], back[node + 1]):
            edge = order[at]
            before = source[edge]
            if distance[before] != FAR:
                continue
            away = turns + graph.length[edge]
            if graph.owner[before] != winner:
                left[before] -= 1
                longest[before] = max(longest[before], away)
                if left[before]:
                    continue
                away = longest[before]
            if away == turns:
                now.append(before)
            else:
                later.append(before)
