"""Where no method reaches there are still bounds: nobody can win or lose more than a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games import changed_options
from trapline.solve.interface import Certificate, Facts, Solution, TooLarge, bounds_facts

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.solve.interface import Policy


class Unsolved(Solution):
    """Says what is certain, and why no more is known; nobody can play it."""

    def __init__(self, game: Game[Any], reason: TooLarge, seconds: float) -> None:
        most = float(game.stake)
        facts = Facts(
            game=game.name,
            options=changed_options(game),
            first=1,
            method="none",
            seconds=seconds,
            sentence=f"Nothing is proven but what cannot be otherwise. {reason}",
            **bounds_facts(Certificate(-most, most), 1, most),
        )
        super().__init__(game, facts)
        self.reason = reason

    @property
    def policy(self) -> Policy:
        raise self.reason

    def pack(self) -> bytes:
        return b""
