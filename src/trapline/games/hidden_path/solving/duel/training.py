"""Training on the tree of a duel: regrets of every decision, of lone runs too, and bounds.

The rule is one of `trapline.solve.regret`, seats taking turns. A best response to the average of
all strategies so far then plays the whole game: every secret on its list, every move, all that a
player may see. What it gets bounds the value from that side, whatever the training did.

Regrets that are never below zero make strategies that leave much out. What a seat never comes to
is worth nothing to the other, and is not looked at.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.duel import passes
from trapline.games.hidden_path.solving.duel.tables import normalise, take_over
from trapline.solve.checkpoints import NOWHERE
from trapline.solve.interface import Certificate, is_interrupt
from trapline.solve.regret import Schedule, choose_anew

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel.tree import Tree
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Progress
    from trapline.solve.regret import Rule

    Floats = NDArray[np.float64]

RULE = "pdcfr+"
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
    tree.fit(normalise)(*tree.laid, table, lone)
    one, two = (np.full(len(tree.secrets(seat)), 1 / len(tree.secrets(seat))) for seat in (1, 2))
    return Plan((one, two), table, lone)


class Room:
    """Arrays that one pass after another uses."""

    def __init__(self, tree: Tree) -> None:
        nodes = len(tree.nodes)
        self.reaches = tuple(np.zeros(width) for width in tree.widths)
        self.values = tuple(np.zeros(width) for width in tree.widths)
        self.visited = (np.zeros(nodes, np.int32), np.zeros(nodes, np.int32))
        self.counts = [0, 0]
        self.worth = np.zeros(tree.entries)
        most = int((tree.runs.runs["end"] - tree.runs.runs["begin"]).max(initial=1))
        self.spare = np.zeros(most)

    def nodes(self, seat: int) -> NDArray[np.int32]:
        """Those to which a seat comes."""
        return self.visited[seat - 1][: self.counts[seat - 1]]


def reach(
    tree: Tree, seat: int, plan: Plan, room: Room, first: int = 0, weights: Floats | None = None
) -> Floats:
    """A seat's reach of every node after one; its reach of that one are the weights."""
    found = room.reaches[seat - 1]
    found[tree.live(first, seat)] = plan.mixes[seat - 1] if weights is None else weights
    room.counts[seat - 1] = tree.fit(passes.reach_down)(
        tree.laid.nodes, tree.slots, seat, plan.table, found, room.visited[seat - 1], first
    )
    return found


def best_response(
    tree: Tree, seat: int, plan: Plan, room: Room, first: int = 0, weights: Floats | None = None
) -> Floats:
    """For each secret of a seat at a node, the most it can get against the other's plan."""
    theirs, values = reach(tree, 3 - seat, plan, room, first, weights), room.values[seat - 1]
    nodes, runs = tree.laid
    parts = (nodes, tree.slots, runs, seat, theirs, room.nodes(3 - seat), plan.lone)
    tree.fit(passes.best_values)(*parts, values, room.worth, room.spare)
    return values[tree.live(first, seat)]


def certify(tree: Tree, plan: Plan, room: Room) -> Certificate:
    lower = -float(best_response(tree, 2, plan, room).max()) - SLACK
    upper = float(best_response(tree, 1, plan, room).max()) + SLACK
    return Certificate(max(-1.0, lower), min(1.0, upper))


