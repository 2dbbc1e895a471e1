"""Two searches at once, one for each seat's bound, on graphs of few secrets.

A mixture of secrets that is followed uphill ends on one of many summits. So each seat tries many
beginnings, and goes on with the best few: in turn, a new one is tried as long as it keeps up, and
of the best the one is trained further that was trained least. What a seat might hide is told by the
other's search, in which it may hide anything.
"""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS, other
from trapline.games.hidden_path.solving.apart.graph import connect
from trapline.games.hidden_path.solving.apart.side import Secrets, Side, answered
from trapline.games.hidden_path.solving.apart.training import Apart, Learner
from trapline.games.hidden_path.solving.both import Standing, better, search_at_once, taken_up
from trapline.games.hidden_path.solving.doubts import explore
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Certificate, Request

    Mix = dict[int, float]
    """Secrets, as bits, and how likely each is."""

MOST_STATES = 3_000_000
FIRST_STATES, GROWS = 50_000, 2
"""A first graph may have as many states, and the next ones so many times as many: small ones tell
soon what to hide."""
WORTH = 0.01
"""Secrets that are hidden less often are not taken along to another beginning."""
LEVEL = 0.2
"""How much of a mixture is spread evenly over its secrets at the beginning."""
TRIED, FURTHER = 150, 1.5
"""How many iterations a beginning is tried for, and how many times as many the best has next."""
FIRST_LOOK, LOOK_AFTER = 16, 1.3
KEEPS_UP, EARLY = 0.4, 60
"""A beginning is given up that falls behind another by more, as a share of how far apart the bounds
are, but not before so many iterations."""
FEW = 3
"""Beginnings that are gone on with."""
WIDE = 24
"""Where nobody has told anything yet, any of so many secrets are tried, those with the last
steps."""
PATIENT = 12
"""After so many rounds that prove nothing new, a search ends."""
BYTES = 150.0 * FEW
"""For each state, about, with its vectors and tables."""


