"""Training on the tree of a duel: regrets of every decision, of lone runs too, and bounds.

The rule is PCFR+ (Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
approachability", AAAI 2021), seats taking turns, later iterations counting more. A best response
to the average of all strategies so far then plays the whole game: every secret, every move, all
that a player may see. What it gets bounds the value from that side, whatever the training did.

Regrets that are never below zero make strategies that leave much out. What a seat never comes to
is worth nothing to the other, and is not looked at.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving import duel_kernels as kernels
from trapline.solve.interface import Certificate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel import Tree
    from trapline.solve.interface import Progress

    Floats = NDArray[np.float64]

SLACK = 1e-11
"""Bounds are moved outwards by this much: more than the rounding of some thousand sums."""
FIRST_LOOK = 16
LOOK_AFTER = 1.3
"""Bounds are proven when the iterations have grown by this factor."""
RARE = 1e-5
"""Moves rarer than this are left over from the first iterations, and left out."""


class Plan(NamedTuple):
    """How both seats play: their secrets, decisions and lone runs."""

    mixes: tuple[Floats, Floats]
    table: Floats
    lone: Floats


def uniform(tree: Tree) -> Plan:
    table, lone = np.zeros(tree.entries), np.zeros(tree.lone_entries)
    kernels.normalise(tree.duel, tree.runs, tree.doubts, table, lone)
    count = len(tree.hidden.secrets)
    return Plan((np.full(count, 1 / count), np.full(count, 1 / count)), table, lone)


class Room:
    """Arrays that one pass after another uses."""

    def __init__(self, tree: Tree) -> None:
        nodes = len(tree.duel.kind)
        self.reaches = tuple(np.zeros(width) for width in tree.widths)
        self.values = tuple(np.zeros(width) for width in tree.widths)
        self.visited = (np.zeros(nodes, np.int64), np.zeros(nodes, np.int64))
        self.counts = [0, 0]
        self.worth = np.zeros(tree.entries)
        most = int(np.diff(tree.runs.begin).max()) if len(tree.runs.rows) else 1
        self.points = np.zeros(most)

    def nodes(self, seat: int) -> NDArray[np.int64]:
        """Those to which a seat comes."""
        return self.visited[seat - 1][: self.counts[seat - 1]]


def reach(
    tree: Tree, seat: int, plan: Plan, room: Room, first: int = 0, weights: Floats | None = None
) -> Floats:
    """A seat's reach of every node after one; its reach of that one are the weights."""
    found = room.reaches[seat - 1]
    found[tree.live(first, seat)] = plan.mixes[seat - 1] if weights is None else weights
    last = int(tree.duel.end[first])
    room.counts[seat - 1] = kernels.reach_down(
        tree.duel, tree.doubts, seat, plan.table, found, room.visited[seat - 1], first, last
    )
    return found


def best_response(
    tree: Tree, seat: int, plan: Plan, room: Room, first: int = 0, weights: Floats | None = None
) -> Floats:
    """For each secret of a seat at a node, the most it can get against the other's plan."""
    theirs, values = reach(tree, 3 - seat, plan, room, first, weights), room.values[seat - 1]
    parts = (tree.duel, tree.runs, tree.doubts, seat, theirs, room.nodes(3 - seat), plan.lone)
    kernels.best_values(*parts, values, room.worth, room.points)
    return values[tree.live(first, seat)]


def certify(tree: Tree, plan: Plan, room: Room) -> Certificate:
    lower = -float(best_response(tree, 2, plan, room).max()) - SLACK
    upper = float(best_response(tree, 1, plan, room).max()) + SLACK
    return Certificate(max(-1.0, lower), min(1.0, upper))


