"""The matches that are being played here: rooms in memory, their connections, their order.

One rule holds everything together: a room is changed under its lock, the change is kept by
the store, and only then does anybody see it. If it cannot be kept, the room is read again
from what was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from trapline.core import TraplineError
from trapline.server import log, messages
from trapline.server.admin import expire
from trapline.server.connection import Connection
from trapline.server.guard import Bucket
from trapline.server.messages import Presence, Request
from trapline.server.offers import bot_to_act, settled
from trapline.server.presence import Presences
from trapline.server.refusals import BrokenRules, CountedRefusal, Refusal
from trapline.server.store import Conflict, Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from trapline.core import Seat, Viewer
    from trapline.server.offers import AnyRoom, Offers
    from trapline.server.settings import Settings

logger = logging.getLogger("trapline.server")

GOODBYE = 2.0
EXPIRE_EVERY = 3600.0
IDLE = 60.0
"""Seconds after which a match without connections leaves the memory; it stays in the store."""


class Live:
    """A room in memory."""

    def __init__(self, room: AnyRoom, commands_per_second: float) -> None:
        self.room = room
        self._rate = commands_per_second
        self._buckets: dict[Viewer, Bucket] = {}
        self.lock = asyncio.Lock()
        self.certain = True
        """Whether all that the room shows is kept. While it is not, nobody is shown anything."""
        self.connections: set[Connection] = set()
        self.presence: Presence | None = None
        self.presence_due = False
        self.thinking = False
        self.gone = False
        self.touched = time.monotonic()

    def hurry(self, viewer: Viewer) -> None:
        """Count a message of a viewer; Refusal when they come too fast."""
        bucket = self._buckets.setdefault(viewer, Bucket(self._rate, 3 * self._rate))
        if not bucket.take():
            raise Refusal("too fast", "Too many messages at once: wait a moment.")

    def wake(self) -> None:
        for connection in self.connections:
            connection.wake()


class Hub:
    def __init__(self, store: Store, offers: Offers, settings: Settings) -> None:
        self.store = store
        self.offers = offers
        self.settings = settings
        self.stopping = False
        self._live: dict[str, Live] = {}
        self._connections = 0
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._presences = Presences(self)

    async def start(self) -> None:
        await self.offers.load()
        await self.store.open(self._notice, self._presences.hear)
        self._begin(self._sweep())
        if self.settings.expire_days:
            self._begin(self._expire())
        if self.store.shared:
            self._begin(self._presences.repeat())
        self._begin(self.offers.prepare())

    async def goodbye(self) -> None:
        """Tell every connection that the server stops, and give it a moment to hear it."""
        self.stopping = True
        for live in self._live.values():
            live.wake()
        deadline = time.monotonic() + GOODBYE
        while self._connections and time.monotonic() < deadline:
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await self.goodbye()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.offers.stop()
        await self.store.close()

    # --- matches ------------------------------------------------------------------------

    async def open_match(self, opening: log.Open) -> AnyRoom:
        written = log.encode(opening)
        room = await self.offers.find(opening.game).read(secrets.token_hex(8), [written])
        await self._append(room, opening)
        live = self._admit(room)
        self._call_bot(live)
        return room

    def _admit(self, room: AnyRoom) -> Live:
        live = self._live[room.id] = Live(room, self.settings.commands_per_second)
        return live

    async def live(self, match_id: str) -> Live:
        """The match in memory, read from the store if need be."""
        live = self._live.get(match_id)
        if live is None:
            live = await self._load(match_id)
            self._call_bot(live)
        live.touched = time.monotonic()
        return live

    async def _load(self, match_id: str) -> Live:
        """Read a match, once for all who ask for it at the same time."""
        try:
            async with self._loading.setdefault(match_id, asyncio.Lock()):
                if match_id not in self._live:
                    room = await self._read(match_id)
                    if match_id not in self._live:
                        self._admit(room)
                return self._live[match_id]
        finally:  # also when there is no such match: anybody may ask for any name
            self._loading.pop(match_id, None)

    async def look(self, match_id: str) -> Live:
        """The match, with nothing in it that is not kept."""
        live = await self.live(match_id)
        if not live.certain:
            async with live.lock:
                await self._make_certain(live)
        return live

    async def join(self, match_id: str, code: str, name: str, key: str) -> AnyRoom:
        live = await self.live(match_id)
        async with live.lock:
            await self._make_certain(live)
            while True:
                entry = await settled(live.room.join(code, name, key))
                if await self._keep(live, entry):
                    return live.room

    async def act(self, match_id: str, seat: Seat, request: Request) -> None:
        """Carry out a command; when this returns, it is kept and everybody has been told."""
        live = await self.live(match_id)
        if request.version > live.room.version(seat):
            await self.refresh(live)
        async with live.lock:
            await self._make_certain(live)
            kept = False
            while not kept:
                refusal = None
                try:
                    entry = await settled(live.room.act(seat, request))
                except CountedRefusal as counted:
                    entry, refusal = counted.entry, counted
                except BrokenRules:
                    await self._reread(live)
                    raise
                if entry is None:
                    return
                kept = await self._keep(live, entry)
            if refusal is not None:
                raise refusal

    async def _keep(self, live: Live, entry: log.Join | log.Act) -> bool:
        """Keep what the room has just done, then show it; False if another process was first."""
        live.certain = False
        try:
            if isinstance(entry, log.Act) and isinstance(entry.command, messages.Rematch):
                await self._open_next(live.room)
            await self._append(live.room, entry)
            live.certain = True
        except Conflict:
            await self._reread(live)
            return False
        except StoreError as error:
            raise Refusal("unavailable", f"{error} Nothing has changed; try again.") from error
        finally:
            if not live.certain and not self.stopping:  # also when whoever asked hung up
                self._begin(self._recover(live))
        live.wake()
        self._call_bot(live)
        return True

    async def _append(self, room: AnyRoom, entry: log.AnyEntry) -> None:
        written, game = log.encode(entry), room.opening.game
        await self.store.append(
            room.id, room.entries, written, game=game, over=room.over, at=entry.at
        )

    async def _open_next(self, room: AnyRoom) -> None:
        """The rematch is there before anybody is sent to it."""
        following = room.next_match()
        if following is not None:
            match_id, opening = following
            with contextlib.suppress(Conflict):  # somebody else has opened the very same
                await self.store.append(
                    match_id, 1, log.encode(opening), game=opening.game, over=False, at=opening.at
                )

    # --- the store's side ---------------------------------------------------------------

    async def _read(self, match_id: str) -> AnyRoom:
        try:
            entries = await self.store.read(match_id)
        except StoreError as error:
            raise Refusal("unavailable", f"{error} Try again.") from error
        if not entries:
            raise Refusal("unknown", "There is no such match; it may have expired.")
        try:
            opening, _ = log.read(entries[:1])
            return await self.offers.find(opening.game).read(match_id, entries)
        except BrokenRules:
            raise
        except (TraplineError, msgspec.MsgspecError) as error:
            logger.error("a match cannot be read", extra={"error": str(error)})  # noqa: TRY400 (no bug)
            raise Refusal("unavailable", "This match is damaged and cannot be read.") from error

    async def _reread(self, live: Live) -> None:
        live.room = await self._read(live.room.id)
        live.certain = True
        live.wake()
        self._call_bot(live)

    async def _make_certain(self, live: Live) -> None:
        if not live.certain:
            await self._reread(live)

    async def _recover(self, live: Live) -> None:
        """Until the store answers again, nobody knows whether the last entry was kept."""
        while not live.certain:
            await asyncio.sleep(1.0)
            try:
                async with live.lock:
                    await self._make_certain(live)
            except Refusal as refusal:
                if refusal.reason == "unknown":  # deleted while it was played
                    self._live.pop(live.room.id, None)
                    live.gone = True
                    live.wake()
                    return

    def _notice(self, match_id: str, version: int) -> None:
        """Another process has written; an empty id means that we may have missed something."""
        for live in list(self._live.values()) if not match_id else [self._live.get(match_id)]:
            if live is not None and (not match_id or live.room.entries < version):
                self._begin(self._catch_up(live))

    async def _catch_up(self, live: Live) -> None:
        with contextlib.suppress(TraplineError):  # the next command or notice tries again
            await self.refresh(live)

    async def refresh(self, live: Live) -> None:
        """Take in what other processes have written, without waiting to be told of it."""
        if not self.store.shared:
            return
        async with live.lock:
            await self._make_certain(live)
            try:
                for data in await self.store.read(live.room.id, live.room.entries):
                    entry = log.decode(data)
                    if not isinstance(entry, log.Open):
                        await settled(live.room.add(entry))
            except StoreError as error:
                raise Refusal("unavailable", f"{error} Try again.") from error
            live.wake()
            self._call_bot(live)

    # --- connections --------------------------------------------------------------------

    def connect(self, live: Live, viewer: Viewer, after: int, *, plain: bool = False) -> Connection:
        if self._connections >= self.settings.connections:
            raise Refusal("full", "This server has as many connections as it can take.")
        if len(live.connections) >= self.settings.watchers:
            raise Refusal("full", "This match has as many connections as it can take.")
        connection = Connection(self, live, viewer, after, plain)
        live.connections.add(connection)
        self._connections += 1
        self._presences.changed(live)
        return connection

    def disconnect(self, connection: Connection) -> None:
        live = connection.live
        live.connections.discard(connection)
        self._connections -= 1
        live.touched = time.monotonic()
        self._presences.changed(live)

    def matches(self) -> list[Live]:
        return list(self._live.values())

    def find(self, match_id: str) -> Live | None:
        return self._live.get(match_id)

    # --- in the background --------------------------------------------------------------

    def spread(self, words: bytes) -> None:
        """Say something to the other processes."""
        if self.store.shared and not self.stopping:
            self._begin(self._say(words))

    async def _say(self, words: bytes) -> None:
        with contextlib.suppress(StoreError):
            await self.store.say(words)

    def _call_bot(self, live: Live) -> None:
        if live.certain and not live.thinking and not self.stopping and bot_to_act(live.room):
            live.thinking = True
            self._begin(self._play_bot(live))

    async def _play_bot(self, live: Live) -> None:
        thinkers = self.offers.find(live.room.opening.game).thinkers
        try:
            while live.certain and (asked := bot_to_act(live.room)):
                seat, level, known = asked
                version = live.room.version(seat)
                command, _ = await asyncio.gather(
                    thinkers.command(level, known), asyncio.sleep(self.settings.pace)
                )
                request = Request(f"{level} {version}", version, command)
                try:
                    await self.act(live.room.id, seat, request)
                except Refusal as refusal:  # the match has gone on, or cannot be kept now
                    if refusal.reason not in ("stale", "unavailable"):
                        raise
        except TraplineError as error:
            logger.warning("the computer could not answer", extra={"error": str(error)})
            sentence = f"The computer could not answer: {error} It will be asked again later."
            for connection in live.connections:
                connection.refuse(Refusal("unavailable", sentence))
        finally:
            live.thinking = False

    async def _sweep(self) -> None:
        """Let matches that nobody looks at leave the memory."""
        while True:
            await asyncio.sleep(IDLE / 2)
            self._let_go(time.monotonic() - IDLE)

    def _let_go(self, horizon: float) -> None:
        for match_id, live in list(self._live.items()):
            busy = live.connections or live.thinking or live.lock.locked()
            if not busy and live.touched < horizon:
                del self._live[match_id]

    async def _expire(self) -> None:
        """Delete unfinished matches that nobody has touched for long."""
        while True:
            with contextlib.suppress(StoreError):
                gone = await expire(self.store, timedelta(days=self.settings.expire_days))
                if gone:
                    logger.info("unfinished matches expired", extra={"matches": gone})
                    self._let_go(time.monotonic())  # somebody may have looked at one meanwhile
            await asyncio.sleep(EXPIRE_EVERY)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("something went wrong in the background", exc_info=error)
