"""Sockets and requests between clients and processes, over a network that delays, cuts and repeats.

The application is called as uvicorn would call it (ASGI), and finds the same few names of a wire
(`trapline.server.wire.Socket`). In some worlds sockets are simulated down to their bytes
(`tests/seeded/wire.py`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from trapline.server.wire import EXTENSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.seeded.servers import Process
    from tests.seeded.world import World

QUICK, LATE = 0.01, 3.0
"""Seconds on the way, at most."""
UNNOTICED = 40.0
"""Seconds until an end notices that the other has gone without a word."""
HIGH_WATER = 3000
"""Bytes that a client may leave unread before the wire takes no more."""
DEAF = "written to a client that has not read what was written before"
HANGS = 30.0
"""Seconds after which a client gives a request up."""
GONE, ABNORMAL, RESTART = 1001, 1006, 1012


class Client(Protocol):
    """Whoever holds the other end of a link."""

    match: str
    seat: int
    deaf_until: float

    def on_message(self, link: Link, message: dict[str, Any]) -> None: ...

    def on_close(self, link: Link, code: int) -> None: ...


class Network:
    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.chance = chance
        self.late = False
        self.reorders = False
        self.repeats = False
        self.cuts = False
        self.links: dict[Link, None] = {}
        self._requests: dict[asyncio.Future[Any], Process] = {}

    def pause(self) -> float:
        return self.chance.random() * (LATE if self.late else QUICK)

    def find_process(self) -> Process | None:
        """The one that a proxy would choose."""
        ready = [process for process in self.world.processes if process.ready]
        return self.chance.choice(ready) if ready else None

    # --- sockets ------------------------------------------------------------------------

    def connect(
        self, client: Client, path: str, query: str, key: str, address: str, *, streams: bool
    ) -> Link:
        """Listen to a match: by an event stream, or over a socket that also takes commands."""
        kind = "http" if streams else "websocket"
        path += "/stream" if streams else "/socket"
        scope = _scope(kind, "GET", path, query, key, address)
        new_link = self.world.new_stream if streams else self.world.new_link
        link = new_link(self, client, scope)
        self.world.outside.call_later(self.pause(), link.arrive)
        return link

    def cut(self, share: float) -> None:
        for link in list(self.links):
            if self.chance.random() < share:
                link.break_off(silently=self.chance.random() < 0.3)

    # --- requests -----------------------------------------------------------------------

    async def request(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        key: str,
        address: str,
        query: str = "",
    ) -> tuple[int, Any]:
        """An answer and its status; 0 where none came."""
        await asyncio.sleep(self.pause())
        process = self.find_process()
        if process is None or (self.cuts and self.chance.random() < 0.2):
            return 0, None
        answer: asyncio.Future[tuple[int, Any]] = self.world.outside.create_future()
        self._requests[answer] = process
        scope = _scope("http", method, path, query, key, address)
        serving = Exchange(self, process, msgspec.json.encode(body) if body else b"", answer)
        process.loop.call_later(self.pause(), serving.begin, scope)
        if self.repeats and self.chance.random() < 0.3:  # a proxy that tries again by itself
            again = Exchange(self, process, serving.body, self.world.outside.create_future())
            process.loop.call_later(self.pause(), again.begin, scope)
        late = self.world.outside.call_later(HANGS, _settle, answer, (0, None))
        try:
            return await answer
        finally:
            late.cancel()
            del self._requests[answer]

    def lose(self, process: Process, *, silently: bool) -> None:
        """A process has died."""
        for link in [link for link in self.links if link.process is process]:
            link.break_off(silently=silently)
        for answer, asked in self._requests.items():
            if asked is process and not silently:
                self.world.outside.call_later(self.pause(), _settle, answer, (0, None))


class Exchange:
    """One request at the server's side."""

    def __init__(
        self, network: Network, process: Process, body: bytes, answer: asyncio.Future[Any]
    ) -> None:
        self._network = network
        self._process = process
        self._answer = answer
        self._status = 0
        self._said = b""
        self._whose: tuple[str, int] | None = None
        """The match and the seat that it speaks for, if it does."""
        self.body = body
        self._read = False

    def begin(self, scope: dict[str, Any]) -> None:
        process, query = self._process, scope["query_string"].decode()
        if query.startswith("seat="):
            self._whose = scope["path"].split("/")[3], int(query[5])
        process.serve(process.app({**scope, "extensions": {}}, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        if self._read:
            await self._process.loop.create_future()  # the client stays
        self._read = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            return
        self._said += message.get("body", b"")
        if not message.get("more_body"):
            network = self._network
            found = (self._status, msgspec.json.decode(self._said))
            network.world.model.answered(self._whose, self.body, found, self._said)
            if not (network.cuts and network.chance.random() < 0.3):
                network.world.outside.call_later(network.pause(), _settle, self._answer, found)


class Link:
    """One WebSocket: its server's end as an application and a speaker see it, and the other."""

    def __init__(self, network: Network, client: Client, scope: dict[str, Any]) -> None:
        self.network = network
        self.client = client
        self.process: Process | None = None
        self.open = True
        """As the client sees it."""
        self.shown = 0
        """The last version that was sent."""
        self._scope = {**scope, "extensions": {EXTENSION: {"wire": self}}}
        self._inbox: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._waiting: asyncio.Future[None] | None = None
        self._fell_behind: Callable[[], None] = lambda: None
        self._caught_up: Callable[[], None] = lambda: None
        self._ear: Callable[[str], bool] = lambda _text: False
        self._unread = 0
        self._ended = False
        """As the server sees it."""
        self._there, self._back = 0.0, 0.0

    # --- the client's end ---------------------------------------------------------------

    def arrive(self) -> None:
        if not self.open:  # the page has left before it was there
            return
        self.process = self.network.find_process()
        if self.process is None:
            self._later(self._close_client, ABNORMAL)
            return
        self.network.links[self] = None
        self._begin()

    def _begin(self) -> None:
        assert self.process is not None
        self.process.serve(self.process.app(self._scope, self.receive, self.send))

    def put(self, message: dict[str, Any]) -> None:
        """Send a message, if there is still a way."""
        if not self.open or self.process is None:
            return
        text = msgspec.json.encode(message).decode()
        network, chance = self.network, self.network.chance
        times = 2 if network.repeats and chance.random() < 0.3 else 1
        for _ in range(times):
            when = network.world.scheduler.now + network.pause()
            if not network.reorders:
                when = self._there = max(when, self._there)
            self._to_server(when, {"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """The page leaves."""
        self.open = False
        self.network.links.pop(self, None)
        if self.process is not None:
            when = max(self.network.world.scheduler.now + self.network.pause(), self._there)
            self._to_server(when, {"type": "websocket.disconnect", "code": 1000})

    def break_off(self, *, silently: bool) -> None:
        """Something between the two ends, or one of them, is gone."""
        self.network.links.pop(self, None)
        now = self.network.world.scheduler.now
        wait = UNNOTICED if silently else self.network.pause()
        self._to_server(now + wait, {"type": "websocket.disconnect", "code": ABNORMAL})
        self.network.world.outside.call_later(wait, self._close_client, ABNORMAL)

    def _to_server(self, when: float, message: dict[str, Any]) -> None:
        if self.process is not None:
            self.process.loop.call_at(when, self._take, message)

    def _hear(self, message: dict[str, Any], size: int) -> None:
        now = self.network.world.scheduler.now
        if self.open and self.client.deaf_until > now:
            self.network.world.outside.call_at(self.client.deaf_until, self._hear, message, size)
            return
        above = self._unread > HIGH_WATER
        self._unread -= size
        if above and self._unread <= HIGH_WATER and self.process is not None:
            self.process.loop.call_soon(self._catch_up)
        if self.open and self in self.network.links:
            self.client.on_message(self, message)

    def _catch_up(self) -> None:
        if not self._ended:
            self._caught_up()

    def _close_client(self, code: int) -> None:
        self.network.links.pop(self, None)
        if self.open:
            self.open = False
            self.client.on_close(self, code)

    def _later(self, call: Callable[..., None], *arguments: Any) -> None:
        """Towards the client, after what was sent before it."""
        network = self.network
        when = network.world.scheduler.now + network.pause()
        if not network.reorders:
            when = self._back = max(when, self._back)
        network.world.outside.call_at(when, call, *arguments)

    # --- the server's end: ASGI ---------------------------------------------------------

    def _take(self, message: dict[str, Any]) -> None:
        if self._ended:
            return
        self._ended = message["type"] == "websocket.disconnect"
        if not self._ended and not self._inbox and self._ear(message["text"]):
            return
        self._inbox.append(message)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def receive(self) -> dict[str, Any]:
        while not self._inbox:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._inbox.popleft()

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.close" and not self._ended:
            self.network.world.model.closed(self, message["code"], message.get("reason", ""))
            self._ended = True
            self._later(self._close_client, message["code"])

    def stop(self) -> None:
        """The server hangs up on whoever is left when it ends."""
        if not self._ended:
            self._later(self._close_client, RESTART)
            self._take({"type": "websocket.disconnect", "code": RESTART})

    # --- the server's end: what a speaker uses ------------------------------------------

    @property
    def takes_more(self) -> bool:
        return self._unread <= HIGH_WATER

    def listen(self, ear: Callable[[str], bool]) -> None:
        self._ear = ear

    def follow(self, fell_behind: Callable[[], None], caught_up: Callable[[], None]) -> None:
        self._fell_behind, self._caught_up = fell_behind, caught_up

    def say(self, text: bytes) -> None:
        if self._ended:
            return
        message = self.network.world.model.said(self, text)
        below = self.takes_more
        self._unread += len(text)
        self.network.world.model.watch_unread(self._unread)
        if below and not self.takes_more:
            self._fall_behind()
        self._later(self._hear, message, len(text))

    def _fall_behind(self) -> None:
        self._fell_behind()

    def drop(self) -> None:
        if not self._ended:
            self._ended = True
            self._later(self._close_client, ABNORMAL)

    @property
    def transport(self) -> Link:
        """What is written below all framing comes here as well."""
        return self

    def is_closing(self) -> bool:
        return self._ended

    def write(self, data: bytes) -> None:
        if not self.takes_more:
            self.network.world.broken(DEAF)
        while (found := next_frame(data)) is not None:
            _, text, data = found
            self.say(text)


def next_frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """The kind and the payload of the first whole frame, which has no mask, and what follows it."""
    if len(data) < 2:
        return None
    size, start = data[1], 2
    if size > 125:
        start = 4 if size == 126 else 10
        size = int.from_bytes(data[2:start], "big")
    end = start + size
    return (data[0] & 15, data[start:end], data[end:]) if len(data) >= end else None


def _settle(answer: asyncio.Future[Any], value: Any) -> None:
    if not answer.done():
        answer.set_result(value)


def _scope(kind: str, method: str, path: str, query: str, key: str, address: str) -> dict[str, Any]:
    headers = [(b"host", b"127.0.0.1")]
    if key:
        headers.append((b"authorization", f"Bearer {key}".encode()))
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": (address, 1),
        "server": ("127.0.0.1", 8000),
        "subprotocols": [],
    }
