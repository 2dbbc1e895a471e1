"""Servers of our own, players that keep them busy, and what that cost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import httpx

from bench.server.client import Player, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SERVE = ("trapline", "serve", "--port", "0")
BARE = ("bench.server.bare",)
WRITE = ("bench.server.writing",)
TLS = ssl.create_default_context()
"""Nobody speaks it here; to load its certificates for every client would outlast all the rest."""
TURNS = 5
"""Of each side, in which it is measured while the others rest."""
AT_ONCE = 20
"""Matches that are being opened at a time."""
SETTLING = 0.5
"""Seconds at the beginning and the end of a turn that are not measured."""


class Running(NamedTuple):
    address: str
    pid: int


@contextlib.contextmanager
def running(*module: str, home: Path) -> Iterator[Running]:
    """A server of our own: its address and its process."""
    environment = {
        **os.environ,
        "TRAPLINE_HOME": str(home),
        "TRAPLINE_OPENS_PER_MINUTE": "1e9",
        "TRAPLINE_COMMANDS_PER_SECOND": "1e9",
        "TRAPLINE_LOG_LEVEL": "warning",
        "TRAPLINE_THINKERS": "1",  # with more, a new server solves games in the background
        "TRAPLINE_PER_ADDRESS": "1000000",
        "TRAPLINE_WATCHERS": "1000000",
        "TRAPLINE_CONNECTIONS": "10000",
    }
    command = [sys.executable, "-m", *module]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            greeting = process.stdout.readline() if process.stdout else ""
            found = re.search(r"127\.0\.0\.1:\d+", greeting)
            if found is None:
                raise RuntimeError("the server did not start")
            yield Running(found[0], process.pid)
        finally:
            process.terminate()


async def open_match(address: str, body: dict[str, object]) -> tuple[str, str]:
    """A new match of somebody who was never here before: its name, and their cookie."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=TLS) as http:
        match = (await http.post("/api/matches", json=body)).json()["match"]
        return match, f"trapline={http.cookies['trapline']}"


class Load:
    """Two players for each match, who move as soon as they are asked, or at a given rate."""

    def __init__(self, rate: float | None, *, apart: bool = True) -> None:
        """`apart`: whether the players of a match are at different servers, if there are several.

        If not, every other match is at every other server.
        """
        self.rate = rate
        self._apart = apart
        self._opened = 0
        self.times: list[float] = []
        self.measuring = False
        self._held: list[tuple[Player, bytes]] | None = None
        """What is not sent as long as nobody is to play."""
        self._rng = random.Random(1)

    async def connect(self, servers: list[Running], matches: int) -> None:
        # Until the computer's players have been loaded, a new server has other things to do.
        await asyncio.sleep(6.0)
        for start in range(0, matches, AT_ONCE):
            some = min(AT_ONCE, matches - start)
            await asyncio.gather(*(self._open(servers) for _ in range(some)))

    async def _open(self, servers: list[Running]) -> None:
        # A path that never ends: both goals are far from where the Seeker is led.
        body = {
            "game": "secret-paths",
            "against": "here",
            "options": {"turn_limit": 0},
            "first": 1,
        }
        self._opened += 1
        if not self._apart:
            servers = [servers[self._opened % len(servers)]]
        match, cookie = await open_match(servers[0].address, body)
        for seat, server in ((1, servers[0]), (2, servers[-1])):
            path = f"/api/matches/{match}/socket?plain=1&seat={seat}"
            await self._join(path, cookie, server.address)

    async def _join(self, path: str, cookie: str, address: str) -> None:
        host, port = address.split(":")
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: Player(path, cookie, self.hear), host, int(port))

    def hear(self, player: Player, seen: Seen) -> None:
        if seen.type != "state" or seen.view is None:
            return
        if seen.answers and self.measuring:
            self.times.append(time.perf_counter() - player.sent_at)
        words = self._decide(seen)
        if words is None:
            return
        player.count += 1
        message = f'{{"key":"{player.count}","version":{seen.version},"command":{words}}}'.encode()
        if self.rate is None:
            self._send(player, message)
        else:
            pause = self._rng.expovariate(self.rate)
            asyncio.get_running_loop().call_later(pause, self._send, player, message)

    def hold(self) -> None:
        """Let nobody move any more."""
        self._held = []

    def go_on(self) -> None:
        held, self._held = self._held or [], None
        for player, message in held:
            self._send(player, message)

    def _send(self, player: Player, message: bytes) -> None:
        if self._held is not None:
            self._held.append((player, message))
            return
        player.sent_at = time.perf_counter()
        player.say(message)

    def _decide(self, seen: Seen) -> str | None:
        view = seen.view
        if view is None or view.asks is None:
            return None
        if view.asks == "secret":
            return f'{{"do":"play","turn":"{self._rng.randint(1, 5)}"}}'
        safe = [move for move in view.legal if isinstance(move, tuple) and 1 < move[0] < 5]
        row, column = self._rng.choice(safe)
        return f'{{"do":"play","turn":"{row},{column}"}}'


