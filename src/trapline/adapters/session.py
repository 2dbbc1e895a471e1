"""The matches of one assistant: what it sees of each and what it does there.

No protocol here, and no way around the View of the assistant's own seat. Unfinished matches
live as long as the session does.
"""

from __future__ import annotations

import itertools
from random import SystemRandom
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from trapline.core import NotNow, OptionsError, TraplineError, brief, other
from trapline.players import PLAYERS
from trapline.referee import Match, Player
from trapline.text.seat import AgainstProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import First, Game, Seat, View
    from trapline.players import Opponent
    from trapline.referee import Record


class Side(Protocol):
    """One match, as one of its players takes part in it."""

    game: Game[Any]
    title: str

    def view(self) -> View: ...
    def notes(self) -> list[str]: ...
    def wait(self, seconds: float) -> None: ...
    def answer(self, text: str) -> None: ...
    def resign(self) -> None: ...
    def draw(self) -> None: ...
    def claim(self) -> None: ...
    def record(self) -> Record: ...


class AgainstComputer:
    """A side of a match against a computer player, refereed here."""

    def __init__(
        self, game: Game[Any], seat: Seat, first: First | None, level: str, bot: Opponent
    ) -> None:
        if bot.prepare is not None:
            bot.prepare(game)
        players = {seat: Player("assistant"), other(seat): Player(level, bot=level)}
        self.game = game
        self.title = f"{game.title} against {level}"
        match = Match(game, first, players=players)
        # Not a seed: whoever knew it could work out what the bot hides.
        self._seat = AgainstProgram(match, seat, bot.choose, SystemRandom())

    def view(self) -> View:
        return self._seat.view()

    def notes(self) -> list[str]:
        """What the assistant should know beside the game: nothing, the computer is here."""
        return []

    def wait(self, seconds: float) -> None:
        """The computer has always answered already."""

    def answer(self, text: str) -> None:
        self._seat.answer(text)

    def resign(self) -> None:
        self._seat.match.resign(self._seat.seat)

    def draw(self) -> None:
        self._seat.offer_draw()

    def claim(self) -> None:
        self._seat.match.claim(self._seat.seat)

    def record(self) -> Record:
        return self._seat.match.record()


class SessionMatch:
    """A match of a session: its number, one call at a time, and how much of it was told."""

    def __init__(self, number: int, side: Side) -> None:
        self.number = number
        self.side = side
        self.lock = Lock()
        self.told = 0


class Session:
    """All the matches of one assistant."""

    def __init__(self, opponents: Mapping[str, Opponent] = PLAYERS) -> None:
        self._opponents = opponents
        self._matches: dict[int, SessionMatch] = {}
        self._numbers = itertools.count(1)

    def start(
        self, game: Game[Any], level: str, seat: Seat, first: First | None = None
    ) -> SessionMatch:
        """Begin a match against the computer."""
        if level not in self._opponents:
            known = ", ".join(self._opponents)
            raise OptionsError(f"There is no computer level {brief(level)}; there are {known}.")
        return self.join(AgainstComputer(game, seat, first, level, self._opponents[level]))

    def join(self, side: Side) -> SessionMatch:
        match = SessionMatch(next(self._numbers), side)
        self._matches[match.number] = match
        return match

    def find(self, number: int | None) -> SessionMatch:
        """The match of that number, or the latest one."""
        if not self._matches:
            raise NotNow("There is no match yet; the tool start begins one.")
        wanted = max(self._matches) if number is None else number
        if wanted not in self._matches:
            known = ", ".join(map(str, self._matches))
            raise TraplineError(f"There is no match {brief(number)}; there are {known}.")
        return self._matches[wanted]

    def matches(self) -> list[SessionMatch]:
        return list(self._matches.values())
