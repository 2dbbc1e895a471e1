"""Bounds on the value of Hidden Path: train two blind strategies, sharpen them, prove.

Four learners play against each other, two a side: one chooses a secret, one runs. What a
runner wants depends on the others only through the worth of arriving after so many moves,
so one iteration is a few passes over the nodes of one journey. Each learner follows CFR+
(Tammelin, 2014): regrets never below zero, turns taken, later iterations counting more.
"""

from __future__ import annotations

import math
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.games.hidden_path.solving.race.compiled import CompiledJourneys, kernel
from trapline.games.hidden_path.solving.race.journeys import GOAL
from trapline.games.hidden_path.solving.race.programs import TOLERANCE, refine
from trapline.games.hidden_path.solving.race.races import (
    ITERATIONS,
    RaceBounds,
    Strategy,
    bound,
    journeys_of,
)
from trapline.games.hidden_path.solving.race.responses import (
    OutOfTime,
    at_least,
    more_than,
    respond,
)
from trapline.solve.checkpoints import NOWHERE
from trapline.solve.interface import TooLarge, is_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.race.journeys import Floats, Ints, Journeys
    from trapline.solve.checkpoints import Checkpoint

    Progress = Callable[[int, float, float], None]
    """Told the iteration and the bounds proven so far."""

UNEXPECTED = 1e-3
"""How much a runner reckons with secrets the other does not use, so as to run well there."""

RARE = (1e-2, 1e-3)
"""Choices rarer than this are noise of the averages; which cut serves best is tried out."""

FIRST_LOOK = 100  # iterations before the bounds are looked at, then at twice as many
REFINEMENTS = 12
NEAR = (0.01, 0.003, 0.05)
"""How far refining looks: the first is tried at once, the others when it was not enough."""
PATIENCE = 2  # looks
MANY_JOURNEYS = 200_000
"""With more nodes, proving what a strategy is worth takes longer than somebody who is in a hurry
would wait; so one that has hardly been trained is not proven at all."""
AT_LEAST = 5.0
"""Seconds that a proof may take in any case, where there would be none else. What has hardly been
trained may take minutes: it runs everywhere."""


def bound_hidden_path(
    game: HiddenPath,
    *,
    width: float = 1e-9,
    iterations: int = ITERATIONS,
    seconds: float = 120.0,
    progress: Progress | None = None,
    checkpoint: Checkpoint = NOWHERE,
) -> RaceBounds:
    """Train until the bounds are that close, or iterations or time run out.

    An interrupt (Ctrl-C) ends the training too; what was proven by then is returned. Where that
    is nothing, and would take a while, the interrupt goes on to whoever asked.
    """
    began = time.monotonic()
    until = began + seconds
    journeys = journeys_of(game, CompiledJourneys, until)
    training = Training(journeys)
    first, second = (BlindSide(journeys, until, moves_first=moves) for moves in (True, False))

    def arrays() -> list[Floats]:
        """What was learnt, and the best that was found by then."""
        return [*training.arrays(), *first.arrays(), *second.arrays()]

    kept = checkpoint.take_up(arrays())
    if kept is not None:
        training.go_on_from(int(kept["iterations"]))
        for side in (first, second):
            side.prove_anew(int(kept["looks"]))

    def over() -> bool:
        return second.bound - first.bound <= width or time.monotonic() > until

    interrupted = False
    try:
        while training.iterations < iterations and not over():
            training.step()
            look = training.iterations / FIRST_LOOK
            if (look >= 1 and math.log2(look).is_integer()) or training.iterations == iterations:
                for side, trained in ((first, training.first()), (second, training.second())):
                    side.improve(trained, over)
                if progress is not None:
                    progress(training.iterations, first.bound, second.bound)
            numbers = {"iterations": training.iterations, "looks": first.looks}
            checkpoint.keep_now_and_then(arrays, numbers)
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interrupt(error):
            raise
        interrupted = True
    hurry = first.answers is None and len(journeys) > MANY_JOURNEYS
    by = -math.inf if hurry else max(until, time.monotonic() + AT_LEAST)
    for side, trained in ((first, training.first()), (second, training.second())):
        if side.answers is None and not side.is_proven(trained.without(RARE[0]), by):
            if interrupted:
                raise KeyboardInterrupt
            raise TooLarge(
                f"A runner may come to know {len(journeys):,} things on this path; there was no "
                "time to learn how to run. A shorter path or fewer traps make fewer."
            )
    spent = time.monotonic() - began
    assert first.answers is not None
    assert second.answers is not None
    answers = (first.answers, second.answers)
    return RaceBounds.of(journeys, first.best, second.best, training.iterations, spent, answers)


