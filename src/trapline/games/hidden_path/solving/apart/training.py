"""Training a seat that draws most of its run apart from its secret, against a rival who may do
anything.

Both learn by regret, in turn. The seat's regrets at a state are means over all secrets of the
rival, each as likely as the rival comes here with it; the rival's are by secret, and so are the
seat's where it chooses by its own.

Most states are those to which one of them would have to go against what it has learnt. What they
are worth changes little from one iteration to the next; so most iterations leave them out, and take
them to be worth what they were.

A mixture of secrets is worth what can be done with it by the best run, and that has many summits:
a mixture that follows its gain at once ends on a near one, such as always the same secret. So it
moves slowly (exponentiated gradient), and the run and the rival adapt on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart import moving, passes
from trapline.games.hidden_path.solving.apart.signals import by_belief, know, likely
from trapline.solve.regret import Schedule, choose_anew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.apart.side import Beliefs

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int32]
    Marks = NDArray[np.bool_]

RULE = "pdcfr+"
CURIOUS = 0.3
"""How often the seat is taken to have tried something else: where it never comes it learns too."""
EVERYWHERE = 24
"""Every so many iterations both learn wherever they may come; otherwise where both do come."""
PACE = 3.0
"""How fast the mixture of secrets moves, over the root of the iterations."""
REMEMBERED = 40
"""Who goes on from another graph has made no more iterations: later ones count more."""
REHEARSED, SURE = 60, 10.0
"""So many iterations the rival has alone against a plan that is known, before the seat learns on;
and how much regret there is then for what it does, if the rival comes there at all."""
RARE = 1e-4
"""Moves and secrets that are rarer are left out."""


class Apart(NamedTuple):
    """How a seat plays: a mixture of secrets, and a run."""

    mix: Floats
    moves: Floats
    """By edge."""
    chances: Floats
    """By signal and secret: how often it is given, after that before it."""


class Choices(NamedTuple):
    """What is chosen how often, and how much better each choice would have been."""

    strategy: Floats
    regrets: Floats


class Hider:
    """The rival's secret, which it learns to hide against what a seat does."""

    def __init__(self, count: int) -> None:
        self.choices = _evenly(np.array(count), (count,))
        self._total = np.zeros(count)

    @property
    def chances(self) -> Floats:
        return self.choices.strategy

    def learn(self, rule: object, weight: float, got: Floats) -> None:
        """`got` is what the seat gets with each secret of the rival."""
        choose_anew(rule, *self.choices, 0, 1, len(got), -got)
        self._total += weight * self.chances

    @property
    def average(self) -> Floats:
        return np.asarray(self._total / self._total.sum())


def _evenly(counts: NDArray[np.integer[Any]], shape: tuple[int, ...]) -> Choices:
    return Choices(np.broadcast_to(1.0 / counts, shape).copy(), np.zeros(shape))


