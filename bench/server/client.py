"""A WebSocket client with next to no cost of its own, so that a benchmark measures the server.

It sends one masked frame at a time and reads unmasked text frames, which is all it needs.
"""

from __future__ import annotations

import asyncio
import base64
import os
from typing import TYPE_CHECKING, cast

import msgspec

from trapline.core import Cell

if TYPE_CHECKING:
    from collections.abc import Callable


class SeenView(msgspec.Struct):
    asks: str | None
    legal: list[int | str | Cell]
    outcome: object | None


class Seen(msgspec.Struct):
    """The part of a message that a player needs for playing at random."""

    type: str
    version: int = 0
    view: SeenView | None = None
    answers: list[str] = []


decode = msgspec.json.Decoder(Seen).decode


class Player(asyncio.Protocol):
    """One seat's connection. Calls `hear` with itself and each message."""

    def __init__(self, path: str, cookie: str, hear: Callable[[Player, Seen], None]) -> None:
        self._path, self._cookie, self._hear = path, cookie, hear
        self._buffer = b""
        self._open = False
        self.sent_at = 0.0
        self.count = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        nonce = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {nonce}\r\n"
            f"Sec-WebSocket-Version: 13\r\nCookie: {self._cookie}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head)
            self._open, self._buffer = True, rest
        while (frame := self._frame()) is not None:
            self._hear(self, decode(frame))

    def _frame(self) -> bytes | None:
        """The next complete text frame; pings are answered on the way."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length == 126:
            length, start = int.from_bytes(buffer[2:4], "big"), 4
        end = start + length
        if len(buffer) < end:
            return None
        self._buffer = buffer[end:]
        if buffer[0] & 15 == 9:
            self._write(0x8A, buffer[start:end])
            return self._frame()
        if buffer[0] & 15 == 8:
            raise ConnectionError(f"the server has hung up: {buffer[start + 2 : end]!r}")
        return buffer[start:end]

    def say(self, message: bytes) -> None:
        self._write(0x81, message)

    def _write(self, first: int, data: bytes) -> None:
        size = (
            bytes([first, 0x80 | len(data)])
            if len(data) < 126
            else bytes([first, 0xFE]) + len(data).to_bytes(2, "big")
        )
        # A mask of zeros is a mask; it leaves the data as it is.
        self.transport.write(size + b"\0\0\0\0" + data)
