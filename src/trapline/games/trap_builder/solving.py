"""Trap Builder where nobody need search: a secret that the first move cannot avoid.

The first mover stands on 0 and has to move. Where a trap catches who lands on it, traps on every
position that one move can reach win at once; where it also catches who passes, one on 1 does. What
can be searched is proven by the search, which has a policy too; this is for what is too large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.forced import ForcedMethod
from trapline.solve.interface import Certificate, TooLarge

if TYPE_CHECKING:
    from trapline.games.trap_builder.game import TrapBuilder
    from trapline.solve.forced import ForcedSolution
    from trapline.solve.interface import Facts, Request


def lost_at_once(game: TrapBuilder) -> bool:
    """Whether there is a secret that every first move runs into."""
    options = game.options
    if game.passing:
        return True  # where there are secrets at all, one of them holds 1
    # The position at the other end is taken, so a move ends before it.
    reach = min(options.max_step, options.length - 1)
    return options.traps >= reach and (options.walls or reach < options.max_step)


class BuilderMethod:
    """Right for Trap Builder alone; leaves to others what they can do."""

    name = ForcedMethod.name

    def __init__(self, game: TrapBuilder) -> None:
        self.game = game

    def solve(self, request: Request) -> ForcedSolution | None:
        if not lost_at_once(self.game):
            return None
        try:
            return self._general.solve(request)
        except TooLarge as error:
            raise TooLarge(str(error), Certificate(-1.0, -1.0)) from error

    def restore(self, facts: Facts, data: bytes) -> ForcedSolution | None:
        return self._general.restore(facts, data)

    @property
    def _general(self) -> ForcedMethod:
        return ForcedMethod(self.game, 1)
