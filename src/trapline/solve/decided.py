"""Which positions are decided already, whatever the secrets still hidden there.

A position is decided when its mover has an action that wins with every secret that is still
possible, or when every action loses with all of them; and when no more than one secret is
possible on each side, since then nothing is hidden any more. The public tree need not grow
beyond such a position: its value is known for every pair of holdings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.solve.interface import Unsuited
from trapline.solve.memory import Budget

if TYPE_CHECKING:
    from collections.abc import Generator

    from trapline.solve.model import Branch, Model

    Work = Generator["Position", None, float | None]
    """Asks for the values of other positions, one by one, before it has its own."""

Masks = tuple[int, int]
Position = tuple[Any, Masks]

POSITION_BYTES = 1_200
"""What a position costs, with its branches: measured on a track with traps."""
LOOK_EVERY = 4_096

_BEGUN = object()


class Decided:
    """The values, for seat 1, of decided positions of a model whose play cannot go round."""

    def __init__(self, model: Model, until: float | None = None) -> None:
        self.model = model
        self._values: dict[Position, Any] = {}
        self._budget = Budget(until)

    def value(self, state: Any, masks: Masks) -> float | None:
        """The value of a decided position, None for one that is still open."""
        wanted = (state, masks)
        if wanted not in self._values:
            work = [self._begin(wanted)]
            try:
                self._go_on(work)
            except BaseException:
                for position, _ in work:
                    del self._values[position]
                raise
        found: float | None = self._values[wanted]
        return found

    def _go_on(self, work: list[tuple[Position, Work]]) -> None:
        while work:  # a game can be longer than a stack is deep
            position, steps = work[-1]
            try:
                further = next(steps)
            except StopIteration as done:
                self._values[position] = done.value
                work.pop()
                continue
            if self._values.get(further) is _BEGUN:
                raise Unsuited("Play can come back to where it was, and go round for ever.")
            if further not in self._values:
                work.append(self._begin(further))

    def _begin(self, position: Position) -> tuple[Position, Work]:
        if self._values and len(self._values) % LOOK_EVERY == 0:
            needed = POSITION_BYTES * len(self._values)
            self._budget.check(needed, "the positions that differ in what the players know")
        self._values[position] = _BEGUN
        return position, self._work_out(*position)

    def best(self, state: Any, masks: Masks) -> list[Any]:
        """The actions that hold the value of a decided position."""
        value = self.value(state, masks)
        return [a for a in self.model.actions(state) if self.after(state, masks, a) == value]

    def after(self, state: Any, masks: Masks, action: Any) -> float | None:
        """The value after an action, None when it depends on what is hidden."""
        for branch, kept in self._possible(state, masks, action):
            if branch.state is not None:
                self.value(branch.state, kept)
        return self._after(state, masks, action)

    def _possible(self, state: Any, masks: Masks, action: Any) -> list[tuple[Branch, Masks]]:
        found = []
        for branch in self.model.branches(state, action):
            kept = masks[0] & branch.masks[0], masks[1] & branch.masks[1]
            if kept[0] and kept[1]:
                found.append((branch, kept))
        return found

    def _after(self, state: Any, masks: Masks, action: Any) -> float | None:
        """The same, once the values of all that may follow are known."""
        values = {
            branch.payoff if branch.state is None else self._values[branch.state, kept]
            for branch, kept in self._possible(state, masks, action)
        }
        return values.pop() if len(values) == 1 else None

    def _work_out(self, state: Any, masks: Masks) -> Work:
        sign = 1.0 if self.model.mover(state) == 1 else -1.0
        values = set()
        for action in self.model.actions(state):
            for branch, kept in self._possible(state, masks, action):
                if branch.state is not None:
                    yield branch.state, kept
            value = self._after(state, masks, action)
            if value == sign:
                return value
            values.add(value)
        if values == {-sign}:
            return -sign
        if masks[0].bit_count() == masks[1].bit_count() == 1:
            return max((v for v in values if v is not None), key=lambda v: sign * v)
        return None
