"""One seat's half of a solution: its plan, what that proves, and where a match stands in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart import passes
from trapline.games.hidden_path.solving.apart.keys import (
    LOST,
    MINE,
    MINE_ALONE,
    THEIRS_ALONE,
)
from trapline.games.hidden_path.solving.apart.signals import by_belief, likely
from trapline.games.hidden_path.solving.duel.situation import Astray
from trapline.games.hidden_path.solving.duel.training import SLACK
from trapline.solve.interface import evenly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.graph import Graph, Manner
    from trapline.games.hidden_path.solving.apart.training import Apart
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.games.hidden_path.solving.duel.situation import Landing

    Floats = NDArray[np.float64]


class Beliefs:
    """Which of the seat's secrets are possible in each of the rival's beliefs, and how likely."""

    def __init__(self, hiding: Hidden, graph: Graph) -> None:
        lists = [left | gone for left, gone in zip(hiding.left, hiding.sprung, strict=True)]
        listed = np.searchsorted(np.array(hiding.secrets), np.concatenate(lists))
        sizes = hiding.doubts.size
        signal, doubt = np.divmod(graph.beliefs, len(lists))
        counts = sizes[doubt]
        first = np.repeat(np.cumsum(sizes)[doubt] - np.cumsum(counts), counts)
        self._before, self._shape = (
            graph.signals.before,
            (len(graph.signals.before), len(hiding.secrets)),
        )
        self._within = np.repeat(np.arange(len(doubt)), counts)
        self._told = np.repeat(signal, counts) * self._shape[1]
        self._told += listed[np.arange(len(first)) + first]
        self.count = len(doubt)

    def likely(self, plan: Apart) -> Floats:
        """By signal and secret: how likely it is that the secret is hidden, and told so."""
        return likely(self._before, plan.mix, plan.chances)

    def weights(self, told: Floats) -> Floats:
        """How likely the secrets of a belief are, all together."""
        return np.asarray(np.bincount(self._within, told.ravel()[self._told], self.count), float)

    def gains(self, by_belief: Floats) -> Floats:
        """What the beliefs bring in which a secret is possible, by signal and secret."""
        found = np.bincount(self._told, by_belief[self._within], np.prod(self._shape))
        return np.asarray(found, float).reshape(self._shape)


class Answer(NamedTuple):
    """What the seat gets by a plan where the rival does its best."""

    told: Floats
    """By signal and secret: how likely it is hidden, and told so."""
    weights: Floats
    """Of the seat's secrets, by belief of the rival."""
    moves: Floats
    """By edge: how often it is made, as the rival sees it."""
    reach: Floats
    """By state: 0 where the seat never comes, and nothing is known."""
    values: Floats


def answered(graph: Graph, beliefs: Beliefs, plan: Apart) -> Answer:
    states, edges, slots, *_ = graph
    told, moves = beliefs.likely(plan), plan.moves.copy()
    weights = beliefs.weights(told)
    by_belief(np.flatnonzero(states["knows"]), states, edges, weights, moves)
    reach, values = np.zeros(len(states)), np.zeros(graph.numbers)
    worth = np.zeros(int(states["moves"].max()) * int(states["width"][-1]))
    passes.own_reach(states, edges, weights, moves, np.ones(len(states), np.bool_), reach)
    passes.answer(states, edges, slots, weights, moves, reach, values, worth)
    return Answer(told, weights, moves, reach, values)


class Side(NamedTuple):
    """Seats are 1 for whoever moves first, and 2."""

    seat: Seat
    running: Hidden
    """What the seat may doubt: everything that the rules allow."""
    hiding: Hidden
    """What the rival may doubt: the secrets to which the seat keeps."""
    manner: Manner
    graph: Graph
    plan: Apart
    answer: Answer

    @property
    def first_values(self) -> Floats:
        """What the seat gets, with each secret of the rival."""
        return self.answer.values[self.graph.states["begin"][-1] :][: len(self.running.secrets)]

    @property
    def bound(self) -> float:
        """Of what the first mover gets."""
        return bound_of(self.seat, self.first_values)


def bound_of(seat: Seat, values: Floats) -> float:
    """Of what the first mover gets, if this is what a seat keeps with each secret of the rival."""
    kept = float(values.min()) - SLACK
    return max(-1.0, kept) if seat == 1 else min(1.0, -kept)


