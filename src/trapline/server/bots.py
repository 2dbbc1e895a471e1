"""Computer players at the seats of matches: whenever one is asked, it is thought for."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from trapline.core import TraplineError
from trapline.server.messages import AcceptDraw, Play, Request
from trapline.server.offers import bot_to_act, variant_of
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from trapline.server.hub import Hub
    from trapline.server.live import Live

logger = logging.getLogger("trapline.server")

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
"""Seconds before a thought that failed is tried again, and again."""


class Bots:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.failures = 0

    def call(self, live: Live) -> None:
        """Let the computer think, if it is asked anything."""
        if live.certain and not live.thinking and not self._hub.stopping and bot_to_act(live.room):
            live.thinking = True
            self._hub.begin(self._play(live))

    async def _play(self, live: Live) -> None:
        """Answer until there is nothing more to answer, or nobody is left to see it fail."""
        pause = FIRST_PAUSE
        try:
            while live.certain and not live.gone and bot_to_act(live.room):
                try:
                    await self._answer(live)
                    pause = FIRST_PAUSE
                except Exception as error:  # noqa: BLE001 (whatever it is, the match must go on)
                    self._report(live, error, pause)
                    if not live.watched:
                        return  # who connects next calls again
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            live.thinking = False

    async def _answer(self, live: Live) -> None:
        asked = bot_to_act(live.room)
        if asked is None:
            return
        seat, level, known = asked
        version = live.room.version(seat)
        thinkers = self._hub.offers.find(live.room.opening.game).thinkers
        thought, _ = await asyncio.gather(
            thinkers.thought(level, known, variant_of(live)),
            asyncio.sleep(self._hub.settings.pace),
        )
        instead = thought.instead, thought.why
        if live.instead.get(seat, ("", "")) != instead:
            live.instead[seat] = instead
            self._hub.presences.changed(live)
        command = AcceptDraw() if thought.agrees else Play(thought.text)
        request = Request(f"{level} {version}", version, command)
        try:
            await self._hub.act(live.room.id, seat, request)
        except Refusal as refusal:
            if refusal.reason != "stale":  # else the match has gone on meanwhile
                raise

    def _report(self, live: Live, error: Exception, pause: float) -> None:
        self.failures += 1
        unexpected = None if isinstance(error, TraplineError) else error
        facts = {"error": str(error), "again_in": pause}
        logger.warning("the computer could not answer", extra=facts, exc_info=unexpected)
        reason = str(error) if unexpected is None else "Something went wrong."
        sentence = f"The computer could not answer: {reason} It will be asked again later."
        live.tell(Refusal("unavailable", sentence))
