"""The sequence-form linear program, solved by HiGHS: an independent exact value.

A strategy is written as the chances of a seat's own sequences of choices, which makes the
value bilinear and the equilibrium a linear program (Koller, Megiddo and von Stengel, 1996).
It needs the payoffs of all pairs of sequences, so it serves games that are small.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from trapline.solve.best_response import Profile, certify
from trapline.solve.cfr import normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.interface import Certificate
    from trapline.solve.tree import Tree

    Ints = NDArray[np.int64]


class Result(NamedTuple):
    profile: Profile
    certificate: Certificate
    value: float


class _Sequences(NamedTuple):
    """One seat's choices: after the empty sequence, holdings, then a number for each entry."""

    last: dict[int, Ints]
    """For each node: the seat's last choice on the way there, for each live holding."""
    constraints: Any
    """Rows of `constraints @ plan == (1, 0, 0, …)`: chances split at every choice."""
    size: int


class Bonds(NamedTuple):
    """What binds a seat's plans beside the rules."""

    never: tuple[int, ...]
    """Holdings that it never chooses."""
    same: tuple[tuple[int, int], ...]
    """Pairs of entries of a table that it comes to equally often."""


class NotSolved(ArithmeticError):
    """HiGHS gave up: out of time, or a numerical failure."""


def pairs(tree: Tree) -> int:
    """How many pairs of holdings meet at ends: what the program's size depends on most."""
    ends = np.diff(tree.nodes.first) == 0
    one, two = (np.diff(side.start) for side in tree.sides)
    return int((one * two)[ends].sum())


def solve(tree: Tree, deadline: float | None = None) -> Result:
    """An exact equilibrium; NotSolved when `time.monotonic` passes the deadline."""
    one, two = _sequences(tree, 1), _sequences(tree, 2)
    payoffs = _payoffs(tree, one, two)
    value, first = best_plan(payoffs, one.constraints, two.constraints, deadline)
    _, second = best_plan(csr_array(-payoffs.T), two.constraints, one.constraints, deadline)
    profile = _profile(tree, first, second)
    return Result(profile, certify(tree, profile), value)


def bound(tree: Tree, seat: int, bonds: Bonds, deadline: float | None = None) -> Profile:
    """The best that a seat can do whose plans are bound by more; the other moves anyhow."""
    mine, theirs = _sequences(tree, seat), _sequences(tree, 3 - seat)
    payoffs = _payoffs(tree, mine, theirs) if seat == 1 else -_payoffs(tree, theirs, mine).T
    constraints = vstack([mine.constraints, _bonds(tree, seat, bonds)], format="csr")
    _, plan = best_plan(csr_array(payoffs), constraints, theirs.constraints, deadline)
    anyhow = np.zeros(theirs.size)
    anyhow[: 1 + tree.holdings[2 - seat]] = 1.0
    return _profile(tree, *((plan, anyhow) if seat == 1 else (anyhow, plan)))


def _bonds(tree: Tree, seat: int, bonds: Bonds) -> Any:
    """Rows of `bonds @ plan == 0`."""
    entries = 1 + tree.holdings[seat - 1]
    never = [[(1 + holding, 1.0)] for holding in bonds.never]
    same = [[(entries + one, 1.0), (entries + two, -1.0)] for one, two in bonds.same]
    rows = [(i, *cell) for i, row in enumerate(never + same) for cell in row]
    count = entries + tree.entries
    found = np.array(rows).reshape(-1, 3)
    where = (found[:, 0].astype(np.int64), found[:, 1].astype(np.int64))
    return csr_array((found[:, 2], where), shape=(len(never) + len(same), count))


