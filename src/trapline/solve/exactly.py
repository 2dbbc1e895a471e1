"""The value of a game as a fraction, from strategies that are only nearly right.

A solution found in floating point says which answers are given at all, and which answers of the
other are equally good against them. These are linear equations, and their solution in fractions is
the equilibrium that was meant. Whether it is one is not taken on trust: what each plan keeps
against the other's best answers is computed in fractions too, and only if both sides keep the same
is it the value.

FLINT solves the equations (`pip install 'trapline[exact]'`); without it there is no fraction.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.solve.sequences import EMPTY, plan_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.solve.sequences import Floats, SequenceForm, Strategies

    Row = dict[int, Fraction]
    Plan = list[Fraction]

NONE_AT_ALL = 1e-7
"""A chance, or a difference, that is meant to be nothing."""
MOST_UNKNOWNS = 4_000
"""Solving takes a second for a thousand, and about as many times more as the cube says."""
ROUND = 1_000
"""Chances that the equations leave open become fractions with at most this denominator."""


def plans(form: SequenceForm, strategies: Strategies) -> tuple[Plan, Plan] | None:
    """Best play of both seats in fractions, near to what was found; None where there is none."""
    if form.exact is None or find_spec("flint") is None:
        return None
    one, two = (_Equations(form, seat, strategies[seat - 1]).plan() for seat in (1, 2))
    return None if one is None or two is None else (one, two)


def value(form: SequenceForm, strategies: Strategies) -> Fraction | None:
    """The value for seat 1; None where it cannot be proven in fractions."""
    found = plans(form, strategies)
    return None if found is None else value_of(form, found)


def value_of(form: SequenceForm, found: tuple[Plan, Plan]) -> Fraction | None:
    """The same, if these plans prove it."""
    low, high = (_kept(form, seat, plan) for seat, plan in zip((1, 2), found, strict=True))
    return low if low == -high else None


def _kept(form: SequenceForm, seat: int, plan: Plan) -> Fraction:
    """What a plan gets at least, whatever the other answers."""
    rival = form.sides[2 - seat]
    worth = [Fraction(0)] * rival.size
    for mine, theirs, payoff in form.results(seat):
        worth[theirs] -= plan[mine] * payoff
    for i in range(len(rival.parent) - 1, -1, -1):
        worth[rival.parent[i]] += max(worth[rival.first[i] : rival.first[i + 1]])
    return -worth[EMPTY]


class _Equations:
    """What must hold, exactly, of a plan that is nearly one of best play.

    Unknowns are the chances of the sequences that are played at all, and what each decision of the
    other is then worth to the other.
    """

    def __init__(self, form: SequenceForm, seat: int, strategy: Floats) -> None:
        self.form, self.seat = form, seat
        self.mine, self.theirs = form.sides[seat - 1], form.sides[2 - seat]
        self.near = plan_of(self.mine, strategy)
        played = np.flatnonzero(self.near > NONE_AT_ALL)
        self.column = {int(sequence): at for at, sequence in enumerate(played)}
        self.played = len(self.column)
        self.decision = self._decisions()
        """The column of each decision of the other that the plan leads to."""
        self.unknowns = self.played + len(self.decision)

    def plan(self) -> list[Fraction] | None:
        """The chances of all sequences, in fractions."""
        if self.unknowns > MOST_UNKNOWNS:
            return None
        found = self._solved([*self._chances(), *self._best_answers()])
        if found is None or min(found[: self.played]) < 0:
            return None
        plan = [Fraction(0)] * self.mine.size
        for sequence, at in self.column.items():
            plan[sequence] = found[at]
        return plan

    def _decisions(self) -> dict[int, int]:
        """The last ones first. Elsewhere nothing can be won or lost, and nothing is unknown."""
        reached = np.zeros(self.theirs.size, np.bool_)
        reached[
            [theirs for mine, theirs, _ in self.form.results(self.seat) if mine in self.column]
        ] = True
        found: dict[int, int] = {}
        for i in range(len(self.theirs.parent) - 1, -1, -1):
            if reached[self.theirs.first[i] : self.theirs.first[i + 1]].any():
                reached[self.theirs.parent[i]] = True
                found[i] = self.played + len(found)
        return found

    def _chances(self) -> Iterator[Row]:
        """The answers of a decision share the chance of coming to it; the constant stands at -1."""
        yield {self.column[EMPTY]: Fraction(1), -1: Fraction(1)}
        for i, parent in enumerate(self.mine.parent.tolist()):
            if parent in self.column:
                answers = range(self.mine.first[i], self.mine.first[i + 1])
                row = {self.column[a]: Fraction(1) for a in answers if a in self.column}
                yield row | {self.column[parent]: Fraction(-1)}

    def _best_answers(self) -> Iterator[Row]:
        """A decision of the other is worth what each of its best answers is."""
        worth = self.form.gains(3 - self.seat, self.near)
        rows: list[Row] = [{} for _ in range(self.theirs.size)]
        for mine, theirs, payoff in self.form.results(self.seat):
            if mine in self.column:
                rows[theirs][self.column[mine]] = rows[theirs].get(self.column[mine], 0) + payoff
        for i, column in self.decision.items():
            answers = range(self.theirs.first[i], self.theirs.first[i + 1])
            best = max(worth[a] for a in answers)
            for a in answers:
                if worth[a] >= best - NONE_AT_ALL:
                    yield rows[a] | {column: Fraction(1)}
            parent = self.theirs.parent[i]
            worth[parent] += best
            rows[parent][column] = Fraction(-1)

    def _solved(self, rows: list[Row]) -> list[Fraction] | None:
        """A solution near the strategy; what the equations leave open stays as it is, rounded."""
        import flint

        width = self.unknowns + 1
        entries = [0] * (len(rows) * width)
        for at, row in enumerate(rows):
            whole = lcm(*(factor.denominator for factor in row.values()))
            for column, factor in row.items():
                entries[at * width + column % width] = int(factor * whole)
        reduced, scale, rank = flint.fmpz_mat(len(rows), width, entries).rref()
        pivots = _pivots(reduced, int(rank), width)
        if pivots and pivots[-1] == width - 1:
            return None  # they contradict each other: something was not nothing after all
        open_columns = sorted(set(range(self.unknowns)) - set(pivots))
        found = [Fraction(0)] * self.unknowns
        near = self._near()
        for column in open_columns:
            found[column] = Fraction(near[column]).limit_denominator(ROUND)
        for at, pivot in enumerate(pivots):
            rest = Fraction(int(reduced[at, width - 1]), int(scale))
            for column in open_columns:
                if reduced[at, column]:
                    rest -= Fraction(int(reduced[at, column]), int(scale)) * found[column]
            found[pivot] = rest
        return found

    def _near(self) -> list[float]:
        """The unknowns as the strategy has them."""
        worth = self.form.gains(3 - self.seat, self.near)
        values = []
        for i in self.decision:
            values.append(float(max(worth[self.theirs.first[i] : self.theirs.first[i + 1]])))
            worth[self.theirs.parent[i]] += values[-1]
        return [float(self.near[sequence]) for sequence in self.column] + values


def _pivots(reduced: Any, rank: int, width: int) -> list[int]:
    """The first column of each row that is not empty."""
    found: list[int] = []
    column = 0
    for at in range(rank):
        while column < width and not reduced[at, column]:
            column += 1
        found.append(column)
        column += 1
    return found