class BlindSide:
    """The strategy of one side that proves most so far."""

    def __init__(self, journeys: Journeys, until: float, *, moves_first: bool) -> None:
        self._journeys, self._until, self._moves_first = journeys, until, moves_first
        self.best, self.bound = anyhow(journeys), -1.0 if moves_first else 1.0
        self.answers: Floats | None = None
        """The best answers to it; None where it is not proven what it is worth."""
        self.looks = 0

    def arrays(self) -> list[Floats]:
        return [self.best.mixture, self.best.policy]

    def prove_anew(self, looks: int) -> None:
        """The arrays hold a strategy that was kept after so many looks."""
        self.looks = looks
        if looks:
            self.look_at(self.best, math.inf)

    def offer(self, strategy: Strategy) -> float:
        """How much closer this strategy's bound is than the best one before."""
        try:
            return self.look_at(strategy, self._until)
        except OutOfTime:
            return 0.0

    def is_proven(self, strategy: Strategy, until: float) -> bool:
        """Whether there is time to find out what it is worth, if it is anything so far."""
        try:
            self.look_at(strategy, until)
        except OutOfTime:
            return False
        return True

    def look_at(self, strategy: Strategy, until: float) -> float:
        """The same, or OutOfTime."""
        first = self._moves_first
        answers = respond(self._journeys, strategy, responder_first=not first, until=until)
        proven = bound(answers, moves_first=first)
        gain = proven - self.bound if first else self.bound - proven
        if gain > 0 or self.answers is None:
            self.best, self.bound, self.answers = strategy, proven, answers
        return gain

    def improve(self, trained: Strategy, over: Callable[[], bool]) -> None:
        for rare in RARE:
            self.offer(trained.without(rare))
        if self.answers is None:
            return
        self.looks += 1
        for near in NEAR if self.looks > PATIENCE else NEAR[:1]:
            self._refine(trained.without(RARE[-1]), near, over)

    def _refine(self, strategy: Strategy, near: float, over: Callable[[], bool]) -> None:
        idle = 0
        refined = refine(self._journeys, strategy, over, moves_first=self._moves_first, near=near)
        for better in islice(refined, REFINEMENTS):
            idle = 0 if self.offer(better) > TOLERANCE else idle + 1
            if idle > 1 or over():
                break


def anyhow(journeys: Journeys) -> Strategy:
    """Every secret and every move equally often."""
    secrets, legal = len(journeys.secrets), np.where(journeys.legal, 1.0, 0.0)
    return Strategy(np.full(secrets, 1 / secrets), legal / legal.sum(axis=1, keepdims=True))


class Training:
    """Two sides of two learners each, and how far they have come."""

    def __init__(self, journeys: Journeys) -> None:
        self.iterations = 0
        self._runners = (_Runner(journeys), _Runner(journeys))
        self._setters = (_Setter(len(journeys.secrets)), _Setter(len(journeys.secrets)))
        self._times = [runner.times() for runner in self._runners]

    def arrays(self) -> list[Floats]:
        """All that was learnt."""
        learners = (*self._runners, *self._setters)
        return [array for learner in learners for array in learner.arrays()]

    def go_on_from(self, iterations: int) -> None:
        """The arrays hold what others have learnt in so many iterations."""
        self.iterations = iterations
        self._times = [runner.times_anew() for runner in self._runners]

    def step(self) -> None:
        self.iterations += 1
        weight = float(self.iterations) ** 2
        for me in (0, 1):
            mine, theirs = self._setters[me], self._setters[1 - me]
            # Ties are the first mover's.
            outlasts = (at_least if me == 0 else more_than)(self._times[1 - me])
            self._runners[me].learn(theirs.mixture, mine.mixture @ outlasts, weight)
            self._times[me] = self._runners[me].times()
            mine.learn(outlasts @ (theirs.mixture @ self._times[me]), weight)

    def first(self) -> Strategy:
        return Strategy(self._setters[0].average(), self._runners[0].average())

    def second(self) -> Strategy:
        return Strategy(self._setters[1].average(), self._runners[1].average())


