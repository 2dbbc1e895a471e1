"""Those who watch a match: told a few at a time, and the same bytes to all who are in step.

Who has read everything and has nothing of their own to hear is in step with all who have been told
the same. What comes next for them is made once, as it goes over the wire, and written to each.
Everybody else is told what they need by their own connection.
"""

from __future__ import annotations

import asyncio
import time
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from trapline.server.frames import text_frame
from trapline.server.news import Told, news

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.server.connection import Connection
    from trapline.server.live import Live

AT_ONCE = 20
"""How many are told something before anybody else has a turn."""
A_MOMENT = 0.0002
"""Seconds that we rest between two turns while somebody's move is written: the thread that writes
it would have to get Python back from us again and again, at every statement. It needs it for much
less than the millisecond that timers take at least, in which nobody of the crowd would be told."""


class Line(Protocol):
    """What goes to a client, below all framing: a transport."""

    def is_closing(self) -> bool: ...

    def write(self, data: bytes, /) -> None: ...


class Crowd:
    def __init__(self, live: Live) -> None:
        self._live = live
        self._untold: Iterator[Connection] | None = None
        self._newest: dict[bool, Told] = {}

    def wake(self) -> None:
        """Let all of them see what is new; those who were told already look again."""
        if watchers := [*self._live.connections[None]]:
            if self._untold is None:
                asyncio.get_running_loop().call_soon(self._tell_some)
            self._untold = iter(watchers)

    def _tell_some(self) -> None:
        some = [*islice(self._untold or (), AT_ONCE)]
        live = self._live
        apart = live.gone or not live.certain or any(one.hub.stopping for one in some[:1])
        steps: dict[Told, tuple[bytes, Told]] = {}
        for connection in some:
            line, told = connection.line, connection.told
            if line is None or apart:
                connection.speak()
                continue
            try:
                step = steps.get(told)
                if step is None:
                    step = steps[told] = self._step(told)
                if step[0] and not line.is_closing():
                    line.write(step[0])
                connection.told = step[1]
            except Exception:  # noqa: BLE001 (whoever speaks alone meets it again, and ends with it)
                connection.speak()
        if len(some) == AT_ONCE:  # other matches have their turn in between
            if some[0].hub.store.writing:
                time.sleep(A_MOMENT)
            asyncio.get_running_loop().call_soon(self._tell_some)
        else:
            self._untold = None

    def _step(self, told: Told) -> tuple[bytes, Told]:
        """All that is new for somebody, and how far they have been told with it."""
        frames = b""
        message, told = news(self._live, None, told)
        while message is not None:
            frames += text_frame(message)
            message, told = news(self._live, None, told)
        return frames, self.shared(told)

    def shared(self, told: Told) -> Told:
        """The same, as all have it who have been told it."""
        newest = self._newest.get(told.plain)
        if newest is None or newest.version != told.version or newest.presence is not told.presence:
            newest = self._newest[told.plain] = told
        return newest
