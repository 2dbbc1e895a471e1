"""Connections that ask for pages without end, beside a match."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, cast

from bench.server.crowd import among, neighbour

if TYPE_CHECKING:
    from bench.server.load import Running

ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
ANSWER = b"HTTP/1.1 200 "
AT_ONCE = 10
"""Requests that a connection sends before it has an answer to the first."""


class Stranger(asyncio.Protocol):
    answers = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(ASK * AT_ONCE)

    def data_received(self, data: bytes) -> None:
        heard = data.count(ANSWER)
        Stranger.answers += heard
        if heard and not self._transport.is_closing():
            self._transport.write(ASK * heard)


async def ask_without_end(server: Running, connections: int, seconds: float) -> str:
    await asyncio.sleep(6.0)  # until the computer's players have been loaded
    loop, (host, port) = asyncio.get_running_loop(), server.address.split(":")
    with neighbour(server.address) as moves:
        await asyncio.sleep(3.0)
        begun = time.monotonic()
        lines = [
            (await loop.create_connection(Stranger, host, int(port)))[0] for _ in range(connections)
        ]
        all_there = time.monotonic()
        await asyncio.sleep(seconds)
        ended = time.monotonic()
        for line in lines:
            line.abort()
    took = among(moves, begun, [(all_there, ended)], "they ask")
    return (
        f"{connections} connections that ask for pages: {Stranger.answers / (ended - begun):,.0f} "
        f"answers/s; a move of a match beside them takes {took}"
    )
