"""What a server does by itself now and then: forget, expire, and notice what was deleted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from trapline.server.admin import expire
from trapline.server.hours import HOURS, ago, now, written
from trapline.server.store import StoreError

if TYPE_CHECKING:
    from trapline.server.hub import Hub

logger = logging.getLogger("trapline.server")

IDLE = 60.0
"""Seconds after which a match without connections leaves the memory; it stays in the store."""
LOOK_EVERY = 5.0
EXPIRE_EVERY = 3600.0
BELIEVED = "clock"
"""Under this name the store keeps the last time that was believed."""
SPARED = "spared"
"""And under this one, which matches a wrong clock makes look older than they are."""
DOUBT = 24 * 3600.0
"""Seconds by which the clock may be away from what we know of the time; also how long we wait
before we believe it."""
FAR = 3_600_000
"""Milliseconds by which a clock is set while we run before we doubt it."""


class Upkeep:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def start(self) -> None:
        self._hub.begin(self._sweep())
        if self._hub.settings.expire_days:
            self._hub.begin(self._expire())

    async def _sweep(self) -> None:
        """Let go of matches that nobody looks at, and of those that somebody has deleted."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self._hub.let_go(time.monotonic() - IDLE)
            with contextlib.suppress(StoreError):
                await self.drop_deleted()

    async def drop_deleted(self) -> None:
        """Whoever watches a match that an operator has deleted is told so."""
        ids = [live.room.id for live in self._hub.matches()]
        if ids:
            for match_id in await self._hub.store.missing(ids):
                self._hub.forget(match_id)

    async def _expire(self) -> None:
        """Delete unfinished matches that nobody has touched for long."""
        clock = Clock()
        while True:
            with contextlib.suppress(StoreError):
                wait = await self._doubt(clock)
                if wait:
                    logger.warning(
                        "the clock is far from when we last ran; nothing expires for now",
                        extra={"hours": round(wait / 3600, 1)},
                    )
                    await asyncio.sleep(wait)
                    continue
                days = timedelta(days=self._hub.settings.expire_days)
                gone = await expire(self._hub.store, days, await self._spared(days))
                if gone:
                    logger.info("unfinished matches expired", extra={"matches": gone})
            await asyncio.sleep(EXPIRE_EVERY)

    async def _doubt(self, clock: Clock) -> float:
        """Compare the clock with when it was last believed, or with the last move."""
        store = self._hub.store
        await self._hub.clocks.look()
        known = await store.fact(BELIEVED)
        wait = clock.doubt(known.decode() if known else await store.newest())
        if wait:  # a jump is noticed so much later at most
            await spare(self._hub, ago(timedelta(seconds=EXPIRE_EVERY)))
        else:
            await store.keep_fact(BELIEVED, now().encode())
        return wait

    async def _spared(self, days: timedelta) -> str | None:
        """From when on matches are spared, until the right clock has run for so long."""
        noted = await _noted(self._hub)
        if noted is None:
            return None
        if not noted.right_since:
            noted = Spared(noted.low, now())
        over = noted.right_since < ago(days)
        await self._hub.store.keep_fact(SPARED, b"" if over else msgspec.json.encode(noted))
        return None if over else noted.low


class Spared(msgspec.Struct, frozen=True):
    """What is known of a time when the clock was wrong."""

    low: str
    """Whatever changed then or later may be younger than it seems."""
    right_since: str = ""


async def spare(hub: Hub, present: str) -> None:
    """Note that matches may bear a time that is wrong, by whichever clock: from this one on."""
    believed = await hub.store.fact(BELIEVED)
    before = datetime.fromisoformat(believed.decode() if believed else now())
    not_yet_due = before - timedelta(days=hub.settings.expire_days)
    noted = await _noted(hub)
    low = min(present, written(not_yet_due), noted.low if noted else present)
    await hub.store.keep_fact(SPARED, msgspec.json.encode(Spared(low)))


async def _noted(hub: Hub) -> Spared | None:
    kept = await hub.store.fact(SPARED)
    return msgspec.json.decode(kept, type=Spared) if kept else None


async def warn_of_jump(hub: Hub, milliseconds: int) -> None:
    """The clock is about to be set while we run; what is played by it may be read by another."""
    if abs(milliseconds) > FAR and hub.settings.expire_days:
        await spare(hub, ago(timedelta(milliseconds=-milliseconds)))


class Clock:
    """Whether the time of day can be believed, as far as matches are to be deleted by it.

    A machine may wake up in another month. When the clock is more than a day from when it was last
    believed, or has jumped while we ran, a day must pass for us before we believe it.
    """

    def __init__(self) -> None:
        self._begun, self._ahead = time.monotonic(), HOURS.ahead
        self._jumped = False

    def doubt(self, known: str | None) -> float:
        """Seconds to wait before anything is deleted by the clock; 0 if there is no doubt.

        `known` is a time that was believed before.
        """
        ran = time.monotonic() - self._begun
        if abs(HOURS.ahead - self._ahead) > FAR:
            self._begun, self._ahead, self._jumped = time.monotonic(), HOURS.ahead, True
            return DOUBT
        if ran >= DOUBT:
            self._jumped = False
        elif self._jumped or (known is not None and _far(known)):
            return DOUBT - ran
        return 0.0


def _far(known: str) -> bool:
    away = datetime.fromisoformat(now()) - datetime.fromisoformat(known)
    return abs(away.total_seconds()) > DOUBT