class Learner:
    """The regrets and averages of both seats, and one iteration after another."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.room, self.schedule = tree, Room(tree), Schedule(RULE)
        plan = uniform(tree)
        self.mixes = plan.mixes
        self.tables = (plan.table, np.zeros(tree.entries), np.zeros(tree.entries))
        self.lones = (plan.lone, np.zeros(tree.lone_entries), np.zeros(tree.lone_entries))
        one, two = plan.mixes
        self.mix_regrets = (np.zeros(len(one)), np.zeros(len(two)))
        self.mix_totals = (np.zeros(len(one)), np.zeros(len(two)))
        self.reach_anew()

    def arrays(self) -> list[Floats]:
        """All that it has learnt."""
        mixes = (*self.mixes, *self.mix_regrets, *self.mix_totals)
        return [*self.tables, *self.lones, *mixes]

    def go_on_from(self, numbers: dict[str, float]) -> None:
        """The arrays hold what another has learnt."""
        self.schedule.go_on_from(numbers)
        self.reach_anew()

    @property
    def iterations(self) -> int:
        return self.schedule.iteration

    def reach_anew(self) -> None:
        """Both seats' reach of what they play now, after something else was in its room."""
        for seat in (1, 2):
            self._reach(seat)

    def _reach(self, seat: int) -> None:
        reach(self.tree, seat, Plan(self.mixes, self.tables[0], self.lones[0]), self.room)

    def iterate(self) -> None:
        rule = self.schedule.next()
        for seat in (1, 2):
            self._update(seat, rule, self.schedule.weight)

    def _update(self, seat: int, rule: Rule, weight: float) -> None:
        tree, room, at = self.tree, self.room, seat - 1
        tables = (self.tables, self.lones)
        values, mine = room.values[at], room.reaches[at]
        parts = (tree.nodes, tree.runs, seat, weight, mine, room.nodes(seat))
        passes.add_to_average(*parts, *tables, room.spare)
        self.mix_totals[at][:] += weight * self.mixes[at]
        both = (rule, tree.nodes, tree.slots, tree.runs, seat)
        theirs = (room.reaches[1 - at], room.nodes(3 - seat))
        passes.learn(*both, *theirs, *tables, values, room.worth, room.spare)
        mix = self.mixes[at]
        choose_anew(rule, mix, self.mix_regrets[at], 0, 1, len(mix), values)
        self._reach(seat)

    def average(self) -> Plan:
        """The weighted average of all strategies so far: what converges to equilibrium."""
        table, lone = self.tables[2].copy(), self.lones[2].copy()
        parts = (self.tree.nodes, self.tree.runs)
        normalise(*parts, table, lone)
        table[table < RARE], lone[lone < RARE] = 0.0, 0.0
        normalise(*parts, table, lone)
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
        parts = (self.tree.nodes, self.tree.runs, seat, plan.table, plan.lone)
        take_over(*parts, (self.plan.table, self.plan.lone))


class Training:
    """A search of one tree, which may be left and gone on with."""

    def __init__(self, tree: Tree, checkpoint: Checkpoint = NOWHERE) -> None:
        self._learner, self._best, self._checkpoint = Learner(tree), Best(tree), checkpoint
        self._look = FIRST_LOOK
        kept = checkpoint.take_up(self._arrays())
        if kept is not None:
            self._best.offer(self._best.plan, self._learner.room)
            self._learner.go_on_from(kept)
            self._look = max(self._look, self._learner.iterations + 1)

    @property
    def tree(self) -> Tree:
        return self._learner.tree

    @property
    def plan(self) -> Plan:
        return self._best.plan

    @property
    def proven(self) -> Certificate:
        return self._best.proven

    def _arrays(self) -> list[Floats]:
        """What was learnt, and the best that was found by then."""
        best = self._best.plan
        return [*self._learner.arrays(), *best.mixes, best.table, best.lone]

    def go_on(
        self,
        enough: Callable[[Certificate], bool],
        deadline: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Iterate until the bounds are close enough, or time is up."""
        learner = self._learner
        while not enough(self.proven):
            learner.iterate()
            self._checkpoint.keep_now_and_then(self._arrays, learner.schedule.numbers)
            late = deadline is not None and time.monotonic() > deadline
            if learner.iterations < self._look and not late:
                continue
            self._look = int(learner.iterations * LOOK_AFTER) + 1
            self._best.offer(learner.average(), learner.room)
            learner.reach_anew()
            if progress is not None:
                progress(learner.iterations, self.proven)
            if late:
                break


def train(
    tree: Tree,
    enough: Callable[[Certificate], bool],
    *,
    deadline: float | None = None,
    progress: Progress | None = None,
    checkpoint: Checkpoint = NOWHERE,
) -> tuple[Plan, Certificate]:
    """Iterate until the bounds are close enough, or time is up.

    An interrupt (Ctrl-C) ends the training too; the best found by then is returned.
    """
    training = Training(tree, checkpoint)
    try:
        training.go_on(enough, deadline, progress)
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interrupt(error):
            raise
    return training.plan, training.proven
