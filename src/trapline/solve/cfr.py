"""Counterfactual regret minimisation on the public tree, in vectors over holdings.

Choosing a holding is one more decision of the same kind, taken before the first node.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve import kernels
from trapline.solve.best_response import Profile, certify, uniform
from trapline.solve.checkpoints import NOWHERE
from trapline.solve.interface import is_interrupt
from trapline.solve.regret import USUAL, Schedule, choose_anew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Certificate, Progress
    from trapline.solve.regret import Rule
    from trapline.solve.tree import Tree

    Floats = NDArray[np.float64]

CHECK_EVERY = 1.25
"""Exploitability is measured when the iterations have grown by this factor."""


class Result(NamedTuple):
    profile: Profile
    certificate: Certificate
    iterations: int
    interrupted: bool = False
    """Whether somebody has ended the search."""


class Learner:
    """The regrets and averages of both seats, and one iteration after another."""

    def __init__(self, tree: Tree, rule: str) -> None:
        self.tree = tree
        self.schedule = Schedule(rule)
        start = uniform(tree)
        self.strategy, self.mixes = start.table, start.mixes
        self.regret = np.zeros(tree.entries)
        self.total = np.zeros(tree.entries)
        self.mix_regrets = tuple(np.zeros(n) for n in tree.holdings)
        self.mix_totals = tuple(np.zeros(n) for n in tree.holdings)
        self.reaches = tuple(np.zeros(len(side.live)) for side in tree.sides)
        self.values = tuple(np.zeros(len(side.live)) for side in tree.sides)
        self.scratch = np.zeros((max(1, int(tree.nodes.actions.max())), max(tree.holdings)))
        for seat in (1, 2):
            self._run_down(seat)

    def arrays(self) -> list[Floats]:
        """All that it has learnt."""
        mixes = (*self.mixes, *self.mix_regrets, *self.mix_totals)
        return [self.strategy, self.regret, self.total, *mixes]

    def go_on_from(self, numbers: dict[str, float]) -> None:
        """The arrays hold what another has learnt."""
        self.schedule.go_on_from(numbers)
        for seat in (1, 2):
            self._run_down(seat)

    def iterate(self) -> None:
        rule = self.schedule.next()
        for seat in (1, 2):
            self._update(seat, rule)

    def average(self) -> Profile:
        """The weighted average of all strategies so far: what converges to equilibrium. Before the
        first iteration it is what that would have begun with."""
        table = normalised(self.tree, self.total)
        if not self.tree.chosen or not all(total.any() for total in self.mix_totals):
            return Profile(self.mixes, table)
        one, two = (total / total.sum() for total in self.mix_totals)
        return Profile((one, two), table)

    def _run_down(self, seat: int) -> None:
        reach, mix = self.reaches[seat - 1], self.mixes[seat - 1]
        reach[: len(mix)] = mix
        kernels.run_down(self.tree.nodes, self.tree.sides[seat - 1], seat, self.strategy, reach)

    def _update(self, seat: int, rule: Rule) -> None:
        nodes, index = self.tree.nodes, seat - 1
        mine, other = self.tree.sides[index], self.tree.sides[1 - index]
        values, reach = self.values[index], self.reaches[index]
        theirs = self.reaches[1 - index]
        kernels.end_values(nodes, mine, other, seat, self.tree.tables, theirs, values)
        kernels.learn(
            nodes,
            mine,
            seat,
            rule,
            self.schedule.weight,
            self.strategy,
            self.regret,
            self.total,
            reach,
            values,
            self.scratch,
        )
        if self.tree.chosen:
            count = self.tree.holdings[index]
            mix, regrets = self.mixes[index], self.mix_regrets[index]
            self.mix_totals[index][:] += self.schedule.weight * mix
            choose_anew(rule, mix, regrets, 0, 1, count, values[:count])
        self._run_down(seat)


def normalised(tree: Tree, totals: Floats) -> Floats:
    """Totals as chances, uniform where nothing was ever chosen."""
    table = np.empty(tree.entries)
    kernels.normalise(tree.nodes, tree.sides[0], tree.sides[1], totals, table)
    return table


def solve(
    tree: Tree,
    *,
    target: float = 1e-4,
    rule: str = USUAL,
    most_iterations: int = 1_000_000,
    deadline: float | None = None,
    progress: Progress | None = None,
    checkpoint: Checkpoint = NOWHERE,
) -> Result:
    """Iterate until the measured exploitability is at most `target`.

    Stops earlier at the deadline (of `time.monotonic`), and on Ctrl-C, with the best found.
    """
    learner = Learner(tree, rule)
    best: Result | None = None
    spare = uniform(tree)

    def arrays() -> list[Floats]:
        """What was learnt, and the best that was found by then."""
        proven = spare if best is None else best.profile
        return [*learner.arrays(), *proven.mixes, proven.table]

    kept = checkpoint.take_up(arrays())
    if kept is not None:
        learner.go_on_from(kept)
        best = _better(Result(spare, certify(tree, spare), learner.schedule.iteration), learner)
    check = 1
    try:
        while learner.schedule.iteration < most_iterations:
            learner.iterate()
            checkpoint.keep_now_and_then(arrays, learner.schedule.numbers)
            late = deadline is not None and time.monotonic() > deadline
            if learner.schedule.iteration < check and not late:
                continue
            check = int(learner.schedule.iteration * CHECK_EVERY) + 1
            best = _better(best, learner)
            if progress:
                progress(learner.schedule.iteration, best.certificate)
            if late or best.certificate.exploitability <= target:
                break
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interrupt(error):
            raise
        return (best or _better(best, learner))._replace(interrupted=True)
    return best or _better(best, learner)


def _better(best: Result | None, learner: Learner) -> Result:
    profile = learner.average()
    found = Result(profile, certify(learner.tree, profile), learner.schedule.iteration)
    if best and best.certificate.exploitability < found.certificate.exploitability:
        return best
    return found