@dataclass
class Stand:
    """All that counts of what both have seen, as a side knows it."""

    side: Side
    state: int = -1
    """In the graph; below 0 where the race is decided."""
    mover: int = 1
    places: list[int] = field(default_factory=lambda: [0, 0])
    doubts: list[int] = field(default_factory=lambda: [0, 0])
    """What each runner doubts."""
    sprung: list[int] = field(default_factory=lambda: [0, 0])
    """Each seat's own traps that were sprung, as bits."""
    signal: int = 0
    """What the side's seat has told."""

    @property
    def kind(self) -> int:
        return int(self.side.graph.states[self.state]["kind"]) if self.state >= 0 else -1

    def after(self, landing: Landing) -> Stand:
        seat, steps, trapped = landing
        me, to = seat - 1, self.places[seat - 1] + steps
        mine = seat == self.side.seat
        doubts = (self.side.running if mine else self.side.hiding).doubts
        new = int((doubts.caught if trapped else doubts.passed)[self.doubts[me], to])
        if new < 0:
            raise Astray("nobody comes here who keeps to the list")
        state, signal = self._next(mine, steps, trapped)
        found = Stand(self.side, state, 3 - seat, signal=signal)
        found.places, found.doubts = list(self.places), list(self.doubts)
        found.sprung = list(self.sprung)
        found.places[me], found.doubts[me] = 0 if trapped else to, new
        found.sprung[1 - me] |= trapped << to
        return found

    def _next(self, mine: bool, steps: int, trapped: bool) -> tuple[int, int]:
        """The state, and what was told by then. Where one runs alone, the other is a number."""
        if self.state < 0 or self.kind == (THEIRS_ALONE if mine else MINE_ALONE):
            return self.state, self.signal
        state = self.side.graph.states[self.state]
        for m, edge in enumerate(self.side.graph.edges[state["edge"] :][: state["moves"]]):
            if edge["far"] == steps:
                told = int(state["knows"]) + m if state["knows"] else self.signal
                return int(edge["after"][int(trapped)]), told
        raise Astray("the seat has given this move up")

    def row(self, secret: int) -> dict[int, float] | None:
        """How often the seat makes each move that hides this; None where it has lost."""
        if self.state == LOST:
            return None
        if self.kind not in (MINE, MINE_ALONE):
            return self._surest()
        side, state = self.side, self.side.graph.states[self.state]
        part = slice(state["edge"], state["edge"] + state["moves"])
        chances = side.answer.moves[part]
        if state["knows"] and secret in side.hiding.secrets:
            signals = slice(state["knows"], state["knows"] + state["moves"])
            chances = side.plan.chances[signals, side.hiding.secrets.index(secret)]
        return dict(zip(side.graph.edges["far"][part].tolist(), chances.tolist(), strict=True))

    def _surest(self) -> dict[int, float]:
        """Of all moves those that surely take fewest."""
        doubts, me = self.side.running.doubts, self.side.seat - 1
        doubt, place = self.doubts[me], self.places[me]
        worst: dict[int, float] = {}
        for steps in range(1, min(doubts.max_step, doubts.length - place) + 1):
            good, bad = doubts.passed[doubt, place + steps], doubts.caught[doubt, place + steps]
            sure = doubts.surely[good, place + steps] if good >= 0 else 0
            worst[steps] = -float(max(sure, doubts.surely[bad, 0] if bad >= 0 else 0))
        return evenly(worst, worst)

    @property
    def possible(self) -> list[int]:
        """The seat's secrets, as bits, that fit what the rival has met."""
        left = self.side.hiding.left[self.doubts[2 - self.side.seat]]
        return [int(traps) | self.sprung[self.side.seat - 1] for traps in left]

    def beliefs(self) -> dict[int, float]:
        """How likely each secret of the seat is, as bits."""
        told = self.side.answer.told[self.signal].tolist()
        mix = dict(zip(self.side.hiding.secrets, told, strict=True))
        secrets = self.possible
        whole = sum(mix[secret] for secret in secrets)
        return {secret: mix[secret] / whole for secret in secrets} if whole > 0 else {}

    def values(self, secret: int) -> dict[int, float]:
        """What each of the rival's moves is worth to the rival, who hides this; empty where the
        graph does not say it."""
        graph, (_, weights, _, reach, values) = self.side.graph, self.side.answer
        if self.kind < 0 or reach[self.state] == 0.0 or self.kind in (MINE, MINE_ALONE):
            return {}
        state = graph.states[self.state]
        at = 0 if self.kind == THEIRS_ALONE else self._listed(secret)
        worth = np.zeros(int(state["moves"]) * int(state["width"]))
        passes.offers(graph.states, graph.edges, weights, values, self.state, worth)
        steps = graph.edges["far"][state["edge"] :][: state["moves"]].tolist()
        column = worth.reshape(len(steps), -1)[:, at]
        return dict(zip(steps, (-column).tolist(), strict=True))

    def number_value(self, secret: int) -> float | None:
        """What a rival has to expect who is only a number."""
        *_, reach, values = self.side.answer
        if self.kind != MINE_ALONE or reach[self.state] == 0.0:
            return None
        begin = int(self.side.graph.states[self.state]["begin"])
        return -float(values[begin + self._listed(secret)])

    def _listed(self, secret: int) -> int:
        """The place of a secret of the rival among those that are possible."""
        now = self.side.running.left[self.doubts[self.side.seat - 1]]
        return int(np.searchsorted(now, secret & ~self.sprung[2 - self.side.seat]))


def started(side: Side) -> Stand:
    return Stand(side, len(side.graph.states) - 1)