class _Setter:
    def __init__(self, secrets: int) -> None:
        self.mixture = np.full(secrets, 1 / secrets)
        self._regret = np.zeros(secrets)
        self._total = np.zeros(secrets)

    def arrays(self) -> list[Floats]:
        return [self.mixture, self._regret, self._total]

    def learn(self, worth: Floats, weight: float) -> None:
        self._regret = np.maximum(self._regret + worth - self.mixture @ worth, 0.0)
        total = self._regret.sum()
        equal = np.full(len(worth), 1 / len(worth))
        self.mixture = self._regret / total if total > 0 else equal
        self._total += weight * self.mixture

    def average(self) -> Floats:
        total = self._total.sum()
        return np.asarray(self._total / total) if total > 0 else self.mixture


class _Runner:
    def __init__(self, journeys: Journeys) -> None:
        self._journeys = journeys
        self._equal = np.full(len(journeys.secrets), 1 / len(journeys.secrets))
        self._regret = np.zeros(journeys.safe.shape)
        self._total = np.zeros(journeys.safe.shape)
        self._policy = anyhow(journeys).policy
        self._reach = journeys.reach(self._policy)

    def arrays(self) -> list[Floats]:
        return [self._regret, self._total, self._policy]

    def learn(self, mixture: Floats, worth: Floats, weight: float) -> None:
        """One step against a mixture of secrets, when arriving has that worth."""
        journeys = self._journeys
        mixture = (1 - UNEXPECTED) * mixture + UNEXPECTED * self._equal
        arrays = (journeys.safe, journeys.trap, journeys.legal, journeys.moves)
        _learn(*arrays, journeys.weights(mixture), worth, self._policy, self._regret)
        self._reach = journeys.reach(self._policy)
        _add(self._total, self._reach, self._policy, weight)

    def times_anew(self) -> Floats:
        """The same for a policy that came from elsewhere."""
        self._reach = self._journeys.reach(self._policy)
        return self.times()

    def times(self) -> Floats:
        return self._journeys.times(self._policy, self._reach)

    def average(self) -> Floats:
        total = self._total.sum(axis=1, keepdims=True)
        return np.where(total > 1e-12, self._total / np.maximum(total, 1e-12), self._policy)


@kernel
def _learn(
    safe: Ints,
    trap: Ints,
    legal: Any,
    moves: Ints,
    weight: Floats,
    worth: Floats,
    policy: Floats,
    regret: Floats,
) -> None:
    """Value every node under the policy, add to the regrets, and follow them."""
    value = np.zeros(len(safe))
    choices = np.zeros(safe.shape[1])
    for node in range(len(safe) - 1, -1, -1):
        for m in range(safe.shape[1]):
            good, bad = safe[node, m], trap[node, m]
            choices[m] = value[bad] if bad >= 0 else 0.0
            if good >= 0:
                choices[m] += value[good]
            elif good == GOAL:
                passed = weight[node] - (weight[bad] if bad >= 0 else 0.0)
                choices[m] += passed * worth[moves[node] + 1]
            value[node] += policy[node, m] * choices[m]
        total, count = 0.0, 0
        for m in range(safe.shape[1]):
            if legal[node, m]:
                regret[node, m] = max(0.0, regret[node, m] + choices[m] - value[node])
                total += regret[node, m]
                count += 1
        for m in range(safe.shape[1]):
            if legal[node, m]:
                policy[node, m] = regret[node, m] / total if total > 0.0 else 1.0 / count


@kernel
def _add(total: Floats, reach: Floats, policy: Floats, weight: float) -> None:
    for node in range(len(total)):
        if reach[node] > 0.0:
            for m in range(total.shape[1]):
                total[node, m] += weight * reach[node] * policy[node, m]
