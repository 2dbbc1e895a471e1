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

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from trapline.solve import linear, rounds
from trapline.solve.checkpoints import NOWHERE
from trapline.solve.interface import Certificate, is_interrupt
from trapline.solve.loops import Loop
from trapline.solve.regret import USUAL, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from numpy.typing import NDArray

    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Progress

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

EMPTY = 0
"""The sequence of somebody who has not answered anything yet."""
FIRST_CHECK = 8
"""Exploitability is measured after so many iterations, or after the first if they take long."""
CHECK_EVERY = 1.25
"""And when they have grown by this factor."""


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


def certify(form: SequenceForm, strategies: Strategies) -> Certificate:
    one, two = form.sides
    return Certificate(*rounds.proven(rounds.payoffs_of(form), one, two, strategies))


def plan_of(side: Side, strategy: Floats) -> Floats:
    plan = np.ones(side.size)
    rounds.run_down(side.parent, side.first, strategy, plan)
    return plan


@Loop
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
    rounds.normalise(side.first, plan, strategy)
    return strategy


# --- by regret --------------------------------------------------------------------------


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
    payoffs = rounds.payoffs_of(form)
    one, two = (rounds.learner_of(side, uniform(side)) for side in form.sides)
    best: Strategies = (one.strategy.copy(), two.strategy.copy())
    schedule, at_once = Schedule(rule), rounds.few_enough(payoffs, one, two)
    check = min(FIRST_CHECK, at_once)

    def arrays() -> list[Floats]:
        """What was learnt, and the best that was found by then."""
        return [*one.kept(), *two.kept(), *best]

    found = Certificate(-math.inf, math.inf)
    kept = checkpoint.take_up(arrays())
    if kept is not None:
        schedule.go_on_from(kept)
        check, found = schedule.iteration + 1, certify(form, best)
    try:
        while schedule.iteration < most_iterations:
            checkpoint.keep_now_and_then(arrays, schedule.numbers)
            wanted = min(check, most_iterations) - schedule.iteration
            rounds.iterate(payoffs, one, two, schedule, min(wanted, at_once))
            late = deadline is not None and time.monotonic() > deadline
            if schedule.iteration < check and not late:
                continue
            check = int(schedule.iteration * CHECK_EVERY) + 1
            first, second, *proven = rounds.averages(payoffs, one, two)
            bounds = Certificate(*proven)
            if bounds.exploitability < found.exploitability:
                best, found = (first, second), bounds
            if progress:
                progress(schedule.iteration, found)
            if late or found.exploitability <= target:
                break
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interrupt(error):
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
