"""A player's own device: it alone knows the secret and its salts, and opens what is asked for."""

from __future__ import annotations

import secrets as random_source
from typing import TYPE_CHECKING, Any

from trapline.core import SECRET, NotNow, OptionsError
from trapline.referee.locked.box import held_by, place_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trapline.core import Game, Seat


class Device:
    def __init__(
        self,
        game: Game[Any],
        match_id: str,
        seat: Seat,
        secret: Any,
        *,
        salt: Callable[[], str] = lambda: random_source.token_hex(32),
    ) -> None:
        question = game.question(game.start(1), seat)
        if question is None or question.asks != SECRET:
            raise OptionsError(f"In {game.title} nothing is hidden before the first turn.")
        held = held_by(question, question.record(question.value(secret)))
        self._facts = (game.name, match_id, seat)
        self.holds = {place.text: place.record in held for place in question.answers}
        self.salts = {place: salt() for place in self.holds}
        self.opened: dict[int, list[str]] = {}
        """The places that were opened for the move of each turn."""
        self._most = game.places_a_move

    def locks(self) -> list[str]:
        """A commitment for each place, which is all that anybody else is told."""
        return [
            place_lock(*self._facts, place, holds, self.salts[place])
            for place, holds in self.holds.items()
        ]

    def open(self, place: str, turn: int) -> tuple[str, bool, str]:
        """Open a place for a move: no more a turn than it can depend on, none of earlier turns."""
        before = self.opened.get(turn, [])
        if place not in before:
            latest = max(self.opened, default=turn)
            settled = any(self.holds[one] for one in before)
            if settled or len(before) >= self._most or turn < latest or (turn - latest) % 2:
                raise NotNow(
                    "More is asked for than moves can depend on: this device opens nothing."
                )
            self.opened[turn] = [*before, place]
        return place, self.holds[place], self.salts[place]

    def rest(self, opened: Iterable[str]) -> tuple[list[bool], list[str]]:
        """What opens every place that was not opened before."""
        closed = [place for place in self.holds if place not in set(opened)]
        return [self.holds[place] for place in closed], [self.salts[place] for place in closed]
