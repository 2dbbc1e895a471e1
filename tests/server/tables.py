"""A hub over a store that fails, waits or forgets, and a match on it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.server.rooms import KEYS
from tests.server.rooms import opened as opening_of
from tests.server.stores import opened
from trapline.server.hub import Hub
from trapline.server.messages import NewMatch, Request
from trapline.server.offers import Offers
from trapline.server.settings import Settings
from trapline.server.store import StoreError
from trapline.server.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from trapline.core import Seat
    from trapline.server.live import Live
    from trapline.server.messages import AnyCommand


class Faulty(SQLiteStore):
    """A real store that can be told to refuse new matches, or to keep its callers waiting."""

    full = False
    mute = False
    """Whether it writes, and then cannot say so."""
    hold: asyncio.Event | None = None
    """Waited for before anything is written."""
    wait: asyncio.Event | None = None
    """Waited for when it is written."""
    late: asyncio.Event | None = None
    """Waited for when something was read."""

    def append(self, match: str, version: int, entry: bytes, **facts: Any) -> asyncio.Future[int]:
        writing = asyncio.ensure_future(self._append(match, version, entry, **facts))
        return asyncio.shield(writing)  # it is written whether or not somebody still waits for it

    async def _append(self, match: str, version: int, entry: bytes, **facts: Any) -> int:
        if self.full and version == 1:
            raise StoreError("There is no room left.")
        if self.hold is not None:
            await self.hold.wait()
        kept = await super().append(match, version, entry, **facts)
        if self.wait is not None:
            await self.wait.wait()
        if self.mute:
            raise StoreError("Nobody knows whether it is kept.")
        return kept

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        entries = await super().read(match, after)
        if self.late is not None:
            await self.late.wait()
        return entries


def hub_in(folder: Path) -> Hub:
    """A hub over a store of its own or another's, in which no match expires."""
    settings = Settings(thinkers=1, expire_days=0)
    return Hub(SQLiteStore(str(folder / "clock.db")), Offers(settings), settings)


class Table:
    """A hub and one match of two friends on it."""

    def __init__(self, store: Faulty, settings: Settings | None = None) -> None:
        self.store = store
        settings = settings or Settings(thinkers=1)
        self.hub = Hub(store, Offers(settings), settings)
        self._number = 0

    async def open(self, game: str = "numeric-maze") -> Live:
        room = await self.hub.open_match(opening_of(NewMatch(game, "link", {}, 1)))
        await self.hub.join(room.id, room.opening.code or "", "Ben", KEYS[2])
        return await self.hub.live(room.id)

    async def act(self, live: Live, seat: Seat, command: AnyCommand) -> None:
        self._number += 1
        request = Request(f"k{self._number}", live.room.version(seat), command)
        await self.hub.act(live.room.id, seat, request)


@asynccontextmanager
async def table(folder: Path, settings: Settings | None = None) -> AsyncIterator[Table]:
    store = Faulty(str(folder / "hub.db"))
    async with opened(store):
        yield Table(store, settings)
