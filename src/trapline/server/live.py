"""A room in memory, and who is connected to it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS
from trapline.server.crowd import Crowd
from trapline.server.limits import Bucket
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from trapline.core import Seat, Viewer
    from trapline.server.connection import Connection
    from trapline.server.messages import Presence, Request
    from trapline.server.offers import AnyRoom


class Lock(asyncio.Lock):
    """One that can also be taken without a coroutine, by whoever need not wait."""

    _locked: bool

    def take(self) -> bool:
        """Take it, if nobody has it and nobody waits for it."""
        if self._locked or self._waiters:
            return False
        self._locked = True
        return True


class Coming:
    """A match on its way into memory, and whether news of it have overtaken it."""

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self.overtaken = False


class Live:
    def __init__(self, room: AnyRoom, commands_per_second: float) -> None:
        self.room = room
        self._rate = commands_per_second
        self._buckets: dict[Seat, Bucket] = {}
        self.lock = Lock()
        self.certain = True
        """Whether all that the room shows is kept. While it is not, nobody is shown anything."""
        self.keeping: asyncio.Future[Any] | None = None
        """The newest entry that somebody waits for, or has left while the store had it."""
        self.connections: dict[Viewer, dict[Connection, None]] = {1: {}, 2: {}, None: {}}
        """In the order in which they came."""
        self.presence: Presence | None = None
        self.presence_due = False
        self.instead: dict[Seat, tuple[str, str]] = {}
        """Levels that play in the place of those that were asked for, and what is said of it."""
        self.thinking = False
        self.deadline: int | None = None
        self.alarm: asyncio.TimerHandle | None = None
        """Rings when the time of whoever thinks is up."""
        self.not_before = 0.0
        """The moment before which it does not, whatever the clock says."""
        self.behind = False
        """Whether another process is known to have written more."""
        self.catching_up = False
        self.gone = False
        self.touched = time.monotonic()
        self._turns_begun: dict[Seat, float] = {}
        self.crowd = Crowd(self)

    @property
    def watched(self) -> bool:
        """Whether anybody is connected."""
        return any(self.connections.values())

    def expect(self, keeping: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """What to wait for while an entry is on its way. It goes on when nobody waits any more."""
        self.keeping = keeping
        keeping.add_done_callback(_heard)
        return asyncio.shield(keeping)

    def hurry(self, seat: Seat) -> None:
        """Count a message of a player; Refusal when they come too fast."""
        hurry(self.haste_of(seat))

    def haste_of(self, seat: Seat) -> Bucket:
        """What a player may still send, by whichever connection."""
        if seat not in self._buckets:
            self._buckets[seat] = new_haste(self._rate)
        return self._buckets[seat]

    def wake(self) -> None:
        """Let everybody see what is new: players first, and of a crowd so many at a time."""
        for seat in SEATS:
            for connection in self.connections[seat]:
                connection.wake()
        self.crowd.wake()

    def show(self) -> None:
        """The same without waiting for a turn, for whoever has one."""
        for seat in SEATS:
            for connection in self.connections[seat]:
                connection.speak()
        self.crowd.wake()

    def tell(self, refusal: Refusal) -> None:
        """Say to everybody that something is wrong."""
        for connections in self.connections.values():
            for connection in connections:
                connection.refuse(refusal)

    def pause(self, seat: Seat, request: Request, least: float) -> float:
        """Seconds that a command still has to wait, so that its turn takes as long as others.

        Who answers two questions of a turn with one command is quicker than who answers them one
        by one, and with it tells something of what the turn holds. So turns with hidden answers
        take a fixed time from their first answer on, unless the player takes longer.
        """
        now = time.monotonic()
        part = self.room.part_of_turn(seat, request)
        if part == "begins":
            self._turns_begun[seat] = now
        elif part == "ends":
            return self._turns_begun.pop(seat, now - least) + least - now
        return least if part == "whole" else 0.0


def _heard(kept: asyncio.Future[Any]) -> None:
    """It may fail when nobody waits for it, which is nothing to complain of."""
    if not kept.cancelled():
        kept.exception()


def new_haste(rate: float) -> Bucket:
    return Bucket(rate, 3 * rate)


def hurry(bucket: Bucket) -> None:
    if not bucket.take():
        raise Refusal("too fast", "Too many messages at once: wait a moment.")
