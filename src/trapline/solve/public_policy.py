"""The policy of a profile on the public tree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SEATS, SECRET
from trapline.solve import best_response, levels
from trapline.solve.careless import Careless
from trapline.solve.completion import blend
from trapline.solve.decided import Decided
from trapline.solve.history import Place
from trapline.solve.interface import Outlook, evenly
from trapline.solve.machines import Standing
from trapline.solve.trembling import TREMBLE

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.solve.best_response import Profile
    from trapline.solve.decided import Masks
    from trapline.solve.model import GameModel
    from trapline.solve.tree import Tree


class TreePlace(Place):
    """A View, and the node of its decision, or the end of the tree where all became decided."""

    def __init__(self, model: GameModel, view: View, tree: Tree) -> None:
        super().__init__(model, view)
        self.node, self.decided = 0, False
        for step in self.steps:
            if self.decided:
                break
            self.node = tree.child(self.node, step.action, step.branch)
            self.decided = not tree.nodes.mover[self.node]


class PublicPolicy:
    """Plays a profile on the public tree, and nothing else: what is proven of it is played.

    A decision that seems lost against the solution's other player need not be lost against
    somebody else; so the profile has the last word there, too.
    """

    def __init__(self, model: GameModel, profile: Profile, built: Tree) -> None:
        self.model = model
        self.profile = profile
        self.tree = built
        self.decided = Decided(model)

    @cached_property
    def reaches(self) -> tuple[Any, Any]:
        one, two = (best_response.reach(self.tree, seat, self.profile) for seat in SEATS)
        return one, two

    def place(self, view: View) -> TreePlace:
        return TreePlace(self.model, view, self.tree)

    def chances(self, view: View) -> dict[Form, float]:
        at = self.place(view)
        if at.question.asks == SECRET:
            return at.secrets(self.profile.mixes[at.role - 1], at.role)
        node = -1 if at.decided else at.node
        return at.answers(self.row(Standing(at.state, at.masks, at.holding, node), at.role))

    def look(self, view: View) -> Outlook:
        at = self.place(view)
        if at.question.asks == SECRET:
            values, hopes = (
                at.secrets(best_response.root_values(self.tree, at.role, profile), at.role)
                for profile in (self.profile, self.erring)
            )
            believed = at.secrets(self.profile.mixes[at.rival - 1], at.rival)
            fates = best_response.mean_root_values(self.tree, at.role, self.erring)
            return Outlook(self.chances(view), values, believed, hopes, at.secrets(fates, at.role))
        beliefs = self._beliefs(at)
        guessed: frozenset[Form] = frozenset()
        likely: dict[Form, float] = {}
        if at.decided:
            careless = Careless(self.model, at.role, at.holding)
            hopes_of = {
                a: careless.after(at.state, at.masks, a) for a in self.model.actions(at.state)
            }
            certain = self._certain_values(at)
            worth = {a: hopes_of[a] if value is None else value for a, value in certain.items()}
            unsure = {a: float(value is None) for a, value in certain.items()}
            guessed = frozenset(form for form, yes in at.answers(unsure).items() if yes)
        else:
            worth = self._values(at, beliefs, self.profile)
            hopes_of = self._values(at, beliefs, self.erring)
            likely = at.answers(self._values(at, beliefs, self.erring, own=self.erring))
        return Outlook(
            self.chances(view),
            at.answers(worth),
            at.secrets(beliefs, at.rival),
            at.answers(hopes_of),
            likely,
            guessed,
        )

    @cached_property
    def erring(self) -> Profile:
        """The profile as somebody plays it who now and then gives any answer at all."""
        return blend(self.profile, best_response.uniform(self.tree), TREMBLE)

    def row(self, standing: Standing, role: Seat) -> dict[int, float]:
        """The same for a place that was come to without a View."""
        state, masks, holding, node = standing
        if node < 0:
            return self._kept(state, masks, role, holding)
        return self._mix(state, node, role, holding)

    def _beliefs(self, at: TreePlace) -> dict[int, float]:
        """How likely each of the other's holdings is, by the other's mix and choices.

        Where all is decided, what was believed when it became so is kept, as far as it is
        still possible. Where the solution never comes, any holding is as likely.
        """
        side = self.tree.sides[at.rival - 1]
        reach = self.reaches[at.rival - 1][side.start[at.node] : side.start[at.node + 1]]
        live = zip(self.tree.live(at.node, at.rival).tolist(), reach.tolist(), strict=True)
        left = {i: chance for i, chance in live if at.masks[at.rival - 1] >> i & 1}
        whole = sum(left.values())
        if not whole:
            return dict.fromkeys(left, 1 / len(left))
        return {i: chance / whole for i, chance in left.items()}

    def _mix(self, state: Any, node: int, role: Seat, holding: int) -> dict[int, float]:
        """What the solution plays at an open decision."""
        column = self._column(node, role, holding)
        mix = self.tree.table(self.profile.table, node)[:, column].tolist()
        return dict(zip(self.model.actions(state), mix, strict=True))

    def _column(self, node: int, role: Seat, holding: int) -> int:
        return int(np.searchsorted(self.tree.live(node, role), holding))

    def _values(
        self,
        at: TreePlace,
        beliefs: dict[int, float],
        profile: Profile,
        own: Profile | None = None,
    ) -> dict[int, float]:
        """What each action gets against a profile if play goes on by one's `own`, or else as well
        as possible."""
        built, theirs = self.tree, self.tree.sides[at.rival - 1]
        reach = np.zeros(len(theirs.live))
        reach[theirs.start[at.node] : theirs.start[at.node + 1]] = list(beliefs.values())
        levels.run_down(built, at.rival, profile.table, reach, at.node)
        values = levels.end_values(built, at.role, reach)
        if own is None:
            levels.best_values(built, at.role, values)
        else:
            levels.mean_values(built, at.role, own.table, values)
        worth = levels.action_values(built, at.role, at.node, values)
        actions = tuple(self.model.actions(at.state))
        column = worth[:, self._column(at.node, at.role, at.holding)].tolist()
        return dict(zip(actions, column, strict=True))

    def _kept(self, state: Any, masks: Masks, role: Seat, holding: int) -> dict[int, float]:
        """All is decided: keep what is won, and where it is lost let the other find the way.

        After a mistake it may be open again, and what does not lose for certain is tried.
        """
        careless = Careless(self.model, role, holding)
        actions = tuple(self.model.actions(state))
        if self.decided.value(state, masks) is None:
            loss = -1.0 if role == 1 else 1.0
            kept = [a for a in actions if self.decided.after(state, masks, a) != loss]
        else:
            kept = self.decided.best(state, masks)
        return evenly({a: careless.after(state, masks, a) for a in kept}, actions)

    def _certain_values(self, at: TreePlace) -> dict[int, float | None]:
        """What is certain of each action; None where it depends on what is hidden."""
        sign = 1.0 if at.role == 1 else -1.0
        after = {a: self.decided.after(at.state, at.masks, a) for a in self.model.actions(at.state)}
        return {a: None if value is None else sign * value for a, value in after.items()}
