"""Training a seat that draws its secret and its run apart, against a rival who may do anything.

Both learn by regret, in turn. The seat's regrets at a state are means over all secrets of the
rival, each as likely as the rival comes here with it; the rival's are by secret.

A mixture of secrets is worth what can be done with it by the best run, and that has many summits:
a mixture that follows its gain at once ends on a near one, such as always the same secret. So it
moves slowly (exponentiated gradient), and the run and the rival adapt on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart import passes
from trapline.solve.regret import Schedule, choose_anew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.apart.side import Secrets

    Floats = NDArray[np.float64]

RULE = "pdcfr+"
CURIOUS = 0.3
"""How often the seat is taken to have tried something else: where it never comes it learns too."""
PACE = 3.0
"""How fast the mixture of secrets moves, over the root of the iterations."""
RARE = 1e-4
"""Moves and secrets that are rarer are left out."""


class Apart(NamedTuple):
    """How a seat plays: a mixture of secrets, and a run."""

    mix: Floats
    moves: Floats
    """By edge."""


class Learner:
    def __init__(self, graph: Graph, secrets: Secrets, mix: Floats) -> None:
        states, self.graph = graph.states, graph
        self._secrets = secrets
        self._schedule = Schedule(RULE)
        self._strategy = np.repeat(1.0 / states["moves"], states["moves"])
        self._regrets = np.zeros(len(graph.edges))
        self._total = np.zeros(len(graph.edges))
        self._mix, self._mix_total = mix.copy(), np.zeros(len(mix))
        entries = np.where(states["kind"] % 2, states["width"] * states["moves"], 0)
        self._choices = np.repeat(1.0 / states["moves"], entries)
        self._choice_regrets = np.zeros(graph.entries)
        count = int(states["width"][-1])
        self._rivals, self._rival_regrets = np.full(count, 1.0 / count), np.zeros(count)
        self._rival_total = np.zeros(count)
        self._values, self._found = np.zeros(graph.numbers), np.zeros(graph.numbers)
        self._reach = np.zeros(len(states))
        self._worth = np.zeros(int(states["moves"].max()) * count)
        self._gains = np.zeros(secrets.doubts)

    @property
    def iterations(self) -> int:
        return self._schedule.iteration

    def iterate(self) -> None:
        rule, weights = self._schedule.next(), self._secrets.weights(self._mix)
        states, edges, slots, *_ = self.graph
        run = (states, edges, slots, weights, self._strategy)
        passes.own_reach(states, edges, weights, self._strategy, self._reach)
        weight = self._schedule.weight
        passes.add_to_average(states, weight, self._reach, self._strategy, self._total)
        self._mix_total += weight * self._mix
        rival, room = (self._choices, self._choice_regrets), (self._values, self._worth)
        passes.rival_learns(rule, *run, self._reach, *rival, *room)
        count, got = len(self._rivals), -self._first_values
        choose_anew(rule, self._rivals, self._rival_regrets, 0, 1, count, got)
        self._rival_total += weight * self._rivals
        come = (self._choices, self._rivals, self._values, self._found, self._reach, self._gains)
        passes.rival_reach(*run, 0.0, *come)
        gains = self._secrets.gains(self._gains)
        passes.rival_reach(*run, CURIOUS, *come)
        reached = (self._found, self._reach, self._choices)
        passes.seat_learns(rule, *run, self._regrets, *reached, *room)
        self._move(gains)

    @property
    def _first_values(self) -> Floats:
        return self._values[self.graph.states["begin"][-1] :][: len(self._rivals)]

    def _move(self, gains: Floats) -> None:
        """The mixture of secrets, a little towards what brings more."""
        pace = PACE / np.sqrt(self.iterations)
        wanted = self._mix * np.exp(pace * (gains - gains.max()))
        self._mix = wanted / wanted.sum()

    @property
    def rivals(self) -> Floats:
        """How often the rival hides each secret, on the average."""
        return np.asarray(self._rival_total / self._rival_total.sum())

    def average(self) -> Apart:
        states = self.graph.states
        whole = np.repeat(np.add.reduceat(self._total, states["edge"]), states["moves"])
        first = np.zeros(len(self._total))
        first[states["edge"]] = 1.0  # where the seat never comes
        moves = np.divide(self._total, whole, out=first, where=whole > 0.0)
        mix = without_rare(self._mix_total / self._mix_total.sum(), np.zeros(1, np.int64))
        return Apart(mix, without_rare(moves, states["edge"]))


def without_rare(chances: Floats, begins: NDArray[np.int64], rare: float = RARE) -> Floats:
    """The chances of choices that begin there, those left out that are rare."""
    counts = np.diff(begins, append=len(chances))
    often = np.repeat(np.maximum.reduceat(chances, begins), counts)
    kept = np.where(chances < np.minimum(rare, often), 0.0, chances)
    return np.asarray(kept / np.repeat(np.add.reduceat(kept, begins), counts))