def search_apart(
    running: Hidden,
    lists: Mapping[Seat, set[int]],
    request: Request,
    last: float,
    known: Certificate,
) -> tuple[dict[Seat, Side], bool]:
    """The best of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    standing = Standing(request.target, known)
    told: dict[Seat, Mix] = {}
    climbs = [
        Rounds(
            seat, running, lists[seat], last, standing, told, request.checkpoint(f"apart {seat}")
        )
        for seat in SEATS
    ]
    stopped = search_at_once(climbs, standing, request)
    return {climb.seat: climb.best for climb in climbs if climb.best is not None}, stopped


class Trial:
    """A graph that is trained from one beginning."""

    def __init__(
        self, seat: Seat, running: Hidden, hiding: Hidden, graph: Graph, hurries: bool, mix: Mix
    ) -> None:
        self._seat, self._running, self._hurries = seat, running, hurries
        self.hiding, self._graph, self._secrets = hiding, graph, Secrets(hiding)
        chances = np.array([mix[secret] for secret in hiding.secrets])
        chances = (1 - LEVEL) * chances / chances.sum() + LEVEL / len(chances)
        self.learner = Learner(graph, self._secrets, chances)
        self.course: dict[int, float] = {}
        """What was kept after so many iterations."""
        self._look = FIRST_LOOK

    @property
    def states(self) -> int:
        return len(self._graph.states)

    def train(self, most: float, last: float) -> Iterator[Side]:
        """What it keeps, look by look."""
        learner = self.learner
        while learner.iterations < most:
            learner.iterate()
            late = time.monotonic() > last
            if learner.iterations < self._look and not late:
                continue
            self._look = int(self._look * LOOK_AFTER) + 1
            plan = learner.average()
            answer = answered(self._graph, self._secrets, plan)
            hidden = (self._running, self.hiding)
            side = Side(self._seat, *hidden, self._hurries, self._graph, plan, answer)
            self.course[learner.iterations] = float(side.first_values.min())
            yield side
            if late:
                break

    @property
    def kept(self) -> float:
        """The most so far."""
        return max(self.course.values(), default=-1.0)

    def behind(self, other: Trial) -> float:
        """How much more another has kept after as many iterations, as far as that is known."""
        at = self.learner.iterations
        return other.course.get(at, -1.0) - self.course.get(at, -1.0)


class Rounds:
    """One seat's search."""

    def __init__(
        self,
        seat: Seat,
        running: Hidden,
        secrets: set[int],
        last: float,
        standing: Standing,
        told: dict[Seat, Mix],
        checkpoint: Checkpoint,
    ) -> None:
        self.seat, self._running, self._last = seat, running, last
        self._standing, self._told, self._checkpoint = standing, told, checkpoint
        self._first: Mix = {secret: 1.0 / len(secrets) for secret in secrets}
        self._random = Random(seat)  # noqa: S311 - any beginnings will do
        self._few: list[Trial] = []
        self.best: Side | None = None

    @property
    def _ended(self) -> bool:
        late = time.monotonic() > self._last
        return self.best is not None and (self._standing.enough or late)

    def run(self) -> None:
        self._go_on_from_what_was_kept()
        rounds, in_vain = 0, 0
        while not self._ended and in_vain < PATIENT:
            before = self.best
            if not self._few or rounds % 2 == 0:
                trial = self._begin(rounds // 2)
                if trial is None:
                    break
                if self._train(trial, TRIED):
                    self._few = sorted([*self._few, trial], key=_kept, reverse=True)[:FEW]
            else:
                trial = min(self._few, key=_iterations)
                self._train(trial, FURTHER * trial.learner.iterations)
            rounds += 1
            in_vain = in_vain + 1 if self.best is before else 0

    def _go_on_from_what_was_kept(self) -> None:
        found = taken_up(self._checkpoint, (np.int64, np.float64, np.float64))
        if found is None:
            return
        kept, (support, mix, moves) = found
        if not set(support.tolist()) <= set(self._running.secrets):
            return  # it is of another game
        hiding, hurries = self._hiding(support.tolist()), bool(kept.get("hurries"))
        graph = connect(self.seat, self._running, hiding, MOST_STATES, hurries=hurries)
        if graph is None or (len(graph.edges), len(support)) != (len(moves), len(mix)):
            return
        plan = Apart(mix, moves)
        answer = answered(graph, Secrets(hiding), plan)
        self._offer(Side(self.seat, self._running, hiding, hurries, graph, plan, answer))
        self._first = self._best_mix

    def _hiding(self, secrets: list[int]) -> Hidden:
        doubts = self._running.doubts
        return explore(doubts.length, doubts.max_step, secrets, by_sprung=True)

    def _offer(self, side: Side) -> None:
        """What proves more than anything before is kept."""
        if self.best is not None and not better(self.seat, side.bound, self.best.bound):
            return
        self.best = side
        self._standing.note(self.seat, side.bound)
        arrays = [np.array(side.hiding.secrets), *side.plan]
        self._checkpoint.keep_now_and_then(lambda: arrays, {"hurries": float(side.hurries)})

    def _begin(self, number: int) -> Trial | None:
        """Another beginning; None where even one secret makes too many states, or time is up."""
        mix = self._mix(number)
        grown = FIRST_STATES * GROWS**number
        most = min(MOST_STATES, int(room() / len(SEATS) / BYTES), grown)
        ranked = sorted(mix, key=lambda secret: (mix[secret], secret), reverse=True)
        count = len(ranked)
        while count and not self._ended:
            hiding = self._hiding(ranked[:count])
            for hurries in (False, True):
                graph = connect(self.seat, self._running, hiding, most, hurries=hurries)
                if graph is not None and len(graph.states):
                    return Trial(self.seat, self._running, hiding, graph, hurries, mix)
            count = count * 2 // 3
        return self._begin(number + 1) if grown < MOST_STATES and not self._ended else None

    def _mix(self, number: int) -> Mix:
        """What to hide: at first what looks good, then what the other's search tells, alone or with
        the best; and every third time any of all these."""
        told, best = self._told.get(self.seat, {}), self._best_mix
        if not number:
            return self._first
        if not told or number % 3 == 0:
            known = {*self._first, *told, *best, *self._running.secrets[-WIDE:]}
            some = self._random.sample(sorted(known), max(1, len(known) // 3))
            return {secret: self._random.expovariate(1.0) for secret in some}
        if number % 3 == 1:
            return told
        return {s: best.get(s, 0.0) + told.get(s, 0.0) for s in {*best, *told}}

    @property
    def _best_mix(self) -> Mix:
        if self.best is None:
            return {}
        pairs = zip(self.best.hiding.secrets, self.best.plan.mix.tolist(), strict=True)
        return {secret: chance for secret, chance in pairs if chance > WORTH}

    def _train(self, trial: Trial, most: float) -> bool:
        """Whether it keeps up with the best."""
        for side in trial.train(most, self._last):
            self._offer(side)
            rivals = zip(self._running.secrets, trial.learner.rivals.tolist(), strict=True)
            self._told[other(self.seat)] = {s: chance for s, chance in rivals if chance > WORTH}
            if self._ended:
                break
            if trial not in self._few and trial.learner.iterations > EARLY and self._few:
                allowed = KEEPS_UP * self._standing.apart
                if max(trial.behind(one) for one in self._few) > allowed or trial.kept <= -1.0:
                    return False
        return True


def _kept(trial: Trial) -> float:
    return trial.kept


def _iterations(trial: Trial) -> int:
    return trial.learner.iterations
