"""The real server in a process of its own, and clients who play on it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Self

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

if TYPE_CHECKING:
    from pathlib import Path

    from websockets.sync.client import ClientConnection

PATIENCE = 30.0


class Server:
    """`trapline serve` on a port of its own, which it keeps when it is started again."""

    def __init__(self, home: Path, *arguments: str, files: str = "", **settings: str) -> None:
        """`files`: how many it may have open, if not as many as this process."""
        self._arguments = arguments
        self._files = files
        self._environment = {
            **os.environ,
            "TRAPLINE_HOME": str(home),
            "TRAPLINE_PACE": "0",
            "TRAPLINE_TURN_SECONDS": "0",
            "TRAPLINE_THINKERS": "1",
            "TRAPLINE_ASKS_PER_MINUTE": "100000",
            **{f"TRAPLINE_{name.upper()}": value for name, value in settings.items()},
        }
        self._port = "0"
        self._log = home / "server.log"
        self.start()

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")

    def start(self) -> None:
        command = [sys.executable, "-m", "trapline", "serve", "--port", self._port]
        if self._files:
            command = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *command]
        with self._log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*command, *self._arguments],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        assert found, f"the server did not start: {line} {self.log}"
        self._port = found[1]
        self.address = f"http://127.0.0.1:{self._port}"

    def stop(self) -> int:
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        self._sweep()
        return status

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        self._sweep()

    def _sweep(self) -> None:
        """End the thinking processes of a server that was killed."""
        if self.process.stdout is not None:
            self.process.stdout.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=PATIENCE)


class Refused(Exception):
    def __init__(self, message: dict[str, Any]) -> None:
        super().__init__(message["sentence"])
        self.message = message


class Seat:
    """A player's connection, which keeps what it heard and comes back when it is cut."""

    def __init__(self, address: str, match: str, seat: int, cookie: str | None) -> None:
        self.address, self.match, self.seat = address, match, seat
        self.headers = {"Cookie": f"trapline={cookie}"} if cookie else {}
        self.version = 0
        self.events: list[Any] = []
        self.state: dict[str, Any] = {}
        self.frames: list[bytes] = []
        self.presence: dict[str, Any] = {}
        self._socket: ClientConnection | None = None
        self._number = 0

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.state["view"]
        return view

    # --- the connection -----------------------------------------------------------------

    def open(self) -> ClientConnection:
        if self._socket is None:
            address = self.address.replace("http", "ws", 1)
            opening = connect(
                f"{address}/api/matches/{self.match}/socket?seat={self.seat}&after={self.version}",
                additional_headers=self.headers,
                open_timeout=PATIENCE,
                compression=None,
            )
            self._socket = opening.__enter__()  # closed by us, in no block of its own
        return self._socket

    def cut(self) -> None:
        """Lose the connection without a word."""
        if self._socket is not None:
            self._socket.socket.close()
            self._socket = None

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message, taken in."""
        frame = self.open().recv(timeout)
        data = frame.encode() if isinstance(frame, str) else frame
        self.frames.append(data)
        message: dict[str, Any] = msgspec.json.decode(data)
        if message["type"] == "state":
            self._take(message)
        elif message["type"] == "presence":
            self.presence = message
        elif message["state"] is not None:
            self._take(message["state"])
        return message

    def _take(self, state: dict[str, Any]) -> None:
        if state["since"] == 0:
            self.events = []
        else:
            assert state["since"] == self.version, "a gap, or something twice"
        assert state["version"] >= self.version, "went back"
        self.events += state["view"]["events"]
        self.version, self.state = state["version"], state

    def listen(self, seconds: float = 0.1) -> None:
        """Take in what comes until it is quiet."""
        try:
            while True:
                self.hear(seconds)
        except TimeoutError:
            return

    def glance(self) -> None:
        """Hear something if there is anything, and come back if the connection is gone."""
        try:
            self.hear(0.02)
        except TimeoutError:
            return
        except (ConnectionClosed, OSError, EOFError, InvalidHandshake):
            self._socket = None
            time.sleep(0.05)

    def wait_until(self, holds: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while not (self.state and holds(self)):
            assert time.monotonic() < deadline, f"never came about: {self.state}"
            self.hear(max(0.01, deadline - time.monotonic()))

    # --- commands -----------------------------------------------------------------------

    def do(self, command: dict[str, Any] | str, *, key: str | None = None) -> None:
        """Send a command until it is answered, whatever happens to the connection meanwhile."""
        if not self.state:
            self.wait_until(lambda _: True)
        if isinstance(command, str):
            command = {"do": command}
        self._number += 1
        key = key or f"{self.seat}-{self._number}-{id(self)}"
        message = msgspec.json.encode({"key": key, "version": self.version, "command": command})
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                self.open().send(message.decode())
                if self._answered(key):
                    return
            except (ConnectionClosed, OSError, InvalidHandshake, EOFError):
                self._socket = None
                time.sleep(0.05)
        raise AssertionError(f"no answer to {command}")

    def _answered(self, key: str) -> bool:
        while True:
            heard = self.hear()
            if heard["type"] == "refused" and heard["key"] == key:
                if heard["reason"] == "unavailable":
                    time.sleep(0.2)
                    return False
                raise Refused(heard)
            if heard["type"] == "state" and key in heard["answers"]:
                return True

    def play(self, turn: str) -> None:
        self.do({"do": "play", "turn": turn})

    def choose(self, secret: str) -> None:
        self.do({"do": "secret", "secret": secret})


class Game:
    """A match between two friends by link."""

    def __init__(self, address: str, game: str, **options: Any) -> None:
        first = options.pop("first", 1)
        with httpx.Client(base_url=address, timeout=PATIENCE) as ann:
            body = {"game": game, "against": "link", "first": first, "options": options}
            opened = ann.post("/api/matches", json=body).json()
            keys = [ann.cookies["trapline"]]
        self.match: str = opened["match"]
        self.code: str = opened["link"].partition("#")[2]
        with httpx.Client(base_url=address, timeout=PATIENCE) as ben:
            ben.post(f"/api/matches/{self.match}/join", json={"code": self.code})
            keys.append(ben.cookies["trapline"])
        self.keys = keys
        self.one = Seat(address, self.match, 1, keys[0])
        self.two = Seat(address, self.match, 2, keys[1])
        self.watcher = Seat(address, self.match, 0, None)

    def seats(self) -> tuple[Seat, Seat]:
        return self.one, self.two

    def close(self) -> None:
        for seat in (self.one, self.two, self.watcher):
            seat.close()


def finish(game: Game, rng: Any, between: Any = lambda: None) -> None:
    """Play a match at random to its end; `between` happens between any two steps."""
    for seat in game.seats():
        seat.wait_until(lambda _: True)
    for _ in range(1000):
        for seat in game.seats():
            if seat.view["outcome"] is not None:
                return
            between()
            step(seat, rng)


def step(seat: Seat, rng: Any) -> None:
    """Do what a seat is asked for, if it is asked for anything; else hear what is new."""
    question = seat.view["question"]
    if question is None:
        seat.glance()
        return
    texts = [answer["text"] for answer in question["answers"]]
    seat.play(" ".join(rng.sample(texts, question.get("choose", 0) or 1)))
