"""The WebSocket side: states out, commands in, over one connection to a match."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import msgspec
from starlette.websockets import WebSocketDisconnect

from trapline.server import guard
from trapline.server.api import context, find_match, find_version, find_viewer, is_plain
from trapline.server.connection import Gone, ServerStops
from trapline.server.messages import LARGEST_FRAME, Request, explain
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from trapline.server.connection import Connection

decode = msgspec.json.Decoder(Request).decode

PATIENCE = 20.0
"""Seconds that a client may take to read a message before it is disconnected."""
TOO_FAST_TOO_OFTEN = 20

NORMAL, GOING_AWAY, POLICY, TOO_LARGE, TRY_LATER = 1000, 1001, 1008, 1009, 1013
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
        connection = context(websocket).hub.connect(live, viewer, after, plain=is_plain(websocket))
    except Refusal as refusal:
        # Accepted first: a browser's script can read why only after that.
        await websocket.accept()
        await _close(websocket, CODES.get(refusal.reason, POLICY), str(refusal))
        return
    try:
        await websocket.accept()
        await _both_ways(websocket, connection)
    except (WebSocketDisconnect, OSError):
        pass
    finally:
        connection.hub.disconnect(connection)


async def _both_ways(websocket: WebSocket, connection: Connection) -> None:
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
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send(websocket: WebSocket, connection: Connection) -> None:
    try:
        while True:
            message = {"type": "websocket.send", "text": (await connection.next()).decode()}
            async with asyncio.timeout(PATIENCE):
                await websocket.send(message)
    except ServerStops as stops:
        raise Closed(GOING_AWAY, str(stops)) from None
    except Gone as gone:
        raise Closed(CODES["unknown"], str(gone)) from None
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
    connection.live.hurry(connection.viewer)
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
