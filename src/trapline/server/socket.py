"""The WebSocket side: states out, commands in, over one connection to a match."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import time
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocketDisconnect

from trapline.server import guard, prompt
from trapline.server.connection import Elsewhere, Ending, Gone, ServerStops
from trapline.server.messages import LARGEST_FRAME, Request, explain
from trapline.server.refusals import Refusal
from trapline.server.requests import context, listen
from trapline.server.wire import EXTENSION

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from trapline.server.connection import Connection
    from trapline.server.wire import Socket

logger = logging.getLogger("trapline.server")

decode = msgspec.json.Decoder(Request).decode

PATIENCE = 20.0
"""Seconds that a client may take to read a message before it is disconnected."""
TOO_FAST_TOO_OFTEN = 20

NORMAL, GOING_AWAY, POLICY, TOO_LARGE, TRY_LATER = 1000, 1001, 1008, 1009, 1013
ENDINGS = {ServerStops: GOING_AWAY, Gone: 4404, Elsewhere: POLICY}
CODES = {"not yours": 4401, "unknown": 4404, "unavailable": TRY_LATER, "full": TRY_LATER}


class Closed(Exception):
    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


async def talk(websocket: WebSocket) -> None:
    """One conversation from its beginning to its end."""
    try:
        guard.check_origin(websocket, context(websocket).settings.public_url)
        connection = await listen(websocket)
    except Refusal as refusal:
        code = CODES.get(refusal.reason, POLICY)
        logger.info("socket refused", extra={"code": code, "reason": refusal.reason})
        # Accepted first: a browser's script can read why only after that.
        await websocket.accept()
        await _close(websocket, code, str(refusal))
        return
    begun, why = time.monotonic(), "the client left"
    logger.info("socket opened", extra={"seat": connection.viewer or 0})
    try:
        await websocket.accept()
        why = await _both_ways(websocket, connection)
    except (WebSocketDisconnect, OSError):
        pass
    finally:
        connection.hub.places.disconnect(connection)
        seconds = round(time.monotonic() - begun, 1)
        logger.info("socket closed", extra={"seconds": seconds, "reason": why})


async def _both_ways(websocket: WebSocket, connection: Connection) -> str:
    """Talk until one side ends it; why it ended."""
    wire: Socket = websocket.scope["extensions"][EXTENSION]["wire"]
    speaker = Speaker(wire, connection)
    wire.listen(Ear(connection).hear)
    listening = asyncio.create_task(_receive(wire, connection))
    listening.add_done_callback(speaker.hear_the_end)
    try:
        await speaker.ended
    except Closed as closed:
        speaker.stop()  # nothing comes after the last word
        if wire.takes_more:
            await _close(websocket, closed.code, str(closed))
        else:  # to close it would wait until all is read that was sent before
            wire.drop()
        return str(closed)
    finally:
        speaker.stop()
        if not listening.done():
            listening.cancel()
            await asyncio.wait((listening,))
    return "the client left"


class Speaker:
    """Sends what a connection has to say as soon as the wire takes it.

    It has no task of its own: whoever changes something calls, and what many change before it
    is its turn is said once.
    """

    def __init__(self, wire: Socket, connection: Connection) -> None:
        self._loop = asyncio.get_running_loop()
        self._wire = wire
        self._connection = connection
        self._due = False
        self._too_late: asyncio.TimerHandle | None = None
        self.ended: asyncio.Future[None] = self._loop.create_future()
        connection.wake, connection.speak = self._call, self._speak
        wire.follow(self._fall_behind, self._go_on)
        self._speak()  # at once, so that it goes out with the head of the answer

    def stop(self) -> None:
        self._connection.wake = self._connection.speak = _nothing
        self._connection.line = None
        self._wire.follow(_nothing, _nothing)
        if not self.ended.cancel() and not self.ended.cancelled():
            self.ended.exception()  # if nobody has heard of it, nobody is left who would
        self._forgive()

    def hear_the_end(self, listening: asyncio.Task[None]) -> None:
        """Whoever listens has ended: the client has left, or was sent away."""
        why = None if listening.cancelled() else listening.exception()
        if why is not None and not self.ended.done():
            self.ended.set_exception(why)

    def _call(self) -> None:
        if not self._due:
            self._due = True
            self._loop.call_soon(self._speak)

    def _fall_behind(self) -> None:
        """The wire takes no more, and the client has so long to read what it was sent."""
        self._connection.line = None
        if self._too_late is None and not self.ended.done():
            sentence = "You did not read what was sent: connect again."
            self._too_late = self._loop.call_later(PATIENCE, self._end, Closed(TRY_LATER, sentence))

    def _go_on(self) -> None:
        self._forgive()
        self._call()

    def _forgive(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _speak(self) -> None:
        self._due, more, ended = False, True, self.ended.done()
        connection, wire = self._connection, self._wire
        try:
            while wire.takes_more and not ended:
                message = connection.take() if more else None
                if message is None:
                    if connection.viewer is None:
                        connection.fall_in(wire.transport)
                    return
                wire.say(message)
                more = connection.has_more
        except Ending as ending:
            self._end(Closed(ENDINGS[type(ending)], str(ending)))
        except Exception as error:  # noqa: BLE001 (whoever waits for the end hears of it)
            self._end(error)
        self._fall_behind()

    def _end(self, why: Exception) -> None:
        self._connection.line = None
        if not self.ended.done():
            self.ended.set_exception(why)


def _nothing() -> None:
    """Nobody is left who would do anything."""


class Ear:
    """Hears what a client says, and does at once what need not wait for anything."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._context = contextvars.copy_context()

    def hear(self, data: str | bytes) -> bool:
        """Whether a message was dealt with; if not, it goes the way of all others."""
        connection = self._connection
        if connection.viewer is None or len(data) > LARGEST_FRAME:
            return False
        try:
            request = decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return False
        try:
            return prompt.begin(connection, request, self._context)
        except Refusal as refusal:
            connection.refuse(refusal)
            return True


async def _receive(wire: Socket, connection: Connection) -> None:
    hasty = 0
    while True:
        message: dict[str, Any] = await wire.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", NORMAL))
        try:
            await _obey(connection, message.get("text") or message.get("bytes") or b"")
        except Refusal as refusal:
            connection.refuse(refusal)
            hasty += refusal.reason == "too fast"
        if hasty > TOO_FAST_TOO_OFTEN:
            raise Closed(POLICY, "Too many messages: slow down, and connect again.")


async def _obey(connection: Connection, data: str | bytes) -> None:
    if len(data) > LARGEST_FRAME:
        raise Closed(TOO_LARGE, f"A message is at most {LARGEST_FRAME} bytes.")
    try:
        request = decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        connection.hurry()
        raise Refusal("unreadable", explain(error)) from None
    try:
        connection.hurry()
    except Refusal as refusal:
        raise refusal.answering(request.key) from None
    if connection.viewer is None:
        raise Refusal("not yours", "You are watching; only players can act.", key=request.key)
    await connection.hub.act(connection.live.room.id, connection.viewer, request)
    connection.answer(request.key)


async def _close(websocket: WebSocket, code: int, sentence: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        await websocket.close(code, sentence[:120])
