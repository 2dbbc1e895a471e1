"""One open connection to a match: what it has been sent, and what it has yet to hear.

There is no queue of states. A connection that reads slowly is sent the newest state when it
is ready for it, with all the events in between, so it costs no memory however long it waits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from trapline.core import TraplineError
from trapline.server.messages import Refused

if TYPE_CHECKING:
    from trapline.core import Viewer
    from trapline.server.hub import Hub, Live
    from trapline.server.messages import Presence
    from trapline.server.refusals import Refusal

encode = msgspec.json.Encoder().encode

UNSENT_REFUSALS = 16
"""A client that does not read what was wrong with its commands has no use for more."""


class ServerStops(TraplineError):
    pass


class Gone(TraplineError):
    """The match has been deleted."""


class Connection:
    def __init__(self, hub: Hub, live: Live, viewer: Viewer, after: int, plain: bool) -> None:
        self.hub = hub
        self.live = live
        self.viewer = viewer
        self._sent = after
        self._plain = plain
        self._first = True
        self._answers: list[str] = []
        self._refused: deque[Refusal] = deque(maxlen=UNSENT_REFUSALS)
        self._presence: Presence | None = None
        self._wake = asyncio.Event()

    def wake(self) -> None:
        self._wake.set()

    def answer(self, key: str) -> None:
        """The command with this key is settled: say so with the state."""
        self._answers.append(key)
        self._wake.set()

    def refuse(self, refusal: Refusal) -> None:
        """Say what was wrong, with the state that would have been right to look at."""
        self._refused.append(refusal)
        self._wake.set()

    async def next(self) -> bytes:
        """The next message, as soon as there is one."""
        while True:
            self._wake.clear()
            if self.hub.stopping:
                raise ServerStops("The server stops; connect again in a moment.")
            if self.live.gone:
                raise Gone("There is no such match; it may have expired.")
            message = self._next_message()
            if message is not None:
                return message
            await self._wake.wait()

    def _next_message(self) -> bytes | None:
        room, certain = self.live.room, self.live.certain
        if self._refused and (certain or self._refused[0].reason == "unavailable"):
            refusal = self._refused.popleft()
            state = room.state(self.viewer, plain=self._plain) if certain else None
            self._sent = state.version if state else self._sent
            return encode(Refused(refusal.reason, str(refusal), refusal.key, state))
        if not certain:
            return None
        if self._first or self._answers or room.version(self.viewer) > self._sent:
            state = room.state(self.viewer, self._sent, tuple(self._answers), plain=self._plain)
            self._sent, self._first, self._answers = state.version, False, []
            return encode(state)
        presence = self.live.presence
        if presence is not None and presence != self._presence:
            self._presence = presence
            return encode(presence)
        return None
