"""The matches that are being played here: rooms in memory, and the order of what happens to them.

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
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import TraplineError
from trapline.server import log, messages
from trapline.server.bots import Bots
from trapline.server.clocks import Clocks
from trapline.server.errands import Errands
from trapline.server.live import Coming, Live
from trapline.server.offers import settled
from trapline.server.places import Places
from trapline.server.presence import Presences
from trapline.server.refusals import BrokenRules, CountedRefusal, Refusal
from trapline.server.seating import Seating
from trapline.server.store import Conflict, StoreError
from trapline.server.trouble import UNREAD, Trouble
from trapline.server.upkeep import Upkeep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat
    from trapline.server.messages import Request
    from trapline.server.offers import AnyRoom, Offers
    from trapline.server.settings import Settings
    from trapline.server.store import Store

logger = logging.getLogger("trapline.server")

GOODBYE = 2.0
AGAIN = 1.0
"""Seconds before a store that could not be read is asked again."""


class Hub:
    def __init__(self, store: Store, offers: Offers, settings: Settings) -> None:
        self.store = store
        self.offers = offers
        self.settings = settings
        self.stopping = False
        self.secret = b""
        self.trouble = Trouble(store)
        self.bots = Bots(self)
        self.presences = Presences(self)
        self.places = Places(self)
        self.clocks = Clocks(self)
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._coming: set[Coming] = set()
        self.errands = Errands()
        self.begin = self.errands.begin

    async def start(self) -> None:
        await self.offers.load()
        await self.store.open(self._notice, self.presences.hear)
        await self.store.keep_fact("secret", secrets.token_bytes(32), once=True)
        self.secret = await self.store.fact("secret") or b""
        await self.clocks.start()
        Upkeep(self).start()
        if self.store.shared:
            self.begin(self.presences.repeat())
        self.begin(self.offers.prepare())

    async def goodbye(self) -> None:
        """Tell every connection that the server stops, and give it a moment to hear it."""
        self.stopping = True
        for live in self._live.values():
            live.wake()
        deadline = time.monotonic() + GOODBYE
        while self.places.taken and time.monotonic() < deadline:
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await self.goodbye()
        await self.errands.stop()
        self.offers.stop()
        await self.clocks.say_alive()
        await self.store.close()

    # --- matches ------------------------------------------------------------------------

    async def open_match(self, opening: log.Open) -> AnyRoom:
        written = log.encode(opening)
        room = await self.offers.find(opening.game).read(secrets.token_hex(8), [written])
        with self._on_its_way(room.id) as coming:
            try:
                await self.append(room, opening)
            except StoreError as error:
                raise self.trouble.note(error) from error
            self.stir(self._admit(room, coming))
        await self.clocks.kept(room, opening)
        return room

    @contextlib.contextmanager
    def _on_its_way(self, match_id: str) -> Iterator[Coming]:
        coming = Coming(match_id)
        self._coming.add(coming)
        try:
            yield coming
        finally:
            self._coming.discard(coming)

    def _admit(self, room: AnyRoom, coming: Coming) -> Live:
        live = self._live[room.id] = Live(room, self.settings.commands_per_second)
        if coming.overtaken:
            self._fall_behind(live)
        return live

    async def live(self, match_id: str) -> Live:
        """The match in memory, read from the store if need be."""
        live = self._live.get(match_id)
        if live is None:
            live = await self._load(match_id)
            await self.call_time(live)
            self.stir(live)
        live.touched = time.monotonic()
        return live

    def stir(self, live: Live) -> None:
        """Something may have changed: whoever has to act by themselves is reminded of it."""
        room = live.room
        if room.seating.has_bots:
            self.bots.call(live)
        if room.clock is not None or live.deadline is not None:
            self.clocks.watch(live)

    async def call_time(self, live: Live) -> None:
        """End a match whose clock says so."""
        if live.room.clock is None:
            return
        async with live.lock:
            await self._make_certain(live)
            await self._call_time(live)

    async def _call_time(self, live: Live) -> None:
        while (entry := await self.clocks.settle(live.room)) is not None:
            await self._keep(live, entry)

    async def _load(self, match_id: str) -> Live:
        """Read a match, once for all who ask for it at the same time."""
        try:
            async with self._loading.setdefault(match_id, asyncio.Lock()):
                if match_id not in self._live:
                    with self._on_its_way(match_id) as coming:
                        room = await self._read(match_id)
                        if match_id not in self._live:
                            self._admit(room, coming)
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
        try:
            await self._act(match_id, seat, request)
        except Refusal as refusal:
            refusal.answering(request.key)
            raise

    async def _act(self, match_id: str, seat: Seat, request: Request) -> None:
        live = self._live.get(match_id) or await self.live(match_id)
        live.touched = time.monotonic()
        if request.version > live.room.version(seat):
            await self.refresh(live)
        if (pause := live.pause(seat, request, self.settings.turn_seconds)) > 0:
            await asyncio.sleep(pause)
        async with live.lock:
            if not live.certain:
                await self._make_certain(live)
            kept = False
            while not kept:
                if live.room.clock is not None:  # also after what another process was first with
                    await self._call_time(live)
                refusal = None
                try:
                    acted = live.room.act(seat, request)
                    if acted is None or isinstance(acted, log.Act):
                        entry = acted
                    else:  # from afar
                        entry = await acted
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

    async def _keep(self, live: Live, entry: log.AnyLater) -> bool:
        """Keep what the room has just done, then show it; False if another process was first."""
        live.certain = False
        try:
            if isinstance(entry, log.Act) and isinstance(entry.command, messages.Rematch):
                await self._open_next(live.room)
            await live.expect(self.append(live.room, entry))
            live.certain = True
        except Conflict:
            await self._reread(live)
            return False
        except StoreError as error:
            raise self.trouble.note(error) from error
        finally:
            if not live.certain and not self.stopping:  # also when whoever asked hung up
                self.begin(self.recover(live, entry))
        live.wake()
        self.stir(live)
        await self.clocks.kept(live.room, entry)
        return True

    def append(self, room: AnyRoom, entry: log.AnyEntry) -> asyncio.Future[Any]:
        """Hand the newest entry of a room to the store; it is kept when this has a result."""
        over = room.over
        return self.store.append(
            room.id,
            room.entries,
            log.encode(entry),
            game=room.opening.game,
            over=over,
            at=entry.at,
            listing=room.seating.listing(over=over),
        )

    async def _open_next(self, room: AnyRoom) -> None:
        """The rematch is there before anybody is sent to it."""
        following = room.next_match()
        if following is not None:
            match_id, opening = following
            with contextlib.suppress(Conflict):  # somebody else has opened the very same
                await self.store.append(
                    match_id,
                    1,
                    log.encode(opening),
                    game=opening.game,
                    over=False,
                    at=opening.at,
                    listing=Seating(match_id, opening).listing(over=False),
                )

    # --- the store's side ---------------------------------------------------------------

    async def _read(self, match_id: str) -> AnyRoom:
        try:
            entries = await self.store.read(match_id)
        except StoreError as error:
            raise self.trouble.note(error, UNREAD) from error
        if not entries:
            raise Refusal("unknown", "There is no such match; it may have expired.")
        try:
            opening, _ = log.read(entries[:1])
            return await self.offers.find(opening.game).read(match_id, entries)
        except BrokenRules:
            raise
        except (TraplineError, msgspec.MsgspecError) as error:
            facts = {"match": match_id, "error": str(error)}
            logger.error("a match cannot be read", extra=facts)  # noqa: TRY400 (no bug of ours)
            raise Refusal("unavailable", "This match is damaged and cannot be read.") from error

    async def _reread(self, live: Live) -> None:
        live.room = await self._read(live.room.id)
        live.certain = True
        live.wake()
        self.stir(live)

    async def _make_certain(self, live: Live) -> None:
        if not live.certain:
            if live.keeping is not None:  # what is on its way may come after it was looked for
                await asyncio.wait([live.keeping])
            await self._reread(live)

    async def recover(self, live: Live, entry: log.AnyLater | None = None) -> None:
        """Until the store answers again, nobody knows whether the last entry was kept."""
        while not live.certain:
            await asyncio.sleep(AGAIN)
            try:
                async with live.lock:
                    await self._make_certain(live)
            except Refusal as refusal:
                if refusal.reason == "unknown":  # deleted while it was played
                    self.forget(live.room.id)
                    return
        if entry is not None:
            await self.clocks.kept(live.room, entry)

    def _notice(self, match_id: str, version: int) -> None:
        """Another process has written; an empty id means that we may have missed something."""
        for live in list(self._live.values()) if not match_id else [self._live.get(match_id)]:
            if live is not None and (not match_id or live.room.entries < version):
                self._fall_behind(live)
        for coming in self._coming:
            coming.overtaken |= match_id in ("", coming.match_id)

    def _fall_behind(self, live: Live) -> None:
        live.behind = True
        if not live.catching_up:
            self.begin(self._catch_up(live))

    async def _catch_up(self, live: Live) -> None:
        """Take in what others have written, however long the store cannot be read.

        Nobody else would ask for it: whoever is to move next has not seen that they are.
        """
        live.catching_up = True
        try:
            while live.behind and not live.gone:
                live.behind = False
                try:
                    await self.refresh(live)
                except TraplineError:
                    live.behind = True
                    await asyncio.sleep(AGAIN)
        finally:
            live.catching_up = False

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
                raise self.trouble.note(error, UNREAD) from error
            live.wake()
            self.stir(live)

    # --- what is in memory --------------------------------------------------------------

    def matches(self) -> list[Live]:
        return list(self._live.values())

    def find(self, match_id: str) -> Live | None:
        return self._live.get(match_id)

    def forget(self, match_id: str) -> None:
        """A match has been deleted: whoever looks at it is told so."""
        live = self._live.pop(match_id, None)
        if live is not None:
            live.gone = True
            live.wake()

    def let_go(self, horizon: float) -> None:
        """Let matches that nobody has looked at since then leave the memory."""
        for match_id, live in list(self._live.items()):
            busy = live.watched or live.thinking or live.lock.locked()
            if not busy and live.touched < horizon:
                del self._live[match_id]

    def spread(self, words: bytes) -> None:
        """Say something to the other processes."""
        if self.store.shared and not self.stopping:
            self.begin(self._say(words))

    async def _say(self, words: bytes) -> None:
        with contextlib.suppress(StoreError):
            await self.store.say(words)
