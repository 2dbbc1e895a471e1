"""The games that a server offers: the rulebooks, and what its operator has named besides.

The rulebooks' own rules run in the server's process. Those of a game from outside run in a
process of that game alone: whatever they do there, the server and all other games go on.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from trapline.core import GameError, OptionsError, TraplineError, brief
from trapline.games import GAMES, make_game
from trapline.server import front
from trapline.server.catalogue import LEVELS, describe
from trapline.server.distant import DistantRoom, Host
from trapline.server.illustrating import illustrated
from trapline.server.room import Room
from trapline.server.seating import new_opening
from trapline.server.shelf import Catalogue, Lesson, Rules
from trapline.server.solving import Variant
from trapline.server.teaching import staged
from trapline.server.thinking import Thinkers

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from trapline.core import Game, Seat
    from trapline.server import log
    from trapline.server.live import Live
    from trapline.server.messages import NewMatch
    from trapline.server.settings import Settings
    from trapline.server.shelf import GameInfo
    from trapline.server.thinking import Known

logger = logging.getLogger("trapline.server")

T = TypeVar("T")

AnyRoom = Room | DistantRoom


async def settled(answer: T | Awaitable[T]) -> T:
    """What a room answers: at once, or from afar when it comes."""
    return await answer if inspect.isawaitable(answer) else answer


def bot_to_act(room: AnyRoom) -> tuple[Seat, str, Known] | None:
    """The computer that is asked something, and what it may know."""
    if not room.seating.has_bots:
        return None
    for seat, holder in room.seating.holders.items():
        if holder and holder.bot and (known := room.thought(seat)) is not None:
            return seat, holder.bot, known
    return None


def variant_of(live: Live) -> Variant:
    """What is played in a match."""
    opening = live.room.opening
    return Variant(opening.game, opening.options, opening.first)


class Rulebook:
    """A game whose rules are ours."""

    def __init__(self, kind: type[Game[Any]], thinkers: Thinkers) -> None:
        self.info: GameInfo = describe(make_game(kind.name), "rulebook")
        self.thinkers = thinkers

    @cached_property
    def rules(self) -> Rules:
        """Made when it is first asked for: playing an example takes a moment."""
        return illustrated(make_game(self.info.name))

    @cached_property
    def lesson(self) -> Lesson | None:
        return staged(GAMES[self.info.name])

    async def opening(self, wanted: NewMatch, owner: str, *, bot: bool) -> log.Open:
        return new_opening(wanted, make_game(wanted.game, wanted.options), owner, bot=bot)

    async def read(self, match_id: str, entries: list[bytes]) -> Room:
        """The room that a log makes; others are served while a long one is read."""
        reading = Room.reading(match_id, entries)
        for room in reading:
            if room is not None:
                return room
            await asyncio.sleep(0)
        raise AssertionError("reading ends with a room")


class FromOutside:
    """A game that the operator has named."""

    def __init__(self, spec: str, settings: Settings) -> None:
        self.host = Host(spec, settings.rule_seconds, settings.thought_megabytes)
        self.thinkers = Thinkers(1, 1, settings.thought_megabytes, spec)
        self.info: GameInfo
        self.rules = Rules("")
        self.lesson: Lesson | None = None

    async def load(self) -> None:
        self.info, self.rules = await self.host.describe()

    async def opening(self, wanted: NewMatch, owner: str, *, bot: bool) -> log.Open:
        return await self.host.opening(wanted, owner, bot=bot)

    async def read(self, match_id: str, entries: list[bytes]) -> DistantRoom:
        return await DistantRoom.read(self.host, match_id, entries)

    def stop(self) -> None:
        self.thinkers.stop()
        self.host.stop()


class Offers:
    def __init__(self, settings: Settings) -> None:
        self.thinkers = Thinkers(settings.thinkers, settings.coaches, settings.thought_megabytes)
        self._games: dict[str, Rulebook | FromOutside] = {
            name: Rulebook(kind, self.thinkers) for name, kind in GAMES.items()
        }
        self._outside = [FromOutside(spec, settings) for spec in settings.games]
        self._home = (0, "")

    async def load(self) -> None:
        """Load the games from outside; GameError for one that cannot be played."""
        for offer in self._outside:
            try:
                await offer.load()
            except TraplineError as error:
                raise GameError(f"{offer.host.spec} cannot be offered: {error}") from None
            if offer.info.name in self._games:
                raise GameError(f"Two games are called {offer.info.name}.")
            self._games[offer.info.name] = offer

    async def prepare(self) -> None:
        """Load what the computer needs before anybody plays against it."""
        try:
            await self.thinkers.prepare()
            logger.info("the computer is prepared")
        except TraplineError as error:
            logger.warning("the computer is not prepared", extra={"error": str(error)})

    def stop(self) -> None:
        self.thinkers.stop()
        for offer in self._outside:
            offer.stop()

    def find(self, name: str) -> Rulebook | FromOutside:
        """A game that is offered; a request cannot bring its own."""
        if name not in self._games:
            known = ", ".join(self._games)
            raise OptionsError(f"There is no game called {brief(name)}; the games are {known}.")
        return self._games[name]

    def home(self) -> str:
        """All games as the page shows them first; more may be loaded later."""
        if self._home[0] != len(self._games):
            self._home = (len(self._games), front.home(self.catalogue()))
        return self._home[1]

    def catalogue(self) -> Catalogue:
        return Catalogue(tuple(offer.info for offer in self._games.values()), LEVELS)