class Learner:
    def __init__(self, graph: Graph, beliefs: Beliefs, mix: Floats) -> None:
        states, self.graph, self._beliefs = graph.states, graph, beliefs
        self._schedule = Schedule(RULE)
        self._mix, self._mix_total = mix.copy(), np.zeros(len(mix))
        by_edge = np.repeat(states["moves"], states["moves"])
        self.run = _evenly(by_edge, by_edge.shape)
        entries = np.where(states["kind"] % 2, states["width"] * states["moves"], 0)
        by_entry = np.repeat(states["moves"], entries)
        self.rival = _evenly(by_entry, by_entry.shape)
        begin = graph.signals.begin
        self._siblings = np.bincount(begin)[begin][:, None]
        self.told = _evenly(self._siblings, (len(begin), len(mix)))
        self._total, self._told_total = np.zeros(len(by_edge)), np.zeros((len(begin), len(mix)))
        count = int(states["width"][-1])
        self.hider = Hider(count)
        self.got = np.zeros(count)
        """What the seat gets with each secret of the rival, in the last iteration."""
        self.flow = np.zeros(len(by_edge))
        """How often each move is made, over all iterations."""
        self._telling = np.flatnonzero(states["knows"])
        self._values, self._found = np.zeros(graph.numbers), np.zeros(graph.numbers)
        self._reach, self._gains = np.zeros(len(states)), np.zeros(beliefs.count)
        self.made = 0
        """Iterations on this graph."""
        self._worth = np.zeros(int(states["moves"].max()) * count)

    def go_on_from(self, old: Learner, secrets: Counts) -> None:
        """What was learnt on another graph; `secrets` are the places of secrets in its list."""
        both = (self.graph.states, self.graph.edges, old.graph.states, old.graph.edges)
        where = np.zeros(len(self.graph.states), np.int32)
        moving.meet(*both, where)
        new = ((*self.run, *old.run), (*self.rival, *old.rival), (*self.told, *old.told))
        moving.take_up(*both, where, *new, secrets)
        for mine, theirs in zip(self.hider.choices, old.hider.choices, strict=True):
            mine[:] = theirs
        iteration = min(old.iterations, REMEMBERED)
        self._schedule.go_on_from({"iteration": iteration, "weight": 1.0})

    def rehearse(self, plan: Apart) -> None:
        """Go on from a plan of which nothing is left but its chances: the rival learns what to do
        about it, and then the seat is sure of it, the more the more often the rival comes."""
        states, edges, slots, signals, *_ = self.graph
        self._mix = plan.mix.copy()
        self.run.strategy[:], self.told.strategy[:] = plan.moves, plan.chances
        weights = self._beliefs.weights(likely(signals.before, plan.mix, plan.chances))
        by_belief(self._telling, states, edges, weights, self.run.strategy)
        every = np.ones(len(states), np.bool_)
        run = (states, edges, slots, weights, self.run.strategy)
        for _ in range(REHEARSED):
            rule = self._schedule.next()
            passes.own_reach(states, edges, weights, self.run.strategy, every, self._reach)
            passes.rival_learns(rule, *run, self._reach, *self.rival, self._values, self._worth)
            self._look_at_secrets()
            self.hider.learn(rule, 0.0, self.got)
        self._come(weights, CURIOUS, 0.0)
        begins = states["begin"].astype(np.int64)
        comes = np.add.reduceat(self._found, begins)
        often = np.divide(comes, self._reach, out=np.zeros(len(states)), where=self._reach > 0.0)
        self.run.regrets[:] = SURE * np.repeat(often, states["moves"]) * self.run.strategy
        self.told.regrets[:] = SURE * self.told.strategy

    @property
    def iterations(self) -> int:
        return self._schedule.iteration

    @property
    def where_both_come(self) -> Marks:
        """By state, in the last iteration."""
        return self._reach > 0.0

    def iterate(self, *, alone: bool = True) -> None:
        """One update of all; the rival learns what to hide elsewhere if there are more plans."""
        rule, weight = self._schedule.next(), self._schedule.weight
        states, edges, slots, signals, *_ = self.graph
        strategy, regrets = self.run
        everywhere = self.made % EVERYWHERE == 0
        self.made += 1
        told = likely(signals.before, self._mix, self.told.strategy)
        weights = self._beliefs.weights(told)
        by_belief(self._telling, states, edges, weights, strategy)
        open_ = np.ones(len(states), np.bool_) if everywhere else self.where_both_come
        passes.own_reach(states, edges, weights, strategy, open_, self._reach)
        passes.add_to_average(states, weight, self._reach, strategy, self._total)
        self._mix_total += weight * self._mix
        run, room = (states, edges, slots, weights, strategy), (self._values, self._worth)
        passes.rival_learns(rule, *run, self._reach, *self.rival, *room)
        self._look_at_secrets()
        if alone:
            self.hider.learn(rule, weight, self.got)
        self._come(weights, 0.0, weight)
        gains = self._beliefs.gains(self._gains)
        tables = (*self.told, self._told_total, gains)
        know(rule, weight, signals.begin, signals.before, told, *tables)
        if everywhere:
            self._come(weights, CURIOUS, 0.0)
        reached = (self._found, self._reach, self.rival.strategy)
        passes.seat_learns(rule, *run, regrets, *reached, *room, everywhere)
        self._move(gains[0])

    def _look_at_secrets(self) -> None:
        begin = self.graph.states["begin"][-1]
        self.got[:] = self._values[begin : begin + len(self.got)]

    def _come(self, weights: Floats, curious: float, weight: float) -> None:
        """How likely both come where, if the seat is as curious; it weighs so much in all."""
        states, edges, slots, *_ = self.graph
        run = (states, edges, slots, weights, self.run.strategy, curious)
        rival = (self.rival.strategy, self.hider.chances)
        room = (self._values, self._found, self._reach, self._gains)
        passes.rival_reach(*run, *rival, *room, weight, self.flow)

    def _move(self, gains: Floats) -> None:
        """The mixture of secrets, a little towards what brings more."""
        pace = PACE / np.sqrt(self.iterations)
        wanted = self._mix * np.exp(pace * (gains - gains.max()))
        self._mix = wanted / wanted.sum()

    @property
    def rivals(self) -> Floats:
        """How often the rival hides each secret, on the average."""
        return self.hider.average

    def average(self) -> Apart:
        states, begin = self.graph.states, self.graph.signals.begin
        whole = np.repeat(np.add.reduceat(self._total, states["edge"]), states["moves"])
        first = np.zeros(len(self._total))
        first[states["edge"]] = 1.0  # where the seat never comes
        moves = np.divide(self._total, whole, out=first, where=whole > 0.0)
        mix = without_rare(self._mix_total / self._mix_total.sum(), np.zeros(1, np.int64))
        given = np.zeros(self._told_total.shape)
        np.add.at(given, begin, self._told_total)
        even = np.broadcast_to(1.0 / self._siblings, given.shape).copy()
        chances = np.divide(self._told_total, given[begin], out=even, where=given[begin] > 0.0)
        return Apart(mix, without_rare(moves, states["edge"]), chances)


def without_rare(chances: Floats, begins: NDArray[np.int64], rare: float = RARE) -> Floats:
    """The chances of choices that begin there, those left out that are rare."""
    counts = np.diff(begins, append=len(chances))
    often = np.repeat(np.maximum.reduceat(chances, begins), counts)
    kept = np.where(chances < np.minimum(rare, often), 0.0, chances)
    return np.asarray(kept / np.repeat(np.add.reduceat(kept, begins), counts))