class Learner:
    """The regrets and averages of both seats, and one iteration after another."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.room, self.iterations = tree, Room(tree), 0
        plan = uniform(tree)
        self.mixes = plan.mixes
        self.tables = (plan.table, np.zeros(tree.entries), np.zeros(tree.entries))
        self.lones = (plan.lone, np.zeros(tree.lone_entries), np.zeros(tree.lone_entries))
        count = len(tree.hidden.secrets)
        self.mix_regrets = (np.zeros(count), np.zeros(count))
        self.mix_totals = (np.zeros(count), np.zeros(count))
        self.reach_anew()

    def reach_anew(self) -> None:
        """Both seats' reach of what they play now, after something else was in its room."""
        for seat in (1, 2):
            self._reach(seat)

    def _reach(self, seat: int) -> None:
        reach(self.tree, seat, Plan(self.mixes, self.tables[0], self.lones[0]), self.room)

    def iterate(self) -> None:
        self.iterations += 1
        for seat in (1, 2):
            self._update(seat, float(self.iterations) ** 2)

    def _update(self, seat: int, weight: float) -> None:
        tree, room, at = self.tree, self.room, seat - 1
        parts, tables = (tree.duel, tree.runs, tree.doubts, seat), (self.tables, self.lones)
        values, mine = room.values[at], room.reaches[at]
        kernels.add_to_average(*parts, weight, mine, room.nodes(seat), *tables, room.points)
        self.mix_totals[at][:] += weight * self.mixes[at]
        theirs = room.reaches[1 - at], room.nodes(3 - seat)
        kernels.learn(*parts, *theirs, *tables, values, room.worth, room.points)
        count = len(tree.hidden.secrets)
        kernels.choose(self.mixes[at], self.mix_regrets[at], 0, 1, count, values, 0)
        self._reach(seat)

    def average(self) -> Plan:
        """The weighted average of all strategies so far: what converges to equilibrium."""
        table, lone = self.tables[2].copy(), self.lones[2].copy()
        parts = (self.tree.duel, self.tree.runs, self.tree.doubts)
        kernels.normalise(*parts, table, lone)
        table[table < RARE], lone[lone < RARE] = 0.0, 0.0
        kernels.normalise(*parts, table, lone)
        one, two = (_without_rare(total / total.sum()) for total in self.mix_totals)
        return Plan((one, two), table, lone)


def _without_rare(mix: Floats) -> Floats:
    kept = np.where(mix < RARE, 0.0, mix)
    return np.asarray(kept / kept.sum())


class Best:
    """Of all averages, the one of each seat that proves most."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.plan, self.proven = tree, uniform(tree), Certificate(-1.0, 1.0)

    def offer(self, plan: Plan, room: Room) -> None:
        found = certify(self.tree, plan, room)
        if found.lower > self.proven.lower:
            self._take_over(1, plan)
        if found.upper < self.proven.upper:
            self._take_over(2, plan)
        lower, upper = max(found.lower, self.proven.lower), min(found.upper, self.proven.upper)
        self.proven = Certificate(lower, upper)

    def _take_over(self, seat: int, plan: Plan) -> None:
        self.plan.mixes[seat - 1][:] = plan.mixes[seat - 1]
        parts = (self.tree.duel, self.tree.runs, self.tree.doubts, seat, plan.table, plan.lone)
        kernels.take_over(*parts, (self.plan.table, self.plan.lone))


def train(
    tree: Tree,
    enough: Callable[[Certificate], bool],
    *,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> tuple[Plan, Certificate]:
    """Iterate until the bounds are close enough, or time is up.

    An interrupt (Ctrl-C) ends the training too; the best found by then is returned.
    """
    learner, best = Learner(tree), Best(tree)
    look = FIRST_LOOK
    try:
        while not enough(best.proven):
            learner.iterate()
            late = deadline is not None and time.monotonic() > deadline
            if learner.iterations < look and not late:
                continue
            look = int(learner.iterations * LOOK_AFTER) + 1
            best.offer(learner.average(), learner.room)
            learner.reach_anew()
            if progress is not None:
                progress(learner.iterations, best.proven)
            if late:
                break
    except KeyboardInterrupt:
        pass
    except SystemError as error:  # an interrupt that was noticed in compiled code
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
    return best.plan, best.proven
