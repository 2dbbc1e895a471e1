"""The policy of an equilibrium on the public tree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import SEATS
from trapline.solve import best_response, kernels, situation
from trapline.solve.hope import Hope
from trapline.solve.model import GameModel
from trapline.solve.policy import Outlook, evenly
from trapline.solve.settle import Settled
from trapline.solve.situation import Reflection

if TYPE_CHECKING:
    from trapline.core import Game, Move, Seat, Secret, View
    from trapline.solve.best_response import Profile
    from trapline.solve.tree import Tree


class Place(NamedTuple):
    """A decision in the terms of the tree."""

    reflection: Reflection
    role: Seat
    holding: int
    node: int
    """The node of the decision, or the end of the tree where all became settled."""
    settled: bool
    state: Any
    masks: tuple[int, int]
    """Which holdings of each seat are still possible."""


class TreePolicy:
    """Plays a profile on the public tree, and nothing else: what is proven of it is played.

    A decision that seems lost against the solution's other player need not be lost against
    somebody else; so the profile has the last word there, too.
    """

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

    def secrets(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        role = reflection.seat(seat)
        pairs = zip(self.model.holdings[role - 1], self.profile.mixes[role - 1], strict=True)
        return {reflection.secret(secret): float(chance) for secret, chance in pairs}

    def secret_values(self, seat: Seat, first: Seat = 1) -> dict[Secret, float]:
        reflection = Reflection(self.game, first)
        role = reflection.seat(seat)
        values = best_response.root_values(self.tree, role, self.profile)
        pairs = zip(self.model.holdings[role - 1], values, strict=True)
        return {reflection.secret(secret): float(value) for secret, value in pairs}

    def chances(self, view: View) -> dict[Move, float]:
        at = self._place(view)
        chances = self._settled(at) if at.settled else self._mix(at)
        return {at.reflection.move(move): chance for move, chance in chances.items()}

    def look(self, view: View) -> Outlook:
        at = self._place(view)
        reflection, theirs = at.reflection, self.model.holdings[2 - at.role]
        beliefs = self._beliefs(at)
        values = self._settled_values(at) if at.settled else self._values(at, beliefs)
        return Outlook(
            self.chances(view),
            {reflection.move(move): value for move, value in values.items()},
            {reflection.secret(theirs[i]): float(b) for i, b in beliefs.items()},
        )

    def _place(self, view: View) -> Place:
        """Where in the tree a View is, and who looks."""
        assert view.seat is not None
        assert view.secret is not None
        reflection = Reflection(self.game, view.first)
        role = reflection.seat(view.seat)
        holding = self.model.holdings[role - 1].index(reflection.secret(view.secret))
        node, settled = 0, False
        state, masks = self.model.root, tuple((1 << len(h)) - 1 for h in self.model.holdings)
        for step in situation.follow(self.model, situation.turns(view, reflection)):
            if not settled:
                children = self.tree.children(node)
                actions = self.tree.nodes.action[children.start : children.stop]
                node = children[int(np.searchsorted(actions, step.action)) + step.branch]
                settled = not self.tree.nodes.mover[node]
            state, masks = step.state, step.masks
        return Place(reflection, role, holding, node, settled, state, (masks[0], masks[1]))

    def _beliefs(self, at: Place) -> dict[int, float]:
        """How likely each of the other's holdings is, by the other's mix and choices.

        Where all is settled, what was believed when it became so is kept, as far as it is
        still possible. Where the solution never comes, any holding is as likely.
        """
        seat = 3 - at.role
        side = self.tree.sides[seat - 1]
        reach = self.reaches[seat - 1][side.start[at.node] : side.start[at.node + 1]]
        live = zip(self.tree.live(at.node, seat).tolist(), reach.tolist(), strict=True)
        left = {i: chance for i, chance in live if at.masks[seat - 1] >> i & 1}
        whole = sum(left.values())
        if not whole:
            return dict.fromkeys(left, 1 / len(left))
        return {i: chance / whole for i, chance in left.items()}

    def _mix(self, at: Place) -> dict[Any, float]:
        """What the solution plays at an open decision."""
        mix = self.tree.table(self.profile.table, at.node)[:, self._column(at)].tolist()
        return dict(zip(self.model.actions(at.state), mix, strict=True))

    def _column(self, at: Place) -> int:
        return int(np.searchsorted(self.tree.live(at.node, at.role), at.holding))

    def _values(self, at: Place, beliefs: dict[int, float]) -> dict[Any, float]:
        """What each action gets against the solution if play goes on as well as possible."""
        built, mine, other_side = (
            self.tree,
            self.tree.sides[at.role - 1],
            self.tree.sides[2 - at.role],
        )
        theirs = np.zeros(len(other_side.live))
        theirs[other_side.start[at.node] : other_side.start[at.node + 1]] = list(beliefs.values())
        table = self.profile.table
        kernels.run_down(built.nodes, other_side, 3 - at.role, table, theirs, at.node)
        values = np.zeros(len(mine.live))
        room = best_response.scratch(built)
        kernels.end_values(built.nodes, mine, other_side, at.role, built.tables, theirs, values)
        kernels.best_values(built.nodes, mine, at.role, room, values)
        kernels.gather(built.nodes, mine, at.node, values, room)
        actions = tuple(self.model.actions(at.state))
        column = room[: len(actions), self._column(at)].tolist()
        return dict(zip(actions, column, strict=True))

    def _settled(self, at: Place) -> dict[Any, float]:
        """All is decided: keep what is won, and where it is lost let the other find the way.

        After a mistake it may be open again, and what does not lose for certain is tried.
        """
        hope = Hope(self.model, at.role, at.holding)
        actions = tuple(self.model.actions(at.state))
        worth = {a: self.settled.after(at.state, at.masks, a) for a in actions}
        if self.settled.value(at.state, at.masks) is None:
            loss = -1.0 if at.role == 1 else 1.0
            kept = [a for a, value in worth.items() if value != loss]
        else:
            kept = self.settled.best(at.state, at.masks)
        return evenly({a: hope.after(at.state, at.masks, a) for a in kept}, actions)

    def _settled_values(self, at: Place) -> dict[Any, float]:
        """What is certain of each action, and what to hope for where nothing is."""
        hope = Hope(self.model, at.role, at.holding)
        sign = 1.0 if at.role == 1 else -1.0
        worth = {a: self.settled.after(at.state, at.masks, a) for a in self.model.actions(at.state)}
        return {
            a: sign * value if value is not None else hope.after(at.state, at.masks, a)
            for a, value in worth.items()
        }
