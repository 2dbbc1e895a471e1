"""The tables at which an assistant sits: what it sees of each match and what it does there.

No protocol here, and no way around the View of the assistant's own seat. Unfinished matches
live as long as the desk does.
"""

from __future__ import annotations

import itertools
from random import SystemRandom
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from trapline.adapters import telling
from trapline.core import (
    First,
    NotNow,
    OptionsError,
    Seat,
    TraplineError,
    View,
    brief,
    other,
)
from trapline.match import Match
from trapline.players import PLAYERS, Opponent
from trapline.record import Player, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Game


class Table(Protocol):
    """One match as one seat takes part in it."""

    title: str

    def view(self) -> View: ...
    def notes(self) -> list[str]: ...
    def wait(self, seconds: float) -> None: ...
    def answer(self, text: str) -> None: ...
    def resign(self) -> None: ...
    def draw(self) -> None: ...
    def claim(self) -> None: ...
    def record(self) -> Record: ...


class BotTable:
    """A match against a computer player, refereed here."""

    def __init__(
        self, game: Game[Any, Any], seat: Seat, first: First | None, level: str, bot: Opponent
    ) -> None:
        if bot.prepare is not None:
            bot.prepare(game)
        players = {seat: Player("assistant"), other(seat): Player(level, bot=level)}
        self.title = f"{game.title} against {level}"
        self._match = Match(game, first, players=players)
        self._seat, self._bot = seat, bot
        # Not a seed: whoever knew it could work out what the bot hides.
        self._chance = SystemRandom()
        self._let_bot_act()

    def view(self) -> View:
        return self._match.view(self._seat)

    def notes(self) -> list[str]:
        """What the assistant should know beside the game: nothing, the computer is here."""
        return []

    def wait(self, seconds: float) -> None:
        """The computer has always answered already."""

    def answer(self, text: str) -> None:
        telling.answer(self._match, self.view(), text)
        self._let_bot_act()

    def resign(self) -> None:
        self._match.resign(self._seat)

    def draw(self) -> None:
        """Offer a draw; the computer plays on."""
        self._match.offer_draw(self._seat)
        if self.view().draw_offer == self._seat:
            self._match.decline_draw(other(self._seat))

    def claim(self) -> None:
        self._match.claim(self._seat)

    def record(self) -> Record:
        return self._match.record()

    def _let_bot_act(self) -> None:
        seat = other(self._seat)
        while (view := self._match.view(seat)).asks is not None:
            choice: Any = self._bot.choose(view, self._chance)
            if view.asks == "secret":
                self._match.choose_secret(seat, choice)
            else:
                self._match.play(seat, choice)


class Place:
    """The assistant's chair at a table: one call at a time, and a memory of what it was told."""

    def __init__(self, number: int, table: Table) -> None:
        self.number = number
        self.table = table
        self.lock = Lock()
        self.told = 0


class Desk:
    """All the matches of one assistant."""

    def __init__(self, opponents: Mapping[str, Opponent] = PLAYERS) -> None:
        self._opponents = opponents
        self._places: dict[int, Place] = {}
        self._numbers = itertools.count(1)

    def start(
        self, game: Game[Any, Any], level: str, seat: Seat, first: First | None = None
    ) -> Place:
        if level not in self._opponents:
            known = ", ".join(self._opponents)
            raise OptionsError(f"There is no computer level {brief(level)}; there are {known}.")
        return self.sit(BotTable(game, seat, first, level, self._opponents[level]))

    def sit(self, table: Table) -> Place:
        place = Place(next(self._numbers), table)
        self._places[place.number] = place
        return place

    def find(self, number: int | None) -> Place:
        """The match of that number, or the latest one."""
        if not self._places:
            raise NotNow("There is no match yet; the tool start begins one.")
        wanted = max(self._places) if number is None else number
        if wanted not in self._places:
            known = ", ".join(map(str, self._places))
            raise TraplineError(f"There is no match {brief(number)}; there are {known}.")
        return self._places[wanted]

    def places(self) -> list[Place]:
        return list(self._places.values())
