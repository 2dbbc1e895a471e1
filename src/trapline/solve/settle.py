"""Which positions are decided already, whatever the secrets still hidden there.

A position is settled when its mover has an action that wins with every secret that is still
possible, or when every action loses with all of them; and when no more than one secret is
possible on each side, since then nothing is hidden any more. The public tree need not grow
beyond such a position: its value is known for every pair of holdings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.solve.model import TooLarge

if TYPE_CHECKING:
    from trapline.solve.model import Branch, Model

Masks = tuple[int, int]

MOST_POSITIONS = 250_000
"""How many positions are looked at before a game counts as too large: about a minute."""


class Settled:
    """The values, for seat 1, of settled positions of a model whose play cannot go round."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._values: dict[tuple[Any, Masks], float | None] = {}

    def value(self, state: Any, masks: Masks) -> float | None:
        """The value of a settled position, None for one that is still open."""
        key = (state, masks)
        if key in self._values:
            return self._values[key]
        if len(self._values) > MOST_POSITIONS:
            raise TooLarge(
                "There are too many positions that differ in what the players know; "
                "a shorter path or fewer traps make fewer."
            )
        result = self._values[key] = self._work_out(state, masks)
        return result

    def best(self, state: Any, masks: Masks) -> list[Any]:
        """The actions that hold the value of a settled position."""
        value = self.value(state, masks)
        return [a for a in self.model.actions(state) if self.after(state, masks, a) == value]

    def after(self, state: Any, masks: Masks, action: Any) -> float | None:
        """The value after an action, None when it depends on what is hidden."""
        values = {
            self._branch_value(branch, kept)
            for branch in self.model.branches(state, action)
            if all(kept := _keep(masks, branch))
        }
        return values.pop() if len(values) == 1 else None

    def _branch_value(self, branch: Branch, masks: Masks) -> float | None:
        return branch.payoff if branch.state is None else self.value(branch.state, masks)

    def _work_out(self, state: Any, masks: Masks) -> float | None:
        sign = 1.0 if self.model.mover(state) == 1 else -1.0
        values = set()
        for action in self.model.actions(state):
            value = self.after(state, masks, action)
            if value == sign:
                return value
            values.add(value)
        if values == {-sign}:
            return -sign
        if masks[0].bit_count() == masks[1].bit_count() == 1:
            return max((v for v in values if v is not None), key=lambda v: sign * v)
        return None


def _keep(masks: Masks, branch: Branch) -> Masks:
    return masks[0] & branch.masks[0], masks[1] & branch.masks[1]
