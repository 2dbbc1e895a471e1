"""One seat's half of a solution: its plan, what that proves, and where a match stands in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart import passes
from trapline.games.hidden_path.solving.apart.graph import (
    LOST,
    MINE,
    MINE_ALONE,
    THEIRS_ALONE,
)
from trapline.games.hidden_path.solving.duel.situation import Astray, landings_of
from trapline.games.hidden_path.solving.duel.training import SLACK
from trapline.solve.interface import evenly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import Seat, View
    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.apart.training import Apart
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.games.hidden_path.solving.duel.situation import Landing

    Floats = NDArray[np.float64]


class Secrets:
    """Which of the seat's secrets are possible in each of the rival's doubts."""

    def __init__(self, hiding: Hidden) -> None:
        lists = [left | gone for left, gone in zip(hiding.left, hiding.sprung, strict=True)]
        self._listed = np.searchsorted(np.array(hiding.secrets), np.concatenate(lists))
        self._within = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
        self.doubts, self._count = len(lists), len(hiding.secrets)

    def weights(self, mix: Floats) -> Floats:
        """How likely they are, all together, by doubt."""
        return np.asarray(np.bincount(self._within, mix[self._listed], self.doubts), float)

    def gains(self, by_doubt: Floats) -> Floats:
        """What the doubts bring in which a secret is possible, by secret."""
        return np.asarray(np.bincount(self._listed, by_doubt[self._within], self._count), float)


class Answer(NamedTuple):
    """What the seat gets by a plan where the rival does its best."""

    weights: Floats
    """Of the seat's secrets, by doubt of the rival."""
    reach: Floats
    """By state: 0 where the seat never comes, and nothing is known."""
    values: Floats


def answered(graph: Graph, secrets: Secrets, plan: Apart) -> Answer:
    states, edges, slots, *_ = graph
    weights = secrets.weights(plan.mix)
    reach, values = np.zeros(len(states)), np.zeros(graph.numbers)
    worth = np.zeros(int(states["moves"].max()) * int(states["width"][-1]))
    passes.own_reach(states, edges, weights, plan.moves, reach)
    passes.answer(states, edges, slots, weights, plan.moves, reach, values, worth)
    return Answer(weights, reach, values)


class Side(NamedTuple):
    """Seats are 1 for whoever moves first, and 2."""

    seat: Seat
    running: Hidden
    """What the seat may doubt: everything that the rules allow."""
    hiding: Hidden
    """What the rival may doubt: the secrets to which the seat keeps."""
    hurries: bool
    """Whether the seat keeps to moves that look good."""
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
        kept = float(self.first_values.min()) - SLACK
        return max(-1.0, kept) if self.seat == 1 else min(1.0, -kept)


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
        found = Stand(self.side, self._next(mine, steps, trapped), 3 - seat)
        found.places, found.doubts = list(self.places), list(self.doubts)
        found.sprung = list(self.sprung)
        found.places[me], found.doubts[me] = 0 if trapped else to, new
        found.sprung[1 - me] |= trapped << to
        return found

    def _next(self, mine: bool, steps: int, trapped: bool) -> int:
        """Where one runs alone, the other is only a number."""
        if self.state < 0 or self.kind == (THEIRS_ALONE if mine else MINE_ALONE):
            return self.state
        state = self.side.graph.states[self.state]
        for edge in self.side.graph.edges[state["edge"] :][: state["moves"]]:
            if edge["far"] == steps:
                return int(edge["after"][int(trapped)])
        raise Astray("the seat has given this move up")

    def row(self) -> dict[int, float] | None:
        """How often the seat makes each move; None where it has lost."""
        if self.state == LOST:
            return None
        if self.kind not in (MINE, MINE_ALONE):
            return self._surest()
        state = self.side.graph.states[self.state]
        part = slice(state["edge"], state["edge"] + state["moves"])
        steps = self.side.graph.edges["far"][part].tolist()
        return dict(zip(steps, self.side.plan.moves[part].tolist(), strict=True))

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

    def beliefs(self) -> dict[int, float]:
        """How likely each secret of the seat is, as bits."""
        rival = 2 - self.side.seat
        left = self.side.hiding.left[self.doubts[rival]]
        secrets = [int(traps) | self.sprung[self.side.seat - 1] for traps in left]
        mix = dict(zip(self.side.hiding.secrets, self.side.plan.mix.tolist(), strict=True))
        whole = sum(mix[secret] for secret in secrets)
        return {secret: mix[secret] / whole for secret in secrets} if whole > 0 else {}

    def values(self, secret: int) -> dict[int, float]:
        """What each of the rival's moves is worth to the rival, who hides this; empty where the
        graph does not say it."""
        graph, (weights, reach, values) = self.side.graph, self.side.answer
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
        _, reach, values = self.side.answer
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


def stand_of(side: Side, view: View) -> Stand:
    found = started(side)
    for landing in landings_of(view):
        found = found.after(landing)
    return found
