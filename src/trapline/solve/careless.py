"""What to expect, a few moves ahead, of somebody who can err, where all is decided but for that.

Used only between actions that are equally good against best play (`trembling` says who errs how).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.solve.trembling import TREMBLE

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.solve.model import Branch, GameModel

DEPTH = 4
"""How many moves are looked ahead; beyond that a game counts as even."""


class Careless:
    """For one player with one holding, in a model whose secrets are fixed."""

    def __init__(self, model: GameModel, hero: Seat, holding: int) -> None:
        self.model = model
        self.hero = hero
        self.mine = 1 << holding

    def after(self, state: Any, masks: tuple[int, int], action: Any, depth: int = DEPTH) -> float:
        """The expected result of an action, every secret of the other equally likely."""
        mean, whole = 0.0, 0
        for branch in self.model.branches(state, action):
            one, two = self._keep(masks, branch)
            weight = (two if self.hero == 1 else one).bit_count()
            if weight and (one if self.hero == 1 else two) & self.mine:
                mean += weight * self._value(branch, (one, two), depth)
                whole += weight
        return mean / whole if whole else 0.0

    def _value(self, branch: Branch, masks: tuple[int, int], depth: int) -> float:
        if branch.state is None:
            return branch.payoff if self.hero == 1 else -branch.payoff
        if not depth:
            return 0.0
        state: Any = branch.state
        actions = self.model.actions(state)
        values = [self.after(state, masks, action, depth - 1) for action in actions]
        if self.model.mover(state) == self.hero:
            return max(values)
        return (1 - TREMBLE) * min(values) + TREMBLE * sum(values) / len(values)

    @staticmethod
    def _keep(masks: tuple[int, int], branch: Branch) -> tuple[int, int]:
        return masks[0] & branch.masks[0], masks[1] & branch.masks[1]
