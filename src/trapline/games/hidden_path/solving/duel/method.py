"""Hidden Path solved as a duel: both runners look at each other, on the tree of all they see."""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.duel.machine import DuelMachine
from trapline.games.hidden_path.solving.duel.policy import DuelPolicy
from trapline.games.hidden_path.solving.duel.tables import normalise
from trapline.games.hidden_path.solving.duel.training import Plan, Room, certify, train
from trapline.games.hidden_path.solving.duel.tree import Tree, build, measure, restored
from trapline.games.hidden_path.solving.patience import LONG, NARROW, is_final, worth_searching
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import Facts, Solution, TooLarge, bounds_facts, confirms, ranked
from trapline.solve.memory import room

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.duel.tree import Pair, Size
    from trapline.solve.interface import Certificate, Request


MOST_NODES = 12_000_000
"""In a larger tree nothing comes of minutes of training."""


class DuelSolution(Solution):
    def __init__(self, game: HiddenPath, facts: Facts, tree: Tree, kept: bytes) -> None:
        super().__init__(game, facts)
        self.tree, self.plan = tree, unpacked(tree, kept)
        self._rules, self._kept = game, kept

    @cached_property
    def policy(self) -> DuelPolicy:
        return DuelPolicy(self._rules, self.tree, self.plan)

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def machine(self, role: Seat) -> DuelMachine:
        return DuelMachine(self.policy, role)

    def pack(self) -> bytes:
        return self._kept


def packed(plan: Plan) -> bytes:
    parts = (*plan.mixes, plan.table, plan.lone)
    return b"".join(part.astype(np.float32).tobytes() for part in parts)


def unpacked(tree: Tree, kept: bytes) -> Plan:
    """A plan as it was kept, and no other is ever proven or played. ValueError for what is none."""
    counts = (len(tree.secrets(seat)) for seat in SEATS)
    values = np.frombuffer(kept, np.float32)
    ends = np.cumsum([*counts, tree.entries, tree.lone_entries])
    if len(values) != ends[-1] or not np.all(values >= 0):
        raise ValueError("the plan of another game")
    one, two, table, lone, _ = (part.astype(np.float64) for part in np.split(values, ends))
    tree.fit(normalise)(*tree.laid, table, lone)
    return Plan((one / one.sum(), two / two.sum()), table, lone)


class DuelMethod:
    """Right for Hidden Path alone."""

    name = "duel"

    def __init__(self, game: HiddenPath, seconds: float | None = None) -> None:
        self.game = game
        self._most = MOST_NODES if seconds is None else worth_searching(MOST_NODES, seconds)
        self._until = math.inf if seconds is None else time.monotonic() + seconds

    @cached_property
    def size(self) -> Size | None:
        """How large the tree is; None where it is larger than can be trained in the time."""
        return measure(self._hidden, self._most)

    @property
    def fits(self) -> bool:
        """Whether the tree can be searched here."""
        try:
            return self.size is not None and self.size.memory <= room()
        except TooLarge:
            return False

    @cached_property
    def _hidden(self) -> Pair:
        length, max_step = self.game.length, self.game.options.max_step
        both = explore(length, max_step, secrets_of(self.game), self._until)
        return both, both

    def solve(self, request: Request) -> DuelSolution:
        tree, began = self._tree(), time.monotonic()

        def enough(proven: Certificate) -> bool:
            if proven.exploitability <= request.target:
                return True
            return time.monotonic() - began > LONG and proven.upper - proven.lower <= NARROW

        plan, _ = train(
            tree,
            enough,
            deadline=request.deadline,
            progress=request.progress,
            checkpoint=request.checkpoint(self.name),
        )
        kept = packed(plan)
        facts = self._facts(request, tree, unpacked(tree, kept))
        return DuelSolution(self.game, facts, tree, kept)

    def restore(self, facts: Facts, data: bytes) -> DuelSolution | None:
        tree = restored(self._hidden, self._most)
        if tree is None:
            return None
        plan = unpacked(tree, data)
        if not confirms(facts, certify(tree, plan, Room(tree))):
            return None
        return DuelSolution(self.game, facts, tree, data)

    def _tree(self) -> Tree:
        size = self.size
        if size is None:
            raise TooLarge(
                f"There are more than {self._most:,} situations that both runners can see; a "
                "shorter path or fewer traps make fewer."
            )
        return build(self._hidden, size)

    def _facts(self, request: Request, tree: Tree, plan: Plan) -> Facts:
        found = bounds_facts(certify(tree, plan, Room(tree)))
        policy = DuelPolicy(self.game, tree, plan)
        one, two = (ranked(policy.secrets(role)) for role in SEATS)
        return facts_of(self.game, self.name, request, found, (one, two))
