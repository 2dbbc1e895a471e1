"""Servers of our own, players that keep them busy, and what that cost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import httpx

from bench.server.client import Player, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVE = ("trapline", "serve", "--port", "0")
BARE = ("bench.server.bare",)


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


class Load:
    """Two players for each match, who move as soon as they are asked, or at a given rate."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self.times: list[float] = []
        self.measuring = False
        self._rng = random.Random(1)

    async def connect(self, servers: list[Running], matches: int) -> None:
        """The players of a match are on different servers, if there are several."""
        addresses = [servers[0].address, servers[-1].address]
        # Until the computer's players have been loaded, a new server has other things to do.
        await asyncio.sleep(6.0)
        async with httpx.AsyncClient(base_url=f"http://{addresses[0]}", timeout=60) as http:
            for _ in range(matches):
                http.cookies.clear()
                # A path that never ends: both goals are far from where the Seeker is led.
                body = {
                    "game": "secret-paths",
                    "against": "here",
                    "options": {"turn_limit": 0},
                    "first": 1,
                }
                match = (await http.post("/api/matches", json=body)).json()["match"]
                cookie = f"trapline={http.cookies['trapline']}"
                for seat, address in enumerate(addresses, 1):
                    await self._join(
                        f"/api/matches/{match}/socket?plain=1&seat={seat}", cookie, address
                    )

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

    def _send(self, player: Player, message: bytes) -> None:
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


class Figures(NamedTuple):
    a_second: float
    middle: float
    late: float
    a_cpu_second: float

    def __str__(self) -> str:
        return (
            f"{self.a_second:8,.0f} moves/s   p50 {1000 * self.middle:6.1f} ms   "
            f"p99 {1000 * self.late:6.1f} ms   {1e6 / self.a_cpu_second:5.0f} µs CPU a move"
        )


async def measure(
    servers: list[Running], matches: int, seconds: float, rate: float | None
) -> Figures:
    load = Load(rate)
    await load.connect(servers, matches)
    await asyncio.sleep(2.0)
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
    )


@contextlib.contextmanager
def on_postgresql(count: int) -> Iterator[list[Running]]:
    """So many servers on one database."""
    from tests.server.postgres import Server

    database = Server(durable=True)
    try:
        url = database.new_database("bench")
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            yield [
                stack.enter_context(running(*SERVE, "--database", url, home=folder))
                for _ in range(count)
            ]
    finally:
        database.remove()
