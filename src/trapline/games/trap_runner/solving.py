"""Trap Runner as a proof game: the hero sets no traps, the villain may have set them all.

Traps are hidden decisions of the whole game, too many to follow. But the villain can have
traps only on squares the villain has left, so let every square behind the villain be
trapped or not as the villain likes, each time it is landed on; and let the hero do without
traps of their own. Both only help the villain, and what remains is two positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import NO_TRAP, other
from trapline.games.track import with_item
from trapline.games.trap_runner import State, TrapRunner
from trapline.solve.model import payoff
from trapline.solve.proof import Chance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat, Secret


def behind(square: int) -> int:
    """All squares between 0 and a square: where somebody who came that far may have traps."""
    return (1 << max(square, 1)) - 2


class RunnerProof:
    """A State here has, in place of the villain's traps, the squares that may hold one."""

    holdings: Sequence[Secret] = ((),)

    def __init__(self, game: TrapRunner, hero: Seat, root: State | None = None) -> None:
        self.game = TrapRunner(msgspec.structs.replace(game.options, turn_limit=0))
        self.hero = hero
        self.villain = other(hero)
        self.root = root or self.game.start(1, {})

    def mover(self, state: State) -> Seat:
        return state.mover

    def actions(self, state: State) -> Sequence[int]:
        return [move for move in self.game.legal(state) if isinstance(move, int)]

    def chances(self, state: State, action: int, holding: int) -> list[Chance]:  # noqa: ARG002
        possible = state.traps[self.villain - 1]
        clear = msgspec.structs.replace(state, traps=(0, 0))
        if state.mover == self.villain:
            after = self._turn(clear, action)
            return [self._chance(after, possible | behind(after.positions[self.villain - 1]))]
        results = {self._turn(clear, action), self._turn(state, action)}
        return [self._chance(after, possible) for after in sorted(results, key=_unharmed)]

    def _turn(self, state: State, steps: int) -> State:
        """A whole turn without a trap, and nothing remembered of traps."""
        after = self.game.apply(state, steps)
        if after.step:
            after = self.game.apply(after, NO_TRAP)
        return msgspec.structs.replace(after, turn=0, traps=(0, 0), sprung=(0, 0), found=(0, 0))

    def _chance(self, after: State, possible: int) -> Chance:
        if after.outcome is not None:
            return Chance(None, payoff(after.outcome), 1.0)
        traps = with_item((0, 0), self.villain, possible)
        return Chance(msgspec.structs.replace(after, traps=traps), 0.0, 1.0)


def _unharmed(state: State) -> tuple[int, int]:
    return state.returning
