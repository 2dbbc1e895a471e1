"""The policy of an equilibrium on the public tree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SEATS
from trapline.solve import best_response, kernels, situation
from trapline.solve.hope import Hope
from trapline.solve.model import GameModel
from trapline.solve.policy import Outlook, evenly
from trapline.solve.settle import Settled
from trapline.solve.situation import Reflection

if TYPE_CHECKING:
    from trapline.core import Game, Seat, Secret, View
    from trapline.solve.best_response import Profile
    from trapline.solve.tree import Tree

LOST = -1 + 1e-6
"""A position no better than this is lost; then only the other's mistakes can help."""


class TreePolicy:
    """Plays an approximate equilibrium on the public tree."""

    def __init__(self, game: Game[Any, Any], profile: Profile, built: Tree) -> None:
        self.game = game
        self.profile = profile
        self.tree = built
        self.model = GameModel(game)
        self.settled = Settled(self.model)

    @cached_property
    def reaches(self) -> tuple[Any, Any]:
        one, two = (best_response.reach(self.tree, seat, self.profile) for seat in SEATS)
        return one, two

    @cached_property
    def careless(self) -> Profile:
        """An opponent who hides and moves at random."""
        return best_response.uniform(self.tree)

    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        role = reflection.seat(seat)
        mix = self.profile.mixes[role - 1]
        if best_response.root_values(self.tree, role, self.profile).max() <= LOST:
            hopes = best_response.root_values(self.tree, role, self.careless)
            mix = (hopes > hopes.max() - 1e-9) / np.count_nonzero(hopes > hopes.max() - 1e-9)
        pairs = zip(self.model.holdings[role - 1], mix, strict=True)
        return {reflection.secret(secret): float(chance) for secret, chance in pairs}

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        role = reflection.seat(seat)
        values = best_response.root_values(self.tree, role, self.profile)
        pairs = zip(self.model.holdings[role - 1], values, strict=True)
        return {reflection.secret(secret): float(value) for secret, value in pairs}

    def look(self, view: View) -> Outlook:
        assert view.seat is not None
        assert view.secret is not None
        reflection = Reflection(self.game, view.first)
        role = reflection.seat(view.seat)
        node, state, masks = self._find(situation.turns(view, reflection))
        mine = self.model.holdings[role - 1].index(reflection.secret(view.secret))
        theirs = self.model.holdings[2 - role]
        if node is None:
            beliefs = {i: 1.0 for i in range(len(theirs)) if masks[2 - role] >> i & 1}
            chances, values = self._settled(state, masks, role, mine)
        else:
            reach = self._reach(node, 3 - role)
            beliefs = dict(zip(self.tree.live(node, 3 - role).tolist(), reach, strict=True))
            chances, values = self._open(node, state, role, mine, reach)
        whole = sum(beliefs.values())
        return Outlook(
            {reflection.move(move): chance for move, chance in chances.items()},
            {reflection.move(move): value for move, value in values.items()},
            {reflection.secret(theirs[i]): float(b) / whole for i, b in beliefs.items()},
        )

    def _find(self, history: list[situation.Turn]) -> tuple[int | None, Any, tuple[int, int]]:
        """The node of a history; None where the tree ends because all is settled."""
        node: int | None = 0
        state, masks = self.model.root, (-1, -1)
        for step in situation.follow(self.model, history):
            if node is not None:
                children = self.tree.children(node)
                actions = self.tree.nodes.action[children.start : children.stop]
                node = children[int(np.searchsorted(actions, step.action)) + step.branch]
                node = node if self.tree.nodes.mover[node] else None
            state, masks = step.state, step.masks
        return node, state, masks

    def _reach(self, node: int, seat: int) -> Any:
        """The other's reach; where the solution never comes, any live secret is as likely."""
        side = self.tree.sides[seat - 1]
        reach = self.reaches[seat - 1][side.start[node] : side.start[node + 1]]
        return reach / reach.sum() if reach.sum() > 1e-12 else np.full(len(reach), 1 / len(reach))

    def _open(
        self, node: int, state: Any, role: int, holding: int, reach: Any
    ) -> tuple[dict[Any, float], dict[Any, float]]:
        """The solution's mix, and what each action gets if play goes on as well as possible."""
        actions = tuple(self.model.actions(state))
        column = int(np.searchsorted(self.tree.live(node, role), holding))
        values = self._worth(node, role, self.profile, reach)[: len(actions), column]
        worth = {a: float(value) for a, value in zip(actions, values, strict=True)}
        if max(values) <= LOST:
            hopes = self._worth(node, role, self.careless, np.full(len(reach), 1 / len(reach)))
            column_hopes = hopes[: len(actions), column].tolist()
            return evenly(dict(zip(actions, column_hopes, strict=True)), actions), worth
        mix = self.tree.table(self.profile.table, node)[:, column]
        return {a: float(chance) for a, chance in zip(actions, mix, strict=True)}, worth

    def _worth(self, node: int, role: int, profile: Profile, reach: Any) -> Any:
        """Actions × live holdings: best play from here on against a profile and a reach."""
        built, mine, other_side = self.tree, self.tree.sides[role - 1], self.tree.sides[2 - role]
        theirs = np.zeros(len(other_side.live))
        theirs[other_side.start[node] : other_side.start[node + 1]] = reach
        kernels.run_down(built.nodes, other_side, 3 - role, profile.table, theirs, node)
        values = np.zeros(len(mine.live))
        room = best_response.scratch(built)
        kernels.end_values(built.nodes, mine, other_side, role, built.tables, theirs, values)
        kernels.best_values(built.nodes, mine, role, room, values)
        kernels.gather(built.nodes, mine, node, values, room)
        return room

    def _settled(
        self, state: Any, masks: tuple[int, int], role: Seat, holding: int
    ) -> tuple[dict[Any, float], dict[Any, float]]:
        """All is decided: keep what is won, and where it is lost let the other find the way."""
        hope = Hope(self.model, role, holding)
        best = {
            action: hope.after(state, masks, action) for action in self.settled.best(state, masks)
        }
        sign = 1.0 if role == 1 else -1.0
        actions = tuple(self.model.actions(state))
        worth = {a: self.settled.after(state, masks, a) for a in actions}
        values = {
            a: sign * v if v is not None else hope.after(state, masks, a) for a, v in worth.items()
        }
        return evenly(best, actions), values
