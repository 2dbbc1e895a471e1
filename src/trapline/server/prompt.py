"""Moves that are carried out where they are heard, without a task of their own: nearly all.

What happens to them is what `Hub.act` does: under the match's lock, kept, and only then shown.
Whatever may have to wait for more than the store goes that way.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from trapline.server.messages import Play
from trapline.server.refusals import BrokenRules, CountedRefusal, Refusal
from trapline.server.room import Room
from trapline.server.store import Conflict, StoreError

if TYPE_CHECKING:
    from contextvars import Context

    from trapline.core import Seat
    from trapline.server.connection import Connection
    from trapline.server.hub import Hub
    from trapline.server.live import Live
    from trapline.server.messages import Request


def begin(connection: Connection, request: Request, context: Context) -> bool:
    """Carry out a move of a connection's player; False if nothing was done, for it has to wait."""
    hub, live, seat = connection.hub, connection.live, connection.viewer
    if seat is None or not _is_plain(hub, live, seat, request) or not live.lock.take():
        return False
    if not connection.is_calm():  # it will be told so
        live.lock.release()
        return False
    try:
        live.touched = time.monotonic()
        Step(connection, seat, request).carry_out(context)
    except BaseException:
        live.lock.release()
        raise
    return True


def _is_plain(hub: Hub, live: Live, seat: Seat, request: Request) -> bool:
    """Whether nothing but the store has to be waited for."""
    room = live.room
    return (
        live.certain
        and isinstance(request.command, Play)
        and isinstance(room, Room)
        and not room.hides_turns
        and room.clock is None
        and request.version <= room.version(seat)
        and hub.find(room.id) is live
    )


class Step:
    """One such move, from the moment at which it is heard until it is kept or refused."""

    __slots__ = ("_connection", "_hub", "_live", "_refusal", "_request", "_seat")

    def __init__(self, connection: Connection, seat: Seat, request: Request) -> None:
        self._connection = connection
        self._hub, self._live = connection.hub, connection.live
        self._seat, self._request = seat, request
        self._refusal: Refusal | None = None

    def carry_out(self, context: Context) -> None:
        hub, live, room = self._hub, self._live, self._live.room
        assert isinstance(room, Room)  # others are not plain
        try:
            entry = room.act(self._seat, self._request)
        except CountedRefusal as counted:
            entry, self._refusal = counted.entry, counted
        except BrokenRules:
            self._doubt()
            raise
        if entry is None:  # it was carried out before
            self._connection.answer(self._request.key)
            live.lock.release()
            return
        live.certain = False
        try:
            kept = hub.append(room, entry)
        except StoreError as error:
            self._doubt()
            raise self._unkept(error) from error
        kept.add_done_callback(self._settle, context=context)

    def _doubt(self) -> None:
        """Nobody knows what is kept: until it was read again, nobody is shown anything."""
        self._live.certain = False
        if not self._hub.stopping:
            self._hub.begin(self._hub.recover(self._live))

    def _unkept(self, error: StoreError) -> Refusal:
        return self._hub.trouble.note(error).answering(self._request.key)

    def _settle(self, kept: asyncio.Future[object]) -> None:
        """Show what is kept now, or say why it is not."""
        hub, live, connection = self._hub, self._live, self._connection
        error = asyncio.CancelledError() if kept.cancelled() else kept.exception()
        try:
            if error is None:
                live.certain = True
                if self._refusal is None:
                    connection.settle(self._request.key)
                else:
                    connection.refuse(self._refusal)
                live.show()
                hub.stir(live)
            elif isinstance(error, Conflict):
                hub.begin(self._again())
            else:
                self._doubt()
                if isinstance(error, StoreError):
                    connection.refuse(self._unkept(error))
        finally:
            live.lock.release()

    async def _again(self) -> None:
        """Another process was first: read what it wrote, and try it once more."""
        connection = self._connection
        try:
            await self._hub.act(self._live.room.id, self._seat, self._request)
            connection.answer(self._request.key)
        except Refusal as refusal:
            connection.refuse(refusal)
