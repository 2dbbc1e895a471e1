"""A graph that is trained, and what that tells of both seats."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart.habits import Habits, own_habits, rivals_habits
from trapline.games.hidden_path.solving.apart.side import Beliefs, Side, answered
from trapline.games.hidden_path.solving.apart.training import Learner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.graph import Graph, Manner
    from trapline.games.hidden_path.solving.doubts import Hidden

    Mix = dict[int, float]
    """Secrets, as bits, and how likely each is."""

LEVEL = 0.2
"""How much of a mixture is spread evenly over its secrets at the beginning."""
FIRST_LOOK, LOOK_AFTER, LOOKING = 16, 1.3, 0.3
"""Bounds are proven after so many iterations, then whenever they have grown by this factor and
looking has taken no more than this share of the time."""
MORE = 1e-4
"""Who keeps no more than this above what was kept before looks in vain."""


class Known(NamedTuple):
    """What a seat does."""

    hides: Mix
    habits: Habits


class Trial:
    def __init__(
        self,
        seat: Seat,
        hidden: tuple[Hidden, Hidden],
        manner: Manner,
        graph: Graph,
        mix: Mix,
        before: Trial | None,
    ) -> None:
        """What was learnt before, on another graph, is gone on with."""
        self._seat, self._manner, self._graph = seat, manner, graph
        self._running, self.hiding = hidden
        self._beliefs, secrets = Beliefs(self.hiding, graph), self.hiding.secrets
        chances = np.array([mix[secret] for secret in secrets])
        chances = (1 - LEVEL) * chances / chances.sum() + LEVEL / len(chances)
        self.learner = Learner(graph, self._beliefs, chances)
        if before is not None:
            listed = {secret: k for k, secret in enumerate(before.hiding.secrets)}
            places = np.array([listed.get(secret, -1) for secret in secrets], np.int32)
            self.learner.go_on_from(before.learner, places)
        self._look = self.learner.iterations + FIRST_LOOK
        self._last: Side | None = None
        self._seconds, self._looking = 0.0, 0.0
        """In all, and of looking."""
        self.kept, self.in_vain = -1.0, 0
        """The most so far, and how many looks have found no more."""
        self._course: list[tuple[int, float]] = []
        """After how many iterations on this graph it was looked at, and what was kept by then."""

    @property
    def states(self) -> int:
        return len(self._graph.states)

    @property
    def knowing(self) -> int:
        return self._manner.knowing

    @property
    def iterations(self) -> int:
        return self.learner.iterations

    @property
    def promise(self) -> float:
        """What it may keep in the end: there is still to gain about half of what was gained by the
        last half of its iterations. Who was looked at once promises nothing."""
        made, kept = self._course[-1]
        before = next(then for after, then in self._course if 2 * after >= made)
        return kept + (kept - before) / 2

    def train(self, late: Callable[[], bool]) -> Iterator[Side]:
        """What it keeps, look by look; the last look is when it is late."""
        ended = False
        while not ended:
            began = time.thread_time()
            self.learner.iterate()
            self._seconds += time.thread_time() - began
            ended = late()
            if self._due or ended:
                yield self.look()

    @property
    def _due(self) -> bool:
        enough = self.learner.iterations >= self._look
        return enough and self._looking <= LOOKING * self._seconds

    def look(self) -> Side:
        began, due = time.thread_time(), self._due
        plan = self.learner.average()
        answer = answered(self._graph, self._beliefs, plan)
        hidden = (self._running, self.hiding)
        self._last = Side(self._seat, *hidden, self._manner, self._graph, plan, answer)
        kept = float(self._last.first_values.min())
        if kept > self.kept + MORE:
            self.in_vain = 0
        elif due:  # a look before that is none in vain
            self.in_vain += 1
        if due:
            self._look = int(self.learner.iterations * LOOK_AFTER) + 1
        self.kept = max(kept, self.kept)
        self._course.append((self.learner.made, self.kept))
        self._looking += time.thread_time() - began
        self._seconds += time.thread_time() - began
        return self._last

    def own(self) -> Known:
        """What the seat does."""
        assert self._last is not None
        flow, answer = self.learner.flow, self._last.answer
        hides = zip(self.hiding.secrets, self._last.plan.mix.tolist(), strict=True)
        habits = own_habits(self._running.doubts, self._graph, flow, answer.weights)
        return Known(dict(hides), habits)

    def rivals(self) -> Known:
        """What the rival does, who may do anything."""
        assert self._last is not None
        flow, answer = self.learner.flow, self._last.answer
        hides = zip(self._running.secrets, self.learner.rivals.tolist(), strict=True)
        habits = rivals_habits(self.hiding.doubts, self._graph, flow, answer.weights)
        return Known(dict(hides), habits)


def gone_on_with(side: Side) -> Trial:
    """A plan that was found before, trained on the same graph. What it keeps counts from now on: it
    has to find its way back first."""
    mix = dict(zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True))
    hidden = (side.running, side.hiding)
    trial = Trial(side.seat, hidden, side.manner, side.graph, mix, None)
    trial.learner.rehearse(side.plan)
    return trial
