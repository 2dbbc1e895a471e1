"""Sockets down to their bytes: the server's real protocols over a simulated transport.

A link of this kind gives the server what a browser would write, in pieces, and takes apart what
the server writes: the head of its answer, frames, pings and closing words.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.seeded.network import ABNORMAL, DEAF, RESTART, Link, next_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

NORMAL = 1000
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
NONCE = "dGhlIHNhbXBsZSBub25jZQ=="
IN_PIECES = 0.3


class Transport(asyncio.Transport):
    """The server's end of a TCP connection."""

    def __init__(self, link: WiredLink, address: str) -> None:
        super().__init__({"peername": (address, 1), "sockname": ("127.0.0.1", 8000)})
        self._link = link
        self._closing = False
        self._lost = False
        self.protocol: Any = None

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def is_closing(self) -> bool:
        return self._closing

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._closing:
            self._link.wrote(bytes(data))

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._link.hung_up()
            asyncio.get_running_loop().call_soon(self.lose)

    abort = close

    def lose(self) -> None:
        """The connection is gone, and the protocol hears of it once."""
        self._closing = True
        if not self._lost:
            self._lost = True
            self.protocol.connection_lost(None)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """It is the client who decides when it has read too little."""

    def pause_reading(self) -> None:
        """What is sent meanwhile would wait in the system's buffer, which has room for it."""

    def resume_reading(self) -> None:
        pass


class WiredLink(Link):
    _transport: Transport | None = None
    _written = b""
    _upgraded = False

    def _begin(self) -> None:
        assert self.process is not None
        self.process.loop.call_soon(self._connect)

    def _connect(self) -> None:
        assert self.process is not None
        self._transport = Transport(self, self._scope["client"][0])
        self._transport.set_protocol(self.process.new_protocol())
        self._transport.protocol.connection_made(self._transport)
        self._feed(_head(self._scope))

    # --- towards the server -------------------------------------------------------------

    def _feed(self, data: bytes) -> None:
        assert self._transport is not None
        chance = self.network.chance
        middle = int(chance.random() * len(data)) if chance.random() < IN_PIECES else 0
        for piece in filter(None, (data[:middle], data[middle:])):
            if not self._transport.is_closing():
                self._transport.protocol.data_received(piece)

    def _take(self, message: dict[str, Any]) -> None:
        if self._ended or self._transport is None:
            return
        if message["type"] == "websocket.receive":
            self._send_frame(TEXT, message["text"].encode())
        elif message["type"] == "websocket.disconnect":
            self._ended = True
            if message["code"] == NORMAL:
                self._send_frame(CLOSE, NORMAL.to_bytes(2, "big"))
            self._transport.lose()
        else:
            self._send_frame(message["opcode"], message["payload"])

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        self._feed(_frame(opcode, payload, self.network.chance.randbytes(4)))

    def _reply(self, opcode: int, payload: bytes) -> None:
        """What every client sends by itself, as soon as it reads."""
        now = self.network.world.scheduler.now
        if self.open and self.client.deaf_until > now:
            self.network.world.outside.call_at(self.client.deaf_until, self._reply, opcode, payload)
            return
        when = max(now + self.network.pause(), self._there)
        self._to_server(when, {"type": "frame", "opcode": opcode, "payload": payload})

    def stop(self) -> None:
        if not self._ended and self._transport is not None:
            self._transport.protocol.shutdown()

    # --- what the server writes ---------------------------------------------------------

    def wrote(self, data: bytes) -> None:
        if self._ended:
            return
        self._written += data
        deaf = not self.takes_more
        for opcode, payload in self._frames():
            if opcode == TEXT:
                if deaf:
                    self.network.world.broken(DEAF)
                self.say(payload)
            elif opcode == PING:
                self._later(self._reply, PONG, payload)
            elif opcode == CLOSE:
                code, reason = int.from_bytes(payload[:2], "big"), payload[2:].decode()
                if code != RESTART:  # uvicorn's own goodbye has no words
                    self.network.world.model.closed(self, code, reason)
                self._later(self._reply, CLOSE, payload[:2])
                self._later(self._close_client, code)

    def _fall_behind(self) -> None:
        if self._transport is not None:
            self._transport.protocol.pause_writing()

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        """Whole frames, without masks, after the head of the answer."""
        if not self._upgraded:
            head, found, rest = self._written.partition(b"\r\n\r\n")
            if not found:
                return
            if head.startswith(b"HTTP/1.1 503 "):  # it stops, and hangs up
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self.network.world.broken(f"a socket was answered: {head!r}")
            self._written, self._upgraded = rest, True
        while (frame := next_frame(self._written)) is not None:
            opcode, payload, self._written = frame
            yield opcode, payload

    def _catch_up(self) -> None:
        if not self._ended and self._transport is not None:
            self._transport.protocol.resume_writing()

    def hung_up(self) -> None:
        if not self._ended:
            self._ended = True
            self._later(self._close_client, ABNORMAL)


def _head(scope: dict[str, Any]) -> bytes:
    target = scope["raw_path"] + b"?" + scope["query_string"]
    headers = [
        *scope["headers"],
        (b"upgrade", b"websocket"),
        (b"connection", b"Upgrade"),
        (b"sec-websocket-key", NONCE.encode()),
        (b"sec-websocket-version", b"13"),
    ]
    lines = [b"GET " + target + b" HTTP/1.1", *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _frame(opcode: int, payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    length = bytes([MASKED | min(size, 126)])
    if size > 125:
        length += size.to_bytes(2, "big")
    over = (mask * (size // 4 + 1))[:size]
    masked = int.from_bytes(payload, "big") ^ int.from_bytes(over, "big")
    return bytes([FINAL | opcode]) + length + mask + masked.to_bytes(size, "big")
