"""A game with perfect recall in sequence form, and what can be computed on it.

A seat's sequence is the chain of its own answers so far. With perfect recall, all that a seat
has decided before an information set is one sequence; so each seat's decisions are a forest,
and what remains of the game's tree is a matrix: for each pair of sequences, the results of the
ends they lead to, weighted with chance (von Stengel, 1996). Best responses, regret and linear
programs need nothing else.

A plan gives each sequence the chance of all its answers together; a strategy gives each answer
its chance where it is asked for.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
import numpy as np
from scipy.sparse import csr_array

from trapline.solve import linear
from trapline.solve.checkpoints import NOWHERE
from trapline.solve.interface import Certificate
from trapline.solve.regret import USUAL, Schedule, choose_anew

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from numpy.typing import NDArray

    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Progress
    from trapline.solve.regret import Rule

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

EMPTY = 0
"""The sequence of somebody who has not answered anything yet."""
CHECK_EVERY = 1.25
"""Exploitability is measured when the iterations have grown by this factor."""


class Side(NamedTuple):
    """One seat's information sets, in the order in which play comes to them."""

    parent: Ints
    """The sequence that leads to each."""
    first: Ints
    """The sequences of its answers are first[i] … first[i + 1] − 1; the empty one comes before."""

    @property
    def size(self) -> int:
        """How many sequences there are."""
        return int(self.first[-1])


@dataclass(frozen=True)
class SequenceForm:
    sides: tuple[Side, Side]
    payoffs: Any
    """A sparse matrix: seat 1's sequences × seat 2's, what seat 1 gets, weighted with chance."""
    most: float
    """No result is larger than this."""
    exact: dict[tuple[int, int], Fraction] | None = None
    """The same payoffs as fractions, where they are known so."""

    def results(self, seat: int) -> Iterator[tuple[int, int, Fraction]]:
        """A seat's sequence, the other's, and what the seat gets, for all pairs that meet."""
        for (one, two), payoff in (self.exact or {}).items():
            yield (one, two, payoff) if seat == 1 else (two, one, -payoff)

    def gains(self, seat: int, plan: Floats) -> Floats:
        """For each sequence of a seat, what the ends after it bring against the other's plan."""
        return np.asarray(self.payoffs @ plan if seat == 1 else -(self.payoffs.T @ plan))


Strategies = tuple["Floats", "Floats"]


def uniform(side: Side) -> Floats:
    counts = np.diff(side.first)
    return np.concatenate([[1.0], np.repeat(1.0 / counts, counts)])


def best_response(form: SequenceForm, seat: int, other: Floats) -> float:
    """The most that a seat can get against the other's strategy."""
    side = form.sides[seat - 1]
    worth = form.gains(seat, plan_of(form.sides[2 - seat], other))
    best_answers(side.parent, side.first, worth, np.zeros(side.size))
    return float(worth[EMPTY])


def certify(form: SequenceForm, strategies: Strategies) -> Certificate:
    one, two = strategies
    return Certificate(-best_response(form, 2, one), best_response(form, 1, two))


def plan_of(side: Side, strategy: Floats) -> Floats:
    plan = np.ones(side.size)
    _run_down(side.parent, side.first, strategy, plan)
    return plan


@numba.njit(cache=True)
def _run_down(parent: Ints, first: Ints, strategy: Floats, plan: Floats) -> None:
    for i in range(len(parent)):
        for a in range(first[i], first[i + 1]):
            plan[a] = plan[parent[i]] * strategy[a]


@numba.njit(cache=True)
def best_answers(parent: Ints, first: Ints, worth: Floats, chosen: Floats) -> None:
    """Bring worth up, the best answer being chosen everywhere, equally good ones alike."""
    for i in range(len(parent) - 1, -1, -1):
        best = worth[first[i]]
        for a in range(first[i] + 1, first[i + 1]):
            best = max(best, worth[a])
        count = 0
        for a in range(first[i], first[i + 1]):
            chosen[a] = 1.0 if worth[a] >= best - 1e-12 else 0.0
            count += int(chosen[a])
        for a in range(first[i], first[i + 1]):
            chosen[a] /= count
        worth[parent[i]] += best


def strategy_of(side: Side, plan: Floats) -> Floats:
    """A plan as chances of each answer; equal ones where the plan never comes."""
    strategy = np.ones(side.size)
    _normalise(side.first, plan, strategy)
    return strategy


@numba.njit(cache=True)
def _normalise(first: Ints, plan: Floats, strategy: Floats) -> None:
    for i in range(len(first) - 1):
        whole = 0.0
        for a in range(first[i], first[i + 1]):
            whole += plan[a]
        for a in range(first[i], first[i + 1]):
            strategy[a] = plan[a] / whole if whole > 0.0 else 1.0 / (first[i + 1] - first[i])


# --- by regret --------------------------------------------------------------------------


