"""The last digits of a blind strategy, by linear programs.

Training comes close and then slowly closer. What it has settled by then is which secrets
and moves matter; their exact chances are two linear programs, one for the secrets with the
running held fixed and one for the running with the secrets held fixed. Each keeps the
other side's best answer as low as it can. Answers enter one by one as they are found
(cutting planes), each the best run against what the program proposed before.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack

from trapline.games.hidden_path.solving.race.journeys import GOAL
from trapline.games.hidden_path.solving.race.races import Strategy
from trapline.games.hidden_path.solving.race.responses import at_least, more_than

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.games.hidden_path.solving.race.journeys import Floats, Ints, Journeys

TOLERANCE = 1e-10
ROUNDS = 200
LARGEST_DENOMINATOR = 60


def refine(
    journeys: Journeys,
    strategy: Strategy,
    over: Callable[[], bool],
    *,
    moves_first: bool,
    near: float,
) -> Iterator[Strategy]:
    """Ever better strategies, their choices among those of the given one.

    `near` is how far the programs look: at chances and at answers that are no further than
    this from the best so far. Where many strategies are equally good against runners who
    cannot see them, it decides which one is found, and thus how it fares against the rest.
    Ends when a program finds no solution, or time is over; otherwise it is for the caller to stop.
    """
    beats = more_than if moves_first else at_least
    mixture, policy = strategy.mixture, strategy.policy
    while True:
        mixture = _simple(mixture, near)
        better = _policy(journeys, mixture, policy, near, over, moves_first=moves_first)
        if better is None:
            return
        policy = better
        yield Strategy(mixture, policy)
        better = _mixture(journeys, mixture, beats(journeys.times(policy)), near, over)
        if better is None:
            return
        mixture = better
        yield Strategy(mixture, policy)


def _simple(mixture: Floats, near: float) -> Floats:
    """Chances that are nearly simple fractions are most likely meant to be."""
    chances = [Fraction(float(chance)).limit_denominator(LARGEST_DENOMINATOR) for chance in mixture]
    simple = np.array([float(chance) for chance in chances])
    return simple if sum(chances) == 1 and np.abs(simple - mixture).max() < near else mixture


def _mixture(
    journeys: Journeys, mixture: Floats, worth: Floats, near: float, over: Callable[[], bool]
) -> Floats | None:
    """The secrets with which the best answer, one of `worth`'s rows, gains least."""
    used = np.flatnonzero(mixture)
    # Bad proposals far away would cost a round each; round limits make for simple fractions.
    centre = np.round(mixture[used], math.ceil(-math.log10(near)))
    rows: list[Floats] = []
    promised = 0.0
    for _ in range(ROUNDS):
        if over():
            return None
        answers = journeys.best_runs(mixture, worth)
        best = max(gain for gain, _ in answers)
        if rows and best <= promised + TOLERANCE:
            break
        for (gain, run), row in zip(answers, worth, strict=True):
            if gain > max(promised, best - near):
                rows.append((journeys.times(run) @ row)[used])
        worth = worth[np.array([gain for gain, _ in answers]) > best - near]
        solved = linprog(
            np.append(np.zeros(len(used)), 1.0),
            A_ub=np.column_stack([np.array(rows), -np.ones(len(rows))]),
            b_ub=np.zeros(len(rows)),
            A_eq=np.append(np.ones(len(used)), 0.0)[None],
            b_eq=[1.0],
            bounds=[(max(0.0, chance - near), chance + near) for chance in centre] + [(0.0, 1.0)],
        )
        if solved.x is None:
            return None
        mixture = np.zeros(len(mixture))
        mixture[used] = np.maximum(solved.x[:-1], 0.0)
        mixture /= mixture.sum()
        promised = solved.fun
    return mixture


def _policy(
    journeys: Journeys,
    mixture: Floats,
    policy: Floats,
    near: float,
    over: Callable[[], bool],
    *,
    moves_first: bool,
) -> Floats | None:
    """The running with which the best answer, against these secrets, gains least."""
    beats = more_than if moves_first else at_least
    plan = _Plan(journeys, policy)
    close = np.arange(len(mixture))  # the other's secrets that may matter
    cuts: list[Floats] = []
    promised = 0.0
    for _ in range(ROUNDS):
        if over():
            return None
        answers = journeys.best_runs(mixture, beats(journeys.times(policy))[close])
        gains = np.array([gain for gain, _ in answers])
        best = gains.max()
        close = close[gains > best - 10 * near]
        if cuts and best <= promised + TOLERANCE:
            break
        for gain, run in answers:
            if gain > max(promised, best - near):
                arrives = mixture @ journeys.times(run)
                # How likely the answer arrives before a runner who needs so many moves.
                early = np.cumsum(arrives) - (arrives if moves_first else 0.0)
                if all(np.abs(early - cut).max() > TOLERANCE for cut in cuts):
                    cuts.append(early)
        solved = plan.solve(np.asarray(np.kron(np.eye(len(mixture)), np.array(cuts)), np.float64))
        if solved.x is None:
            return None
        policy = plan.policy(policy, solved.x)
        promised = solved.fun
    return policy


