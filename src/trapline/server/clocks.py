"""Sees to it that clocks are looked at when somebody's time is up, also after a restart."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from trapline.core import TraplineError
from trapline.server import log
from trapline.server.hours import HOURS, now
from trapline.server.messages import Rematch
from trapline.server.store import StoreError
from trapline.server.timing import Gap, as_time, deadline, in_milliseconds, late, lost_in
from trapline.server.trouble import UNREAD
from trapline.server.upkeep import warn_of_jump

if TYPE_CHECKING:
    from trapline.server.hub import Hub
    from trapline.server.live import Live
    from trapline.server.offers import AnyRoom

ALIVE = "alive"
"""Under this name the store keeps when a server was last there."""
SAY_SO_EVERY = 5.0
"""Seconds. What a clock loses when a server is killed is given back, but for this much."""
AGAIN = 1.0
"""Seconds until a clock is looked at again, where the store may be in trouble."""
JUMP = 1000
"""Milliseconds that the clock may gain between two looks without having been set."""
SLOW = 1000
"""Milliseconds that an entry may be on its way to the store."""
GAPS = "gaps"
"""And under this one, from when to when none was, the clock was set, or nothing could be kept."""
MOST_GAPS = 64
"""The longest are remembered."""


class Clocks:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._gaps: list[Gap] = []
        self._shared = True
        """Whether the store has them."""

    async def start(self) -> None:
        """Find out for how long nobody was there to play with."""
        store = self._hub.store
        await HOURS.agree(store)
        self._gaps = msgspec.json.decode(await store.fact(GAPS) or b"[]", type=list[Gap])
        known, begun = await store.fact(ALIVE), in_milliseconds(now())
        there = [in_milliseconds(known.decode())] if known else []
        # Whoever noted a gap was there at its end, and may not have come to say so.
        last = max((*there, *(min(end, begun) for _, end in self._gaps)), default=begun)
        # Of several servers on one database another may have been there all the time.
        least = 2000 * SAY_SO_EVERY if store.shared else 0
        await self._note((last, begun) if begun - last > least else None)
        self._hub.begin(self._stay_alive())

    async def _stay_alive(self) -> None:
        while True:
            with contextlib.suppress(StoreError):
                await self.look()
                await self.say_alive()  # by no clock that could not be compared
            await asyncio.sleep(SAY_SO_EVERY)

    async def say_alive(self) -> None:
        """Not before every gap of ours is kept: else the next to start would take it for time in
        which somebody was there."""
        with contextlib.suppress(StoreError):
            if not self._shared:
                await self._share()
            await self._hub.store.keep_fact(ALIVE, now().encode())
            if self._hub.store.shared:
                await self._share()

    async def _note(self, gap: Gap | None) -> None:
        """Remember a gap for good: somebody may look at their match only after the next start."""
        if self._add([gap] if gap else []):
            with contextlib.suppress(StoreError):  # then before it is next said that we are there
                await self._share()

    async def _share(self) -> None:
        """Servers on one database know of each other's gaps: any may have to give them back."""
        store = self._hub.store
        known = msgspec.json.decode(await store.fact(GAPS) or b"[]", type=list[Gap])
        if any(end > in_milliseconds(now()) for _, end in known):
            _, gap = await self._compare()  # it may be we who do not know yet that it was set
            self._add([gap] if gap else [])
        self._add(known)
        if self._gaps != known:
            await store.keep_fact(GAPS, msgspec.json.encode(self._gaps))
        self._shared = True

    def _add(self, gaps: list[Gap]) -> bool:
        """Know of these as well; whether that changes anything. What is still to come of one was
        by a clock that has been set back since: whoever has noticed that has the shorter one."""
        present, shortest = in_milliseconds(now()), dict[int, int]()
        for begin, end in (*self._gaps, *gaps):
            if begin < present:
                shortest[begin] = min(end, present, shortest.get(begin, end))
        longest = sorted(shortest.items(), key=lambda each: each[1] - each[0])[-MOST_GAPS:]
        if sorted(longest) == self._gaps:
            return False
        self._gaps, self._shared = sorted(longest), False
        # At once: if the next answer brought it to light, everybody would see that there was one.
        for live in self._hub.matches():
            if live.room.clock is not None:
                self._hub.begin(self._end(live))
        return True

    async def look(self) -> None:
        """See what time it is. That by which the clock was set ahead was nobody's to think in."""
        jump, gap = await self._compare()
        if jump:
            await self._note(gap)

    async def _compare(self) -> tuple[int, Gap | None]:
        jump = await HOURS.agree(self._hub.store, partial(warn_of_jump, self._hub))
        end = in_milliseconds(now())
        return jump, (end - jump, end) if jump > JUMP else None

    async def kept(self, room: AnyRoom, entry: log.AnyEntry) -> None:
        """An entry is kept. Nobody saw it before, and yet time ran for whoever is next.

        In the middle of a turn nobody is: to give something back there would tell of an answer that
        is hidden.
        """
        if room.clock is None or isinstance(entry, log.Away):  # that bears the end of a gap
            return
        rematch = isinstance(entry, log.Act) and isinstance(entry.command, Rematch)
        begin, end = in_milliseconds(entry.at), in_milliseconds(now())
        if (rematch or room.clock.since == entry.at) and end - begin > SLOW:
            await self._note((begin, end))

    def watch(self, live: Live) -> None:
        """Ring when the time of whoever thinks is up, if that may be looked at again by then."""
        clock = live.room.clock
        end = deadline(clock) if clock is not None else None
        if end == live.deadline:
            return
        live.deadline = end
        if live.alarm is not None:
            live.alarm.cancel()
            live.alarm = None
        if end is not None:
            loop, seconds = asyncio.get_running_loop(), (end - in_milliseconds(now())) / 1000
            pause = max(0.0, seconds, live.not_before - loop.time())
            live.alarm = loop.call_later(pause, self._ring, live)

    def _ring(self, live: Live) -> None:
        live.alarm = live.deadline = None
        if self._hub.find(live.room.id) is live and not self._hub.stopping:
            self._hub.begin(self._end(live))

    async def _end(self, live: Live) -> None:
        """A store in trouble that was asked again at once would be asked without end."""
        live.not_before = asyncio.get_running_loop().time() + AGAIN
        with contextlib.suppress(TraplineError):  # whoever looks next tries again
            await self._hub.call_time(live)
            live.not_before = 0.0
        self.watch(live)  # the machine's clock may have been set back meanwhile

    async def settle(self, room: AnyRoom) -> log.Away | log.Late | None:
        """Let the room take in what time alone has done to it: the next such entry."""
        if room.clock is None:
            return None
        if late(room.clock, now()):
            try:
                await self.look()  # nobody is late by a clock that was set meanwhile
            except StoreError as error:
                raise self._hub.trouble.note(error, UNREAD) from error
        for gap in self._gaps:
            if missed := lost_in(room.clock, gap):
                return await room.give_back(as_time(gap[1]), missed)
        seats = late(room.clock, now())
        return await room.call_time(seats) if seats else None
