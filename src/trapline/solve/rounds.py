"""Many iterations of regret on a sequence form at once, in compiled code.

On a small tree an iteration is a few hundred sums, and to call each of its parts from here would
take ten times as long. Nothing else depends on how many are done at once: the sums are made in the
same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from trapline.solve.loops import Loop
from trapline.solve.regret import Rule, choose_anew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.regret import Schedule
    from trapline.solve.sequences import SequenceForm, Side

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

AT_ONCE = 2_000_000
"""So many sums, some milliseconds, and then whoever waits is asked again."""


class Payoffs(NamedTuple):
    """What seat 1 gets, row by row."""

    begin: Ints
    column: Ints
    payoff: Floats


class Learner(NamedTuple):
    """One seat's regrets, what it plays now, and the sum of what it has played."""

    parent: Ints
    first: Ints
    strategy: Floats
    plan: Floats
    total: Floats
    regret: Floats
    worth: Floats
    """Room for what each sequence brings."""

    def kept(self) -> list[Floats]:
        """All that it has learnt."""
        return [self.strategy, self.plan, self.total, self.regret]


def payoffs_of(form: SequenceForm) -> Payoffs:
    rows = csr_array(form.payoffs)
    return Payoffs(
        rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data.astype(np.float64)
    )


def learner_of(side: Side, strategy: Floats) -> Learner:
    plan, total, regret, worth = (np.zeros(side.size) for _ in range(4))
    plan[0] = 1.0
    run_down(side.parent, side.first, strategy, plan)
    return Learner(side.parent, side.first, strategy, plan, total, regret, worth)


def few_enough(payoffs: Payoffs, one: Learner, two: Learner) -> int:
    """How many iterations to do at once."""
    sums = 2 * len(payoffs.payoff) + len(one.plan) + len(two.plan)
    return max(1, AT_ONCE // sums)


def iterate(payoffs: Payoffs, one: Learner, two: Learner, schedule: Schedule, count: int) -> None:
    rules = np.zeros((count, len(Rule._fields) + 1))
    for row in rules:
        row[:-1] = schedule.next()
        row[-1] = schedule.weight
    _iterate(payoffs, one, two, rules)


@Loop
def _iterate(payoffs: Any, one: Any, two: Any, rules: Floats) -> None:
    for row in rules:
        rule = Rule(row[0], row[1], row[2], row[3] > 0.0, row[4], row[5])
        gains_of_first(payoffs, two.plan, one.worth)
        _learn(one, rule, row[6])
        gains_of_second(payoffs, one.plan, two.worth)
        _learn(two, rule, row[6])


@Loop
def gains_of_first(payoffs: Any, plan: Floats, worth: Floats) -> None:
    """For each sequence of seat 1, what the ends after it bring against the other's plan."""
    for row in range(len(worth)):
        gain = 0.0
        for at in range(payoffs.begin[row], payoffs.begin[row + 1]):
            gain += payoffs.payoff[at] * plan[payoffs.column[at]]
        worth[row] = gain


@Loop
def gains_of_second(payoffs: Any, plan: Floats, worth: Floats) -> None:
    worth[:] = 0.0
    for row in range(len(plan)):
        for at in range(payoffs.begin[row], payoffs.begin[row + 1]):
            worth[payoffs.column[at]] -= payoffs.payoff[at] * plan[row]


@Loop
def _learn(me: Any, rule: Any, weight: float) -> None:
    for a in range(len(me.plan)):
        me.total[a] += weight * me.plan[a]
    for i in range(len(me.parent) - 1, -1, -1):
        begin, end = me.first[i], me.first[i + 1]
        answers = me.worth[begin:end]
        got = choose_anew(rule, me.strategy, me.regret, begin, 1, end - begin, answers)
        me.worth[me.parent[i]] += got
    run_down(me.parent, me.first, me.strategy, me.plan)


@Loop
def run_down(parent: Ints, first: Ints, strategy: Floats, plan: Floats) -> None:
    for i in range(len(parent)):
        for a in range(first[i], first[i + 1]):
            plan[a] = plan[parent[i]] * strategy[a]


def averages(payoffs: Payoffs, one: Learner, two: Learner) -> tuple[Floats, Floats, float, float]:
    """Both seats' averages, and what they prove."""
    first, second = np.ones(len(one.plan)), np.ones(len(two.plan))
    normalise(one.first, one.total, first)
    normalise(two.first, two.total, second)
    lower, upper = proven(
        payoffs, (one.parent, one.first), (two.parent, two.first), (first, second)
    )
    return first, second, lower, upper


@Loop
def proven(payoffs: Any, one: Any, two: Any, strategies: Any) -> tuple[float, float]:
    """What seat 1 keeps against the best response to its strategy, and what the other lets it
    have; a side is its parents and its first sequences."""
    first, second = strategies
    plan, worth = np.ones(len(first)), np.zeros(len(second))
    run_down(one[0], one[1], first, plan)
    gains_of_second(payoffs, plan, worth)
    lower = -_best(two[0], two[1], worth)
    plan, worth = np.ones(len(second)), np.zeros(len(first))
    run_down(two[0], two[1], second, plan)
    gains_of_first(payoffs, plan, worth)
    return lower, _best(one[0], one[1], worth)


@Loop
def _best(parent: Ints, first: Ints, worth: Floats) -> float:
    for i in range(len(parent) - 1, -1, -1):
        best = worth[first[i]]
        for a in range(first[i] + 1, first[i + 1]):
            best = max(best, worth[a])
        worth[parent[i]] += best
    return float(worth[0])


@Loop
def normalise(first: Ints, plan: Floats, strategy: Floats) -> None:
    for i in range(len(first) - 1):
        whole = 0.0
        for a in range(first[i], first[i + 1]):
            whole += plan[a]
        for a in range(first[i], first[i + 1]):
            strategy[a] = plan[a] / whole if whole > 0.0 else 1.0 / (first[i + 1] - first[i])
