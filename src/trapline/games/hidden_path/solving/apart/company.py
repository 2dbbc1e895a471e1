"""Plans that learn together, since one of them is to be drawn.

The rival hides before it is told which, so it learns what to hide against all of them at once, and
each of them what the others leave open. How often each is drawn moves slowly towards those that get
most, as a mixture of secrets does.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.apart.training import PACE, REMEMBERED, RULE, Hider
from trapline.solve.regret import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from trapline.games.hidden_path.solving.apart.side import Side
    from trapline.games.hidden_path.solving.apart.trial import Trial

MOST_TOGETHER = 8
"""So many learn together at most; those stay that are drawn most,"""
LEAST = 1e-3
"""and none is drawn more rarely."""
SECONDS, LOOKING = 2.0, 0.2
"""Seconds between two looks at least, and the share of all that looking may take."""


class Company:
    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = list(trials)
        self._hider = Hider(len(trials[0].learner.got))
        for k, mine in enumerate(self._hider.choices):
            mine[:] = np.mean([trial.learner.hider.choices[k] for trial in trials], axis=0)
        for trial in trials:
            trial.learner.hider = self._hider
        self._shares = np.full(len(trials), 1 / len(trials))
        self._schedule = Schedule(RULE)
        self._schedule.go_on_from({"iteration": REMEMBERED, "weight": 1.0})

    @property
    def by_share(self) -> list[Trial]:
        """What is drawn most first."""
        return [self.trials[k] for k in np.argsort(-self._shares, kind="stable")]

    def train(self, late: Callable[[], bool]) -> Iterator[list[Side]]:
        """What each keeps, look by look; the last look is when it is late."""
        ended = False
        while not ended:
            began = time.thread_time()
            pause = SECONDS
            while not ended and time.thread_time() - began < pause:
                self._iterate()
                ended = late()
            began = time.thread_time()
            yield [trial.look() for trial in self.trials]
            pause = max(SECONDS, (time.thread_time() - began) / LOOKING)

    def _iterate(self) -> None:
        rule, weight = self._schedule.next(), self._schedule.weight
        for trial in self.trials:
            trial.learner.iterate(alone=False)
        got = np.array([trial.learner.got for trial in self.trials])
        self._hider.learn(rule, weight, self._shares @ got)
        gains = got @ self._hider.chances
        pace = PACE / np.sqrt(self._schedule.iteration)
        wanted = np.maximum(self._shares * np.exp(pace * (gains - gains.max())), LEAST)
        self._shares = wanted / wanted.sum()
