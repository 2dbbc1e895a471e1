"""Sees to it that clocks are looked at when somebody's time is up, also after a restart."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from trapline.core import TraplineError
from trapline.server.seating import now
from trapline.server.store import StoreError
from trapline.server.timing import as_time, deadline, in_milliseconds, late, lost_in

if TYPE_CHECKING:
    from trapline.server import log
    from trapline.server.hub import Hub
    from trapline.server.live import Live
    from trapline.server.offers import AnyRoom
    from trapline.server.timing import Gap

ALIVE = "alive"
"""Under this name the store keeps when a server was last there."""
SAY_SO_EVERY = 5.0
"""Seconds. What a clock loses when a server is killed is given back, but for this much."""


class Clocks:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._gap: Gap = (0, 0)

    async def start(self) -> None:
        """Find out for how long nobody was there to play with."""
        known, begun = await self._hub.store.fact(ALIVE), in_milliseconds(now())
        last = in_milliseconds(known.decode()) if known else begun
        # Of several servers on one database another may have been there all the time.
        least = 2000 * SAY_SO_EVERY if self._hub.store.shared else 0
        if begun - last > least:
            self._gap = last, begun
        self._hub.begin(self._stay_alive())

    async def _stay_alive(self) -> None:
        while True:
            await self.say_alive()
            await asyncio.sleep(SAY_SO_EVERY)

    async def say_alive(self) -> None:
        with contextlib.suppress(StoreError):
            await self._hub.store.keep_fact(ALIVE, now().encode())

    def watch(self, live: Live) -> None:
        """Ring when the time of whoever thinks is up."""
        end = deadline(live.room.clock)
        if end == live.deadline:
            return
        live.deadline = end
        if live.alarm is not None:
            live.alarm.cancel()
            live.alarm = None
        if end is not None:
            seconds = max(0, end - in_milliseconds(now())) / 1000
            live.alarm = asyncio.get_running_loop().call_later(seconds, self._ring, live)

    def _ring(self, live: Live) -> None:
        live.alarm = live.deadline = None
        if self._hub.find(live.room.id) is live and not self._hub.stopping:
            self._hub.begin(self._end(live))

    async def _end(self, live: Live) -> None:
        with contextlib.suppress(TraplineError):  # whoever looks next tries again
            await self._hub.call_time(live)
        self.watch(live)  # the machine's clock may have been set back meanwhile

    async def settle(self, room: AnyRoom) -> log.Away | log.Late | None:
        """Let the room take in what time alone has done to it: the next such entry."""
        missed = lost_in(room.clock, self._gap)
        if missed:
            return await room.give_back(as_time(self._gap[1]), missed)
        seats = late(room.clock, now())
        return await room.call_time(seats) if seats else None
