"""Which moves are made how often, by what a runner doubts and where the runner stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart.keys import MINE, THEIRS, place_of
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.doubts import Doubts

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bits = NDArray[np.int16]


class Habits(NamedTuple):
    """What a runner does who doubts this."""

    doubts: Doubts
    often: Floats
    """By doubt, place and move: how often it is made, where the runner comes at all."""

    def bits(self, often: float) -> Bits:
        """By doubt and place: the moves, as bits, that are made more often."""
        made = self.often > often
        return np.asarray((made << np.arange(made.shape[2])).sum(axis=2), np.int16)


def own_habits(doubts: Doubts, graph: Graph, flow: Floats, weights: Floats) -> Habits:
    """Of the seat, whose secrets are as likely as the weights of the rival's beliefs."""
    return _counted(doubts, graph, flow, weights, MINE, graph.states["doubt"].astype(np.int64))


def rivals_habits(doubts: Doubts, graph: Graph, flow: Floats, weights: Floats) -> Habits:
    """Of the rival, who knows to which secrets the seat keeps."""
    doubt = graph.beliefs[graph.states["rivals"]] % len(doubts.size)
    return _counted(doubts, graph, flow, weights, THEIRS, doubt)


def _counted(
    doubts: Doubts, graph: Graph, flow: Floats, weights: Floats, kind: int, doubt: Ints
) -> Habits:
    states, moves = graph.states, doubts.max_step
    x = np.repeat(np.arange(len(states)), states["moves"])
    made = np.flatnonzero(states["kind"][x] == kind)
    x, flow, far = x[made], flow[made], graph.edges["far"][made]
    shape = (len(doubts.size), doubts.length + 1, moves)
    at = (doubt[x] * shape[1] + states["place"][x]) * moves + far - 1
    often = flow * weights[states["rivals"][x]]
    counts = np.bincount(at, often, int(np.prod(shape))).reshape(shape)
    whole = counts.sum(axis=2, keepdims=True)
    return Habits(doubts, np.divide(counts, whole, out=np.zeros(shape), where=whole > 0.0))


def remember(running: Doubts, habits: Habits, memory: Floats) -> None:
    """Add what somebody does who knows a list of secrets to what is known of somebody who may meet
    anything, by the landings that both may make."""
    pairs, count = _meetings(running, habits.doubts), len(habits.doubts.size)
    _raise(pairs // count, pairs % count, habits.often, memory)


@Loop
def _raise(one: Ints, two: Ints, often: Floats, memory: Floats) -> None:
    for k in range(len(one)):
        for place in range(memory.shape[1]):
            for m in range(memory.shape[2]):
                new = often[two[k], place, m]
                memory[one[k], place, m] = max(memory[one[k], place, m], new)


@Loop
def _meetings(running: Doubts, hiding: Doubts) -> Ints:
    """Doubts of somebody who may meet anything, each with one of somebody who knows a list of
    secrets and has made the same landings: times how many of the latter there are, and added up."""
    count = len(hiding.size)
    known = np.full(1 << 16, -1)
    found = np.zeros(1 << 15, np.int64)
    known[place_of(known, 0)] = 0
    done, waiting = 0, 1
    while done < waiting:
        first, second = found[done] // count, found[done] % count
        done += 1
        for to in range(1, running.length + 1):
            for bad in range(2):
                one = running.caught[first, to] if bad else running.passed[first, to]
                two = hiding.caught[second, to] if bad else hiding.passed[second, to]
                if one < 0 or two < 0:
                    continue
                at = place_of(known, one * count + two)
                if known[at] >= 0:
                    continue
                known[at] = found[waiting] = one * count + two
                waiting += 1
                if waiting == len(found):
                    more = np.zeros(2 * waiting, np.int64)
                    more[:waiting] = found
                    found, known = more, np.full(8 * waiting, -1)
                    for k in range(waiting):
                        known[place_of(known, found[k])] = found[k]
    return found[:waiting]