def _sequences(tree: Tree, seat: int) -> _Sequences:
    side, held = tree.sides[seat - 1], tree.holdings[seat - 1]
    entry_base = 1 + (held if tree.chosen else 0)
    last: dict[int, Ints] = {0: np.arange(1, 1 + held) if tree.chosen else np.zeros(held, np.int64)}
    rows = [(np.zeros(1, np.int64), np.zeros((0, 1), np.int64))]
    if tree.chosen:
        rows.append((np.zeros(1, np.int64), np.arange(1, 1 + held)[:, None]))
    for node in range(tree.size):
        here = last[node]
        table = None
        if tree.nodes.mover[node] == seat:
            table = entry_base + tree.table(np.arange(tree.entries), node)
            rows.append((here, table))
        for child in tree.children(node):
            slot = side.slot[side.start[child] : side.start[child + 1]]
            last[child] = here[slot] if table is None else table[tree.nodes.action[child], slot]
    count = entry_base + tree.entries
    return _Sequences(last, _constraints(rows, count), count)


def _constraints(rows: list[tuple[Ints, Ints]], count: int) -> Any:
    """For each choice: what its actions get together is what its last choice got."""
    data, row, column = [], [], []
    at = 0
    for before, after in rows:
        numbers = np.arange(at, at + len(before))
        # The very first row says that the empty sequence has chance one.
        data.append(np.full(len(before), 1.0 if at == 0 else -1.0))
        row.append(numbers)
        column.append(before)
        data.append(np.ones(after.size))
        row.append(np.tile(numbers, len(after)))
        column.append(after.ravel())
        at += len(before)
    parts = (np.concatenate(row), np.concatenate(column))
    return csr_array((np.concatenate(data), parts), shape=(at, count))


def _payoffs(tree: Tree, one: _Sequences, two: _Sequences) -> Any:
    data, row, column = [], [], []
    for node in range(tree.size):
        if tree.children(node):
            continue
        first, second = one.last[node], two.last[node]
        worth = np.full((len(first), len(second)), tree.nodes.payoff[node])
        table = tree.nodes.table[node]
        if table >= 0:
            worth *= tree.tables[table][np.ix_(tree.live(node, 1), tree.live(node, 2))]
        data.append(worth.ravel())
        row.append(np.repeat(first, len(second)))
        column.append(np.tile(second, len(first)))
    parts = (np.concatenate(row), np.concatenate(column))
    return csr_array((np.concatenate(data), parts), shape=(one.size, two.size))


def best_plan(payoffs: Any, mine: Any, theirs: Any, deadline: float | None) -> tuple[float, Any]:
    """The plan that guarantees most: maximise what the other's best answer leaves.

    `mine` and `theirs` are the constraints on plans. Variables are the plan, and the other's
    value at each of its choices, negated.
    """
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise NotSolved("There is no time left.")
    size, choices = mine.shape[1], theirs.shape[0]
    cost = np.zeros(size + choices)
    cost[size] = -1.0
    answers = hstack([-payoffs.T, theirs.T], format="csr")
    plans = hstack([mine, csr_array((mine.shape[0], choices))], format="csr")
    begin = np.zeros(mine.shape[0])
    begin[0] = 1.0
    bounds = [(0, None)] * size + [(None, None)] * choices
    limit = {} if left is None else {"time_limit": left}
    found = linprog(
        cost,
        answers,
        np.zeros(theirs.shape[1]),
        plans,
        begin,
        bounds,
        method="highs-ds",
        options=limit,
    )
    if not found.success:
        raise NotSolved(found.message)
    return -float(found.fun), np.maximum(found.x[:size], 0.0)


def _profile(tree: Tree, first: Any, second: Any) -> Profile:
    """Both plans as chances of the next action; each entry belongs to one seat alone."""
    if tree.chosen:
        bases = [1 + held for held in tree.holdings]
        mixes = tuple(p[1:b] / p[1:b].sum() for p, b in zip((first, second), bases, strict=True))
    else:
        bases = [1, 1]
        mixes = tuple(np.ones(held) for held in tree.holdings)
    totals = first[bases[0] :] + second[bases[1] :]
    return Profile((mixes[0], mixes[1]), normalised(tree, totals))
