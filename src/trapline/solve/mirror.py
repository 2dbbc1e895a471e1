"""Between the seats of a match and those of a solution, in which Player 1 moves first.

A game that is the same for both seats, once boards are mirrored, is solved once; who moves
first as Player 2 is shown the solution in a mirror.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import BESIDE_THE_GAME, CHANCE, Place, other

if TYPE_CHECKING:
    from trapline.core import Actor, AnyEvent, Game, Question, Seat, View


def solved_first(game: Game[Any], first: Seat) -> Seat:
    """Who moves first in the solution that serves a match in which `first` does."""
    if game.mirrors or game.start(1) == game.start(2):
        return 1
    return first


def of_the_game(event: AnyEvent) -> bool:
    return not isinstance(event, BESIDE_THE_GAME)


class Mirror:
    """For a match in which `first` moves first."""

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.swaps = game.mirrors and first == 2
        self._board = game.board(game.start(1), None, over=False)

    def seat(self, seat: Seat) -> Seat:
        return other(seat) if self.swaps else seat

    def events(self, view: View) -> tuple[AnyEvent, ...]:
        """What the viewer has heard of the game, as the solution's seats would have."""
        return tuple(map(self.event, filter(of_the_game, view.events)))

    def event(self, event: AnyEvent) -> AnyEvent:
        if not self.swaps:
            return event
        by: Actor = event.by if event.by == CHANCE else other(event.by)
        changes: dict[str, Any] = {"by": by}
        for name in _places(type(event)):
            place = getattr(event, name)
            changes[name] = None if place is None else self._board.mirror(place)
        return msgspec.structs.replace(event, **changes)

    def asked(self, asked: Any) -> Any:
        """What a seat is asked, and what it may answer, where places are marked as such."""
        asks, answers = asked
        mirrored = (
            ("place", self._board.mirror(answer[1]))
            if isinstance(answer, tuple) and answer[0] == "place"
            else answer
            for answer in answers
        )
        return asks, frozenset(mirrored)

    def value(self, value: int, asked: Question, solved: Question) -> int:
        """What an answer to a match's question is as one to the solution's."""
        if not self.swaps:
            return value
        if not asked.choose:
            return self._members(asked, solved)[value]
        members = self._members(asked, solved)
        return sum(1 << to for member, to in members.items() if value >> member & 1)

    def _members(self, asked: Question, solved: Question) -> dict[int, int]:
        by_place = {a.place: a.value for a in solved.answers if a.place is not None}
        by_record = {a.record: a.value for a in solved.answers if a.place is None}
        return {
            a.value: by_record[a.record]
            if a.place is None
            else by_place[self._board.mirror(a.place)]
            for a in asked.answers
        }


@cache
def _places(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of an event that say where something was."""
    return tuple(
        field.name for field in msgspec.structs.fields(kind) if field.type in (Place, Place | None)
    )