class _Plan:
    """A policy as a linear program sees it: how often each move at each node is made.

    The variables are those frequencies, the chance to end after so many moves for each
    secret, and last the best answer's chance of winning.
    """

    def __init__(self, journeys: Journeys, policy: Floats) -> None:
        reach = journeys.reach(policy)
        self._node, self._move = np.nonzero((reach[:, None] > 0) & (policy > 0))
        ends = len(journeys.secrets) * (journeys.longest + 1)
        self._size = len(self._node) + ends + 1
        self._balance = vstack([self._flow(journeys), self._ends(journeys)]).tocsr()
        self._start = np.zeros(self._balance.shape[0])
        self._start[0] = 1.0

    def _flow(self, journeys: Journeys) -> coo_array:
        """What leaves a node is what came to it; from the start leaves one."""
        edges = np.arange(len(self._node))
        nodes, numbers = np.unique(self._node, return_inverse=True)
        number = np.zeros(len(journeys), np.int64)
        number[nodes] = np.arange(len(nodes))
        rows, columns, entries = [numbers], [edges], [np.ones(len(edges))]
        for table in (journeys.safe, journeys.trap):
            to = table[self._node, self._move]
            rows.append(number[to[to >= 0]])
            columns.append(edges[to >= 0])
            entries.append(-np.ones(len(columns[-1])))
        return self._matrix(rows, columns, entries, len(nodes))

    def _ends(self, journeys: Journeys) -> coo_array:
        """The chance to end after so many moves, from the moves that end."""
        longest, first = journeys.longest + 1, len(self._node)
        ends = len(journeys.secrets) * longest
        rows, columns = [np.arange(ends)], [first + np.arange(ends)]
        entries = [np.ones(ends)]
        for edge in np.flatnonzero(journeys.safe[self._node, self._move] == GOAL):
            node = self._node[edge]
            caught = journeys.trap[node, self._move[edge]]
            passed = _possible(journeys, node)
            if caught >= 0:
                passed = np.setdiff1d(passed, _possible(journeys, caught))
            rows.append(passed * longest + journeys.moves[node] + 1)
            columns.append(np.full(len(passed), edge))
            entries.append(-np.ones(len(passed)))
        return self._matrix(rows, columns, entries, ends)

    def _matrix(
        self, rows: list[Ints], columns: list[Ints], entries: list[Floats], height: int
    ) -> coo_array:
        where = (np.concatenate(rows), np.concatenate(columns))
        return coo_array((np.concatenate(entries), where), shape=(height, self._size))

    def solve(self, cuts: Floats) -> Any:
        """Keep every cut, a row over the ends, as low as can be."""
        ends = cuts.shape[1]
        rows, columns = np.nonzero(cuts)
        where = (
            np.concatenate([rows, np.arange(len(cuts))]),
            np.concatenate([self._size - 1 - ends + columns, np.full(len(cuts), self._size - 1)]),
        )
        entries = np.concatenate([cuts[rows, columns], -np.ones(len(cuts))])
        cost = np.zeros(self._size)
        cost[-1] = 1.0
        return linprog(
            cost,
            A_ub=coo_array((entries, where), shape=(len(cuts), self._size)).tocsr(),
            b_ub=np.zeros(len(cuts)),
            A_eq=self._balance,
            b_eq=self._start,
        )

    def policy(self, policy: Floats, solution: Floats) -> Floats:
        """The policy with the frequencies of a solution; as it was where it never comes."""
        made = np.zeros(policy.shape)
        made[self._node, self._move] = np.maximum(solution[: len(self._node)], 0.0)
        total = made.sum(axis=1, keepdims=True)
        return np.where(total > 1e-9, made / np.maximum(total, 1e-9), policy)


def _possible(journeys: Journeys, node: int) -> Ints:
    return np.asarray(journeys.possible[journeys.span[node] : journeys.span[node + 1]])
