"""Counterfactual regret minimisation on the public tree, in vectors over holdings.

Three rules share one update, seats taking turns:

- CFR+: Tammelin, "Solving large imperfect information games using CFR+" (2014);
- DCFR: Brown and Sandholm, "Solving imperfect-information games via discounted regret
  minimization" (AAAI 2019), with their α = 3/2, β = 0, γ = 2;
- PCFR+: Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
  approachability" (AAAI 2021), averaged with weights that grow as the square of time.

Choosing a holding is one more decision of the same kind, taken before the first node.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve import kernels
from trapline.solve.best_response import Profile, certify, uniform

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from trapline.solve.interface import Certificate, Progress
    from trapline.solve.tree import Tree

    Floats = NDArray[np.float64]

CHECK_EVERY = 1.25
"""Exploitability is measured when the iterations have grown by this factor."""


class Rule(NamedTuple):
    """How one iteration weighs, and what becomes of old regrets."""

    weight: float
    keep_gain: float
    keep_loss: float
    floor: bool
    predicts: bool


def cfr_plus(t: int) -> Rule:
    return Rule(float(t), 1.0, 1.0, True, False)


def dcfr(t: int) -> Rule:
    kept = (t - 1) ** 1.5
    return Rule(float(t) ** 2, kept / (kept + 1.0), 0.5, False, False)


def pcfr_plus(t: int) -> Rule:
    return Rule(float(t) ** 2, 1.0, 1.0, True, True)


RULES: dict[str, Callable[[int], Rule]] = {"cfr+": cfr_plus, "dcfr": dcfr, "pcfr+": pcfr_plus}


class Result(NamedTuple):
    profile: Profile
    certificate: Certificate
    iterations: int


class Learner:
    """The regrets and averages of both seats, and one iteration after another."""

    def __init__(self, tree: Tree, rule: Callable[[int], Rule]) -> None:
        self.tree = tree
        self.rule = rule
        self.iterations = 0
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

    def iterate(self) -> None:
        self.iterations += 1
        rule = self.rule(self.iterations)
        for seat in (1, 2):
            self._update(seat, rule)

    def average(self) -> Profile:
        """The weighted average of all strategies so far: what converges to equilibrium."""
        table = normalised(self.tree, self.total)
        if not self.tree.chosen:
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
            self.strategy,
            self.regret,
            self.total,
            reach,
            values,
            self.scratch,
        )
        if self.tree.chosen:
            count = self.tree.holdings[index]
            regrets, totals = self.mix_regrets[index], self.mix_totals[index]
            kernels.choose_anew(
                rule, self.mixes[index], regrets, totals, 0, 1, count, values[:count], rule.weight
            )
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
    rule: str = "pcfr+",
    most_iterations: int = 1_000_000,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Iterate until the measured exploitability is at most `target`.

    Stops earlier at the deadline (of `time.monotonic`), and on Ctrl-C, with the best found.
    """
    learner = Learner(tree, RULES[rule])
    best: Result | None = None
    check = 1
    try:
        while learner.iterations < most_iterations:
            learner.iterate()
            late = deadline is not None and time.monotonic() > deadline
            if learner.iterations < check and not late:
                continue
            check = int(learner.iterations * CHECK_EVERY) + 1
            best = _better(best, learner)
            if progress:
                progress(learner.iterations, best.certificate)
            if late or best.certificate.exploitability <= target:
                break
    except KeyboardInterrupt:
        pass
    except SystemError as error:  # an interrupt that was noticed in compiled code
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
    return best or _better(best, learner)


def _better(best: Result | None, learner: Learner) -> Result:
    profile = learner.average()
    found = Result(profile, certify(learner.tree, profile), learner.iterations)
    if best and best.certificate.exploitability < found.certificate.exploitability:
        return best
    return found
