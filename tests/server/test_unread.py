"""Whoever does not read what they are sent is let go, and holds no place that others need."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any, Self

import uvicorn
from uvicorn.server import ServerState

from tests.server.rooms import opened
from tests.server.stores import in_loop
from trapline.server import socket as talking
from trapline.server import wire
from trapline.server.app import create
from trapline.server.messages import NewMatch
from trapline.server.settings import Settings
from trapline.server.wire import Door

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    import pytest

    from trapline.server.hub import Hub

MUCH = 10_000_000
"""Bytes, more than systems keep for somebody who does not read."""
ASKED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = (
    "GET /api/matches/{match}/socket HTTP/1.1\r\nHost: localhost\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Listening:
    """What uvicorn would do with an application, at an address in this process."""

    def __init__(self, app: Any, door: Door) -> None:
        http, upgraded = door.protocols()
        self._config = uvicorn.Config(app, http=http, ws=upgraded, log_config=None)
        self._config.load()
        self._http = http
        self.state = ServerState()
        self.address: tuple[str, int] = ("", 0)
        self.clients: list[socket.socket] = []

    def _connected(self) -> Any:
        return self._http(config=self._config, server_state=self.state, app_state={})

    async def ask(self, request: bytes) -> socket.socket:
        """A client that says something, and reads nothing by itself."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, self.address)
        await loop.sock_sendall(client, request)
        self.clients.append(client)
        return client

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connected, "127.0.0.1", 0)
        self.address = self._server.sockets[0].getsockname()[:2]
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()
        self._server.close()
        await until(lambda: not self.state.connections)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def answer_much(_scope: Any, _receive: Any, send: Any) -> None:
    length = (b"content-length", str(MUCH).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": b"x" * MUCH})


@in_loop
async def test_an_answer_that_is_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SLOWEST", 10 * MUCH)
    door = Door(Settings(request_seconds=0.05), 1000, lambda: False)
    async with Listening(answer_much, door) as server:
        await server.ask(ASKED)
        await until(lambda: server.state.connections)
        await until(lambda: not server.state.connections)
        assert door.given_up == 1
        assert not door.waiting


@in_loop
async def test_whoever_reads_gets_a_large_answer_whole() -> None:
    """Time is given by how much there is to read."""
    door = Door(Settings(), 1000, lambda: False)

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        door.seconds = 0.0
        await answer_much(scope, receive, send)

    async with Listening(answer, door) as server:
        client, heard = await server.ask(ASKED), 0
        while heard < MUCH:
            data = await asyncio.get_running_loop().sock_recv(client, 65536)
            assert data
            heard += len(data)


@in_loop
async def test_where_many_do_not_read_those_who_did_so_longest_make_room() -> None:
    door = Door(Settings(request_seconds=1000), 96, lambda: False)
    async with Listening(answer_much, door) as server:
        ports = []
        for number in range(3 * door.most_waiting):
            ports.append((await server.ask(ASKED)).getsockname()[1])
            await until(lambda: _unread(door) + door.given_up == number + 1)  # noqa: B023 (now)
        await until(lambda: len(server.state.connections) == door.most_waiting)
        assert [one.client[1] for one in door.waiting if one.client] == ports[-door.most_waiting :]


def _unread(door: Door) -> int:
    return sum(one.flow.write_paused for one in door.waiting)


# --- sockets --------------------------------------------------------------------------------


class Deaf:
    """A spectator who has been sent much and reads nothing of it."""

    def __init__(self, server: Listening, hub: Hub, match: str) -> None:
        self.server, self.hub, self.match = server, hub, match
        (self.wire,) = (one for one in server.state.connections if isinstance(one, wire.Socket))

    def send_much(self) -> None:
        self.wire.transport.write(b"x" * MUCH)

    def send_much_unnoticed(self) -> None:
        """Less waits to be sent than would be told to whoever writes."""
        self.wire.transport.set_write_buffer_limits(2 * MUCH)
        self.send_much()

    async def hears(self) -> bytes:
        """All that was sent until the other side hung up."""
        heard, loop = b"", asyncio.get_running_loop()
        while data := await loop.sock_recv(self.server.clients[-1], 65536):
            heard += data
        return heard

    async def is_let_go(self) -> None:
        await until(lambda: not self.server.state.connections)
        await until(lambda: not self.hub.places.taken)


@contextlib.asynccontextmanager
async def deaf(folder: Path) -> AsyncIterator[Deaf]:
    settings = Settings(database=f"sqlite:{folder}/unread.db", thinkers=1, expire_days=0)
    app = create(settings)
    hub = app.state.context.hub
    await hub.start()
    try:
        match = (await hub.open_match(opened(NewMatch("numeric-maze", "here", {}, 1)))).id
        async with Listening(app, Door(settings, 1000, lambda: False)) as server:
            await server.ask(UPGRADE.format(match=match).encode())
            await until(lambda: hub.places.taken)
            yield Deaf(server, hub, match)
    finally:
        await hub.stop()


@in_loop
async def test_a_socket_that_is_not_read_gives_its_place_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits until it has read what was sent before the word that it is sent away."""
    monkeypatch.setattr(talking, "PATIENCE", 0.0)
    async with deaf(tmp_path) as client:
        client.send_much()
        await client.is_let_go()


@in_loop
async def test_a_last_word_that_is_not_read_holds_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LINGER", 0.0)
    async with deaf(tmp_path) as client:
        client.wire.close_timeout = 0.0
        client.send_much_unnoticed()
        client.hub.forget(client.match)
        await client.is_let_go()


@in_loop
async def test_who_hears_no_ping_any_more_holds_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LINGER", 0.0)
    async with deaf(tmp_path) as client:
        client.send_much_unnoticed()
        client.wire.keepalive_timeout()
        await client.is_let_go()
