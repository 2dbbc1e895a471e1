"""What strangers can do with bare sockets: they are bounded, told, and disturb nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from tests.server.running import Game, Server
from tests.server.stores import in_loop
from trapline.server.guard import BESIDE_PAGES, HEADERS
from trapline.server.settings import Settings
from trapline.server.wire import Door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT, CONTINUED, PING = 0x1, 0x0, 0x9
FINAL = 0x80
PUBLIC = "https://public.example/"
HEAD = (
    "GET /api/matches/{match}/socket HTTP/1.1\r\nHost: localhost\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def frame(opcode: int, data: bytes = b"") -> bytes:
    """A frame of a client: masked with zeros, which leaves it as it is."""
    return bytes([opcode, 0x80 | len(data)]) + b"\0\0\0\0" + data


@contextlib.contextmanager
def wire(server: Server) -> Iterator[socket.socket]:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as plain:
        yield plain


def upgrade(plain: socket.socket, match: str) -> None:
    """Become a spectator's socket."""
    plain.sendall(HEAD.format(match=match).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += plain.recv(1)
    assert head.startswith(b"HTTP/1.1 101")


def read_all(plain: socket.socket) -> bytes:
    """Everything until the other side hangs up."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while data := plain.recv(65536):
            heard += data
    return heard


def count_pongs(data: bytes) -> tuple[int, int | None]:
    """How many pongs there are among frames, and the code of the close after them."""
    pongs, code = 0, None
    while len(data) >= 2:
        opcode, length, start = data[0] & 15, data[1] & 127, 2
        if length == 126:
            (length,), start = struct.unpack("!H", data[2:4]), 4
        pongs += opcode == 0xA
        if opcode == 0x8:
            (code,) = struct.unpack("!H", data[start : start + 2])
        data = data[start + length :]
    return pongs, code


FLOODS = {
    "pings": frame(FINAL | PING) * 100_000,
    "pongs": frame(FINAL | 0xA) * 100_000,
    "fragments": frame(TEXT, b"{") + frame(CONTINUED) * 100_000,
    "messages": frame(FINAL | TEXT) * 100_000,
    "large pings": frame(FINAL | PING, b"x" * 125) * 30_000,
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_socket_that_floods_is_closed_and_nobody_waits_for_it(server: Server, kind: str) -> None:
    game = Game(server.address, "numeric-maze")
    with wire(server) as plain:
        upgrade(plain, game.match)
        with contextlib.suppress(ConnectionError):
            plain.sendall(FLOODS[kind])
        pongs, code = count_pongs(read_all(plain))
    # The allowance of this server is 6,100 frames at once, and 2,010 more each second.
    assert pongs < 50_000
    assert code in (1008, None)  # who is still sending when we hang up may miss the reason
    assert "a socket sent too much and was closed" in server.log
    game.one.play("2")
    game.close()


def test_an_honest_client_may_ping(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    with wire(server) as plain:
        upgrade(plain, game.match)
        plain.sendall(frame(FINAL | PING, b"still there?") * 50)
        heard = b""
        while heard.count(b"still there?") < 50:
            heard += plain.recv(65536)
    game.close()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    ],
)
def test_what_does_not_come_is_given_up(tmp_path: Path, begun: bytes) -> None:
    with Server(tmp_path, request_seconds="0.3") as server:
        with wire(server) as plain:
            plain.sendall(begun)
            heard = read_all(plain)
        assert heard.startswith(b"HTTP/1.1 408 ")
        head, _, body = heard.partition(b"\r\n\r\n")
        assert all(name.encode() in head for name in HEADERS)
        assert json.loads(body)["sentence"].endswith(".")
        assert "a request was given up" in server.log


def test_a_socket_stays_open_however_long_it_is_silent(tmp_path: Path) -> None:
    with Server(tmp_path, request_seconds="1") as server:
        game = Game(server.address, "numeric-maze")
        with wire(server) as plain:
            upgrade(plain, game.match)
            time.sleep(2)  # twice as long as a request may take
            plain.sendall(frame(FINAL | PING, b"still there?"))
            heard = b""
            while b"still there?" not in heard:
                data = plain.recv(65536)
                assert data, "the server has hung up"
                heard += data
        assert b"408" not in heard
        assert "a request was given up" not in server.log
        game.close()


def test_time_does_not_begin_anew_with_each_byte(tmp_path: Path) -> None:
    with Server(tmp_path, request_seconds="1") as server, wire(server) as plain:
        plain.settimeout(0.2)
        heard = b""
        for _ in range(600):  # more than a minute, if nobody hangs up
            try:
                plain.sendall(b"G")
                heard += plain.recv(1000)
            except TimeoutError:
                continue
            except ConnectionError:
                break
            if not heard.startswith(b"H") or b"\r\n\r\n" in heard:
                break
        assert heard.startswith(b"HTTP/1.1 408 ")


def test_half_sent_heads_leave_room_for_whoever_sends_at_once(tmp_path: Path) -> None:
    with Server(tmp_path, files="256", request_seconds="600") as server:
        game = Game(server.address, "numeric-maze")
        with contextlib.ExitStack() as stack:
            for _ in range(400):
                plain = stack.enter_context(wire(server))
                plain.sendall(b"GET /api/health HTTP/1.1\r\n")
            game.one.play("2")
            with server.client() as http:
                assert http.get("/api/health").status_code == 200
        assert "so many others are waited for" in server.log
        assert "fewer files than connections" in server.log
        game.close()


def test_what_is_no_request_is_answered_safely(server: Server) -> None:
    with wire(server) as plain:
        plain.sendall(b"\x16\x03\x01\x02\x00 hello\r\n\r\n")
        heard = read_all(plain)
    head, _, body = heard.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert all(f"{name}: {value}".encode() in head for name, value in HEADERS.items())
    assert json.loads(body)["reason"] == "unreadable"


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
VERSION = b"Sec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


@pytest.mark.parametrize(
    ("path", "host", "rest", "status"),
    [
        (b"/api/matches/0/socket", b"localhost", VERSION, 400),
        (b"/api/matches/0/socket", b"localhost", b"Sec-WebSocket-Version: 12\r\n" + KEY, 400),
        (b"/nowhere", b"localhost", VERSION + KEY, 403),
        (b"/api/matches/0/socket", b"elsewhere.example", VERSION + KEY, 403),
    ],
)
def test_a_socket_that_is_not_opened_is_answered_safely(
    server: Server, path: bytes, host: bytes, rest: bytes, status: int
) -> None:
    with wire(server) as plain:
        plain.sendall(b"GET %b HTTP/1.1\r\nHost: %b\r\n%b%b\r\n" % (path, host, UPGRADE, rest))
        head = read_all(plain).partition(b"\r\n\r\n")[0]
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert all(f"{name}: {value}".encode() in head for name, value in HEADERS.items())


def test_a_message_that_is_no_text_is_told_so(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    with wire(server) as plain:
        upgrade(plain, game.match)
        plain.sendall(frame(FINAL | TEXT, b"\xff\xfe"))
        assert b"A message is text in UTF-8." in read_all(plain)
    game.close()


def test_strangers_do_not_fill_the_log(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        game = Game(server.address, "numeric-maze")
        for _ in range(20):
            with wire(server) as plain:
                plain.sendall(b"this is no request\r\n\r\n")
                read_all(plain)
            with wire(server) as plain:
                upgrade(plain, game.match)
                plain.sendall(frame(FINAL | TEXT, b"\xff\xfe"))
                read_all(plain)
        game.close()
        lines = [json.loads(line) for line in server.log.splitlines()]
    assert not [line for line in lines if line["level"] == "error"]
    assert 1 <= sum(line["level"] == "warning" for line in lines) <= 10


def test_asking_for_the_head_of_a_stream_takes_no_place(tmp_path: Path) -> None:
    with Server(tmp_path, watchers="1") as server:
        game = Game(server.address, "numeric-maze")
        with server.client() as http:
            for _ in range(3):
                answer = http.head(f"/api/matches/{game.match}/stream")
                assert answer.headers["content-type"] == "application/x-ndjson"
        game.watcher.hear()
        game.close()


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("games.example", 200),
        ("public.example", 200),
        ("GAMES.example:443", 200),
        ("elsewhere.example", 421),
        ("localhost.elsewhere.example", 421),
        ("[::1]elsewhere.example", 421),
        ("[::1", 421),
        ("localhost:80@elsewhere.example", 421),
        ("localhost:", 200),
        ("", 421),
    ],
)
def test_the_server_answers_to_its_own_names_alone(called: Server, name: str, status: int) -> None:
    with wire(called) as plain:
        plain.sendall(
            f"GET /api/games HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode()
        )
        heard = read_all(plain)
    assert heard.startswith(f"HTTP/1.1 {status} ".encode())
    head, _, body = heard.partition(b"\r\n\r\n")
    assert all(f"{name}: {value}".encode() in head for name, value in BESIDE_PAGES.items())
    assert (b"does not answer to that name" in body) == (status == 421)


def test_a_socket_under_another_name_is_not_opened(called: Server) -> None:
    game = Game(called.address, "numeric-maze")
    with wire(called) as plain:
        plain.sendall(
            f"GET /api/matches/{game.match}/socket HTTP/1.1\r\nHost: elsewhere.example\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert read_all(plain).startswith(b"HTTP/1.1 403 ")


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("called"), hosts="games.example", public_url=PUBLIC
    ) as running:
        yield running


class Unheard(asyncio.Transport):
    """A connection that keeps what is written to it."""

    def __init__(self, port: int = 1) -> None:
        super().__init__({"peername": ("192.0.2.1", port), "sockname": ("127.0.0.1", 8000)})
        self.paused = False
        self.protocol: Any = None
        self.written = b""
        self.closed = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.written += bytes(data)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


@in_loop
async def test_a_socket_that_waits_when_the_server_stops_is_told_to_come_back() -> None:
    """Its match is still being read, say: that is no fault of ours, and must not look like one."""

    async def slow(_scope: Any, receive: Any, _send: Any) -> None:
        await receive()
        await asyncio.Event().wait()

    http, upgraded = Door(Settings(), 1000, lambda: False).protocols()
    config = uvicorn.Config(slow, http=http, ws=upgraded, log_config=None)
    config.load()
    state = ServerState()
    transport = Unheard()
    transport.set_protocol(http(config=config, server_state=state, app_state={}))
    transport.protocol.connection_made(transport)
    transport.protocol.data_received(HEAD.format(match="0" * 16).encode())
    await asyncio.sleep(0)
    transport.protocol.shutdown()
    (waiting,) = state.tasks
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert transport.written.startswith(b"HTTP/1.1 503 ")
    assert transport.written.count(b"HTTP/1.1") == 1
    assert b"Retry-After" in transport.written
    assert b"connect again" in transport.written
    assert transport.closed


@in_loop
async def test_requests_take_turns_however_many_come_at_once() -> None:
    """Who plays is heard in between, and does not wait for all of them."""
    begun: list[int] = []

    async def answer(scope: Any, _receive: Any, send: Any) -> None:
        begun.append(scope["client"][1])
        head = {"type": "http.response.start", "status": 204, "headers": []}
        for message in (head, {"type": "http.response.body"}):
            await send(message)

    http, upgraded = Door(Settings(), 1000, lambda: False).protocols()
    config = uvicorn.Config(answer, http=http, ws=upgraded, log_config=None)
    config.load()
    state = ServerState()
    asking = [Unheard(number) for number in range(100)]
    for transport in asking:
        transport.set_protocol(http(config=config, server_state=state, app_state={}))
        transport.protocol.connection_made(transport)
    for transport in asking:
        transport.protocol.data_received(2 * b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert sum(not transport.paused for transport in asking) < 10, "no more is read from the others"
    asking[50].protocol.connection_lost(None)
    for _ in range(200):
        before = len(begun)
        await asyncio.sleep(0)
        assert len(begun) <= before + 3
    rest = [number for number in range(100) if number != 50]
    assert begun[:99] == rest, "in the order in which they came"
    assert sorted(begun[99:]) == rest, "and each again"
    for transport in asking:
        assert transport.written.count(b"HTTP/1.1 204") == 2 * (transport is not asking[50])
        assert transport is asking[50] or not transport.paused
