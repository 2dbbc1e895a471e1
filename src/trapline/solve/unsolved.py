"""Where no method reaches there are still bounds: nobody can win or lose more than a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import plural
from trapline.games import changed_options
from trapline.solve import sentences
from trapline.solve.interface import Certificate, Facts, Solution, TooLarge, bounds_facts

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.solve.horizon import Seen
    from trapline.solve.interface import Policy


class Unsolved(Solution):
    """Says what is certain, and why no more is known; nobody can play it."""

    def __init__(
        self, game: Game[Any], reason: TooLarge, seconds: float, ahead: Seen | None = None
    ) -> None:
        most = float(game.stake)
        bounds, told = Certificate(-most, most), "Nothing is proven but what cannot be otherwise."
        if reason.proven is not None:
            bounds = reason.proven
            certain = abs(bounds.lower + bounds.upper) == 2
            what = sentences.certain(first=bounds.lower > 0) if certain else sentences.mixed(bounds)
            told = f"{what} That is what simple strategies prove."
        elif ahead is not None:
            bounds, answers = ahead
            what = sentences.mixed(bounds) if most <= 1 else sentences.scored(bounds)
            told = f"{what} No more than {plural(answers, 'answer')} of a match were looked at."
        facts = Facts(
            game=game.name,
            options=changed_options(game),
            first=1,
            method="none",
            seconds=seconds,
            sentence=f"{told} {reason}",
            **bounds_facts(bounds, 1, most),
        )
        super().__init__(game, facts)
        self.reason = reason

    @property
    def policy(self) -> Policy:
        raise self.reason

    def pack(self) -> bytes:
        return b""
