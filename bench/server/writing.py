"""The reference for a crowd: a process that writes the same bytes to each, and does nothing else.

Whoever connects first says a word each time all others are to be written to. What that costs is
the system's own part of telling a crowd something.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from typing import cast

import uvloop

from bench.server.load import Running, cpu_seconds

SIZE = 1000
"""Bytes, about as many as a state has that is sent to a program."""
FRAME = b"x" * SIZE
AT_ONCE = 40


class Writer(asyncio.Protocol):
    lines: tuple[asyncio.Transport, ...] = ()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        Writer.lines += (cast("asyncio.Transport", transport),)

    def data_received(self, _word: bytes) -> None:
        self._write(1)

    def _write(self, start: int) -> None:
        for line in Writer.lines[start : start + AT_ONCE]:
            line.write(FRAME)
        if start < len(Writer.lines):
            asyncio.get_running_loop().call_soon(self._write, start + AT_ONCE)


class Reader(asyncio.Protocol):
    """Counts what comes, for all of them together."""

    heard = 0
    awaited = 0
    all_there: asyncio.Future[None] | None = None

    def data_received(self, data: bytes) -> None:
        Reader.heard += len(data)
        if Reader.heard == Reader.awaited and Reader.all_there is not None:
            Reader.all_there.set_result(None)


async def read(server: Running, crowd: int, times: int) -> tuple[float, float]:
    """Seconds until the last has it, and of the writer's processor for each."""
    loop, (host, port) = asyncio.get_running_loop(), server.address.split(":")
    first, _ = await loop.create_connection(Reader, host, int(port))
    for _ in range(crowd):
        await loop.create_connection(Reader, host, int(port))
    took, spent = [], cpu_seconds([server])
    for _ in range(times):
        Reader.heard, Reader.awaited, Reader.all_there = 0, crowd * SIZE, loop.create_future()
        begun = time.perf_counter()
        first.write(b"!")
        await Reader.all_there
        took.append(time.perf_counter() - begun)
    each = (cpu_seconds([server]) - spent) / times / crowd
    return sorted(took)[times // 2], each


async def write() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"Listening at 127.0.0.1:{listener.getsockname()[1]}", flush=True)
    server = await asyncio.get_running_loop().create_server(Writer, sock=listener)
    await server.serve_forever()


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(write())