def cpu_seconds(servers: list[Running]) -> float:
    ticks = 0
    for server in servers:
        text = Path(f"/proc/{server.pid}/stat").read_text("utf-8")
        fields = text.rsplit(") ", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def seconds_waited(servers: list[Running]) -> float:
    """Seconds for which threads could have run, and others had the processor."""
    nanoseconds = 0
    for server in servers:
        for thread in Path(f"/proc/{server.pid}/task").iterdir():
            nanoseconds += int((thread / "schedstat").read_text("utf-8").split()[1])
    return nanoseconds / 1e9


class Figures(NamedTuple):
    a_second: float
    middle: float
    late: float
    a_cpu_second: float
    waited: float
    """Seconds of a move in which the server could have gone on, and others had the processor."""

    def __str__(self) -> str:
        return (
            f"{self.a_second:8,.0f} moves/s   p50 {1000 * self.middle:6.1f} ms   "
            f"p99 {1000 * self.late:6.1f} ms   {1e6 / self.a_cpu_second:5.0f} µs CPU a move"
        )


async def measure(
    sides: Sequence[list[Running]],
    matches: int,
    seconds: float,
    rate: float | None,
    *,
    apart: bool = True,
) -> list[Figures]:
    """What each side does, in turns of the same run: other work on the machine hits all alike.

    Each figure is the middle one of all turns.
    """
    loads = [Load(rate, apart=apart) for _ in sides]
    for load in loads:
        load.hold()
    both = zip(loads, sides, strict=True)
    await asyncio.gather(*(load.connect(servers, matches) for load, servers in both))
    found: list[list[Figures]] = [[] for _ in sides]
    for _ in range(TURNS):
        for load, servers, figures in zip(loads, sides, found, strict=True):
            load.go_on()
            await asyncio.sleep(SETTLING)
            figures.append(await _one_turn(load, servers, seconds / TURNS))
            load.hold()
            await asyncio.sleep(SETTLING)
    return [Figures(*map(statistics.median, zip(*each, strict=True))) for each in found]


async def _one_turn(load: Load, servers: list[Running], seconds: float) -> Figures:
    load.times.clear()
    waited = seconds_waited(servers)
    load.measuring, begun, cpu = True, time.perf_counter(), cpu_seconds(servers)
    await asyncio.sleep(seconds)
    load.measuring = False
    passed, used = time.perf_counter() - begun, cpu_seconds(servers) - cpu
    times = sorted(load.times)
    return Figures(
        len(times) / passed,
        times[len(times) // 2],
        times[int(len(times) * 0.99)],
        len(times) / used,
        (seconds_waited(servers) - waited) / len(times),
    )


@contextlib.contextmanager
def on_postgresql(*counts: int) -> Iterator[list[list[Running]]]:
    """So many servers on one database, so many on another."""
    from tests.server.postgres import Server

    database = Server(durable=True)
    try:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            yield [
                [
                    stack.enter_context(running(*SERVE, "--database", url, home=folder))
                    for _ in range(count)
                ]
                for count in counts
                for url in [database.new_database(f"bench_{count}")]
            ]
    finally:
        database.remove()
