"""Always the longest move, and never a trap: all that it takes to win, or to be caught by nobody.

A trap lies on a square that its owner has left. The other cannot have left a square as far on as
where a runner lands who has always made the longest move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.core import Seat
    from trapline.games.trap_runner.game import TrapRunner


class LongestRun:
    """As a machine: its nodes are squares, and it does not look at the other."""

    def __init__(self, game: TrapRunner, role: Seat) -> None:
        self.game, self.role = game, role

    def begin(self) -> Iterator[tuple[None, float, int]]:
        yield None, 1.0, 0

    def moves(self, square: int) -> dict[str, float]:
        return {str(self._step(square)): 1.0}

    def leads(self, square: int) -> dict[str, Hashable]:
        step = self._step(square)
        return {f"{self.role}:{step}": square + step} if square + step < self.game.length else {}

    def _step(self, square: int) -> int:
        return min(self.game.max_step, self.game.length - square)
