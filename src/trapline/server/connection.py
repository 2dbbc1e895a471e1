"""One open connection to a match: what it has been sent, and what it has yet to hear.

There is no queue of states. A connection that reads slowly is sent the newest state when it
is ready for it, with all the events in between, so it costs no memory however long it waits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from trapline.core import TraplineError
from trapline.server import showing
from trapline.server.live import hurry, new_haste
from trapline.server.messages import Refused
from trapline.server.news import Told, encode, news

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Viewer
    from trapline.server.crowd import Line
    from trapline.server.hub import Hub
    from trapline.server.live import Live
    from trapline.server.refusals import Refusal

UNSENT_REFUSALS = 16
"""A client that does not read what was wrong with its commands has no use for more."""


class Ending(TraplineError):
    """Why a connection is ended from this side."""


class ServerStops(Ending):
    pass


class Gone(Ending):
    """The match has been deleted."""


class Elsewhere(Ending):
    """The same player has come in so often that the oldest connection has to go."""


class Connection:
    def __init__(
        self, hub: Hub, live: Live, viewer: Viewer, after: int, plain: bool, address: str
    ) -> None:
        self.hub = hub
        self.live = live
        self.viewer = viewer
        self.address = address
        self.told = Told(after, None, plain)
        self.line: Line | None = None
        """Where it is in step with others: what they are told together is written here."""
        self._first = True
        rate = hub.settings.commands_per_second
        self._haste = new_haste(rate) if viewer is None else live.haste_of(viewer)
        self._answers: list[str] = []
        self._refused: deque[Refusal] = deque(maxlen=UNSENT_REFUSALS)
        self._ending: Ending | None = None
        self._wake = asyncio.Event()
        self.wake: Callable[[], None] = self._wake.set
        """Something may have changed. Whoever sends by `take` puts a call of their own here."""
        self.speak: Callable[[], None] = self._wake.set
        """The same without waiting for a turn, for whoever has one. Likewise."""

    def hurry(self) -> None:
        """Count a message; Refusal when they come too fast. Each who watches is counted alone."""
        hurry(self._haste)

    def is_calm(self) -> bool:
        """The same, and whether it was allowed; where it was not, nothing is counted."""
        return self._haste.take()

    def answer(self, key: str) -> None:
        """The command with this key is settled: say so with the state."""
        self.settle(key)
        self.wake()

    def settle(self, key: str) -> None:
        """The same for whoever wakes everybody anyway."""
        self.line = None
        self._answers.append(key)

    def refuse(self, refusal: Refusal) -> None:
        """Say what was wrong, with the state that would have been right to look at."""
        self.line = None
        self._refused.append(refusal)
        self.wake()

    def end(self, ending: Ending) -> None:
        """Hang up, and say why."""
        self.line = None
        self._ending = ending
        self.wake()

    async def next(self) -> bytes:
        """The next message, as soon as there is one."""
        while True:
            self._wake.clear()
            message = self.take()
            if message is not None:
                return message
            await self._wake.wait()

    def take(self) -> bytes | None:
        """The next message, if there is one; Ending where there will be none any more."""
        live, answers = self.live, self._answers
        if self.hub.stopping:
            raise ServerStops("The server stops; connect again in a moment.")
        if live.gone:
            raise Gone("There is no such match; it may have expired.")
        if self._ending is not None:
            raise self._ending
        certain = live.certain
        if self._refused and (certain or self._refused[0].reason == "unavailable"):
            return self._say_what_was_wrong(self._refused.popleft())
        if not certain:
            return None
        again = self._first or bool(answers)
        message, self.told = news(live, self.viewer, self.told, again=again)
        self._first = False
        if answers and message is not None:
            message = showing.with_answers(message, answers)
            self._answers = []
        return message

    @property
    def has_more(self) -> bool:
        """Whether something is left to say after what was just taken; if unsure, yes."""
        return bool(self._refused or self._answers) or self.live.presence is not self.told.presence

    def fall_in(self, line: Line) -> None:
        """Whoever watches and has heard everything hears what is new with all the others."""
        if not self._refused and not self._first:
            self.line = line
            self.told = self.live.crowd.shared(self.told)

    def _say_what_was_wrong(self, refusal: Refusal) -> bytes:
        state, told = None, self.told
        if self.live.certain:
            state = self.live.room.state(self.viewer, told.version, plain=told.plain)
            self.told, self._first = Told(state.version, told.presence, told.plain), False
        return encode(Refused(refusal.reason, str(refusal), refusal.key, state))