class _Learner:
    """One seat's regrets, and the average of its plans."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.strategy = uniform(side)
        self.plan = plan_of(side, self.strategy)
        self.total = np.zeros(side.size)
        self._regret = np.zeros(side.size)

    def arrays(self) -> list[Floats]:
        """All that it has learnt."""
        return [self.strategy, self.plan, self.total, self._regret]

    def learn(self, worth: Floats, rule: Rule, weight: float) -> None:
        self.total += weight * self.plan
        _learn(self.side.parent, self.side.first, worth, rule, self._regret, self.strategy)
        self.plan = plan_of(self.side, self.strategy)

    def average(self) -> Floats:
        return strategy_of(self.side, self.total)


@numba.njit(cache=True)
def _learn(
    parent: Ints, first: Ints, worth: Floats, rule: Any, regret: Floats, strategy: Floats
) -> None:
    for i in range(len(parent) - 1, -1, -1):
        count, answers = first[i + 1] - first[i], worth[first[i] : first[i + 1]]
        worth[parent[i]] += choose_anew(rule, strategy, regret, first[i], 1, count, answers)


def by_regret(
    form: SequenceForm,
    *,
    target: float,
    rule: str = USUAL,
    deadline: float | None = None,
    progress: Progress | None = None,
    most_iterations: int = 1_000_000,
    checkpoint: Checkpoint = NOWHERE,
) -> Strategies:
    """Iterate until the measured exploitability is at most `target`.

    Stops earlier at the deadline (of `time.monotonic`), and on Ctrl-C, with the best found.
    """
    learners = tuple(_Learner(side) for side in form.sides)
    best: Strategies = (learners[0].strategy.copy(), learners[1].strategy.copy())
    schedule, check = Schedule(rule), 1

    def arrays() -> list[Floats]:
        """What was learnt, and the best that was found by then."""
        return [*learners[0].arrays(), *learners[1].arrays(), *best]

    kept = checkpoint.take_up(arrays())
    if kept is not None:
        schedule.go_on_from(kept)
    found = certify(form, best)
    try:
        for iteration in range(schedule.iteration + 1, most_iterations + 1):
            checkpoint.keep_now_and_then(arrays, schedule.numbers)
            now = schedule.next()
            for seat in (1, 2):
                worth = form.gains(seat, learners[2 - seat].plan)
                learners[seat - 1].learn(worth, now, schedule.weight)
            late = deadline is not None and time.monotonic() > deadline
            if iteration < check and not late:
                continue
            check = int(iteration * CHECK_EVERY) + 1
            tried = (learners[0].average(), learners[1].average())
            bounds = certify(form, tried)
            if bounds.exploitability < found.exploitability:
                best, found = tried, bounds
            if progress:
                progress(iteration, found)
            if late or found.exploitability <= target:
                break
    except KeyboardInterrupt:
        pass
    except SystemError as error:  # an interrupt that was noticed in compiled code
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
    return best


# --- by linear program ------------------------------------------------------------------


def by_program(form: SequenceForm, deadline: float | None = None) -> Strategies:
    """An exact equilibrium; NotSolved when `time.monotonic` passes the deadline."""
    one, two = (_constraints(side) for side in form.sides)
    payoffs = csr_array(form.payoffs)
    _, first = linear.best_plan(payoffs, one, two, deadline)
    _, second = linear.best_plan(csr_array(-payoffs.T), two, one, deadline)
    return strategy_of(form.sides[0], first), strategy_of(form.sides[1], second)


def _constraints(side: Side) -> Any:
    """For each information set: what its answers get together is what its sequence got."""
    sets = np.arange(1, len(side.parent) + 1)
    answers = np.arange(1, side.size)
    rows = np.concatenate([[0], sets, np.repeat(sets, np.diff(side.first))])
    columns = np.concatenate([[EMPTY], side.parent, answers])
    entries = np.concatenate([[1.0], np.full(len(sets), -1.0), np.ones(len(answers))])
    return csr_array((entries, (rows, columns)), shape=(len(sets) + 1, side.size))


# --- as it is played --------------------------------------------------------------------

NOISE = 1e-12
"""Chances smaller than this are left over from rounding, and not meant."""
UNEXPECTED = 1e-3
"""How much a player off the path reckons with answers that the other never gives."""


def completed(form: SequenceForm, strategies: Strategies) -> Strategies:
    """The same play where a seat's own answers lead, and good play everywhere else."""
    whole = [
        strategy_of(side, np.where(strategy < NOISE, 0.0, strategy))
        for side, strategy in zip(form.sides, strategies, strict=True)
    ]
    found = []
    for seat, side in enumerate(form.sides, 1):
        rival = form.sides[2 - seat]
        worth = form.gains(seat, plan_of(rival, unsure(rival, whole[2 - seat])))
        answers = np.ones(side.size)
        best_answers(side.parent, side.first, worth, answers)
        came = np.concatenate(
            [
                [True],
                np.repeat(plan_of(side, whole[seat - 1])[side.parent] > 0, np.diff(side.first)),
            ]
        )
        found.append(np.where(came, whole[seat - 1], answers))
    return found[0], found[1]


def unsure(side: Side, strategy: Floats) -> Floats:
    """The strategy of somebody who now and then answers anything."""
    return np.asarray((1 - UNEXPECTED) * strategy + UNEXPECTED * uniform(side))


def is_strategy(side: Side, strategy: Floats) -> bool:
    """Whether chances are chances: nothing below zero, and a sum of one everywhere."""
    if strategy.shape != (side.size,) or not np.all(strategy >= 0):
        return False
    sums = np.add.reduceat(strategy, side.first[:-1]) if len(side.parent) else np.ones(0)
    return bool(np.all(abs(sums - 1) < 1e-9))
