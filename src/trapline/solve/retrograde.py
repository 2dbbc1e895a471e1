"""Retrograde analysis: who can force what in a graph that play may go round in for ever.

Nodes belong to the player who moves there; ends carry a result. Values flow backwards from
the ends in order of distance, so a node is settled when it is first reached; what is never
settled can be kept going for ever, which is a draw. Winners hurry, losers tarry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    back, order = _backwards(graph)
    count = len(graph.owner)
    found = Solved(np.zeros(count, np.int8), np.full(count, FAR))
    for result in (1, -1):
        ends = np.flatnonzero((graph.owner == END) & (graph.result == result))
        _spread(graph, back, order, ends, result, found)
    return found


def soonest(graph: Graph) -> NDArray[np.float64]:
    """For each node the fewest turns in which somebody can win, infinity where nobody can."""
    found = np.where((graph.owner == END) & (graph.result != 0), 0.0, np.inf)
    inner = np.flatnonzero(np.diff(graph.first))
    while len(inner):
        fresh = np.minimum.reduceat(found[graph.to] + graph.length, graph.first[inner])
        if np.array_equal(fresh, found[inner]):
            break
        found[inner] = fresh
    return found


def _backwards(graph: Graph) -> tuple[Ints, Ints]:
    """The edges sorted by where they lead: for each node a range of edge numbers."""
    order = np.argsort(graph.to, kind="stable")
    counts = np.bincount(graph.to, minlength=len(graph.owner))
    return np.concatenate(([0], np.cumsum(counts))), order


def _spread(graph: Graph, back: Ints, order: Ints, ends: Ints, winner: int, found: Solved) -> None:
    """Settle all that the winner can force, nearest first.

    The winner's own nodes need one good edge; the other's need all their edges to be bad,
    and last as long as the longest of them.
    """
    degrees = np.diff(graph.first)
    source = np.repeat(np.arange(len(degrees)), degrees)
    left, longest = degrees.copy(), np.zeros(len(degrees), np.int64)
    now, later, turns = ends, [ends[:0]], 0
    while len(now) or any(map(len, later)):
        if not len(now):
            now, later, turns = np.concatenate(later), [], turns + 1
        now = np.unique(now[found.distance[now] == FAR])
        found.distance[now], found.value[now] = turns, winner
        edges = order[joined_ranges(back[now], back[now + 1])]
        edges = edges[found.distance[source[edges]] == FAR]
        before, away = source[edges], turns + graph.length[edges]
        wins = graph.owner[before] == winner
        np.subtract.at(left, before[~wins], 1)
        np.maximum.at(longest, before[~wins], away[~wins])
        cornered = before[~wins][left[before[~wins]] == 0]
        nodes = np.concatenate([before[wins], cornered])
        away = np.concatenate([away[wins], longest[cornered]])
        later.append(nodes[away > turns])
        now = nodes[away == turns]


def joined_ranges(begin: Ints, end: Ints) -> Ints:
    """All numbers of several ranges, one range after the other."""
    counts = end - begin
    offsets = np.repeat(begin - (np.cumsum(counts) - counts), counts)
    return offsets + np.arange(len(offsets))
