"""The WebSocket side: states out, commands in, over one connection to a match."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING

import msgspec
from starlette.websockets import WebSocketDisconnect

from trapline.server import guard
from trapline.server.connection import Elsewhere, Ending, Gone, ServerStops
from trapline.server.limits import address_of
from trapline.server.messages import LARGEST_FRAME, Request, explain
from trapline.server.refusals import Refusal
from trapline.server.requests import context, find_match, find_version, find_viewer, is_plain

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from trapline.server.connection import Connection

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
        live = await find_match(websocket)
        viewer, after = await find_viewer(websocket, live), find_version(websocket)
        if after > live.room.version(viewer):
            await context(websocket).hub.refresh(live)
        connection = context(websocket).hub.places.connect(
            live, viewer, after, plain=is_plain(websocket), address=address_of(websocket)
        )
    except Refusal as refusal:
        code = CODES.get(refusal.reason, POLICY)
        logger.info("socket refused", extra={"code": code, "reason": refusal.reason})
        # Accepted first: a browser's script can read why only after that.
        await websocket.accept()
        await _close(websocket, code, str(refusal))
        return
    begun, why = time.monotonic(), "the client left"
    logger.info("socket opened", extra={"seat": viewer or 0})
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
    tasks = [
        asyncio.create_task(_send(websocket, connection)),
        asyncio.create_task(_receive(websocket, connection)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except Closed as closed:
        await _close(websocket, closed.code, str(closed))
        return str(closed)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return "the client left"


async def _send(websocket: WebSocket, connection: Connection) -> None:
    try:
        while True:
            message = {"type": "websocket.send", "text": (await connection.next()).decode()}
            async with asyncio.timeout(PATIENCE):
                await websocket.send(message)
    except Ending as ending:
        raise Closed(ENDINGS[type(ending)], str(ending)) from None
    except TimeoutError:
        raise Closed(TRY_LATER, "You did not read what was sent: connect again.") from None


async def _receive(websocket: WebSocket, connection: Connection) -> None:
    hasty = 0
    while True:
        message = await websocket.receive()
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
    connection.hurry()
    if len(data) > LARGEST_FRAME:
        raise Closed(TOO_LARGE, f"A message is at most {LARGEST_FRAME} bytes.")
    try:
        request = decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Refusal("unreadable", explain(error)) from None
    if connection.viewer is None:
        raise Refusal("not yours", "You are watching; only players can act.", key=request.key)
    await connection.hub.act(connection.live.room.id, connection.viewer, request)
    connection.answer(request.key)


async def _close(websocket: WebSocket, code: int, sentence: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        await websocket.close(code, sentence[:120])
