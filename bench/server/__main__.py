"""`python -m bench.server`: many matches at once, every move on disk before anybody sees it.

The driver runs in this process, each server in its own. A match is played at random by two
connections that answer at once, or at a given rate. Times go from sending a move to one's own
view of it. The reference is a server that knows no game and keeps nothing (`bench/server/bare.py`),
measured in the same run; ratios are of moves for each second of the server's processor time.
"""

from __future__ import annotations

import argparse
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
import uvloop

from bench.server.client import Player, Seen
from bench.server.crowd import fill, gather, idle
from bench.server.parts import divide

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


CASES: list[tuple[str, int, float | None]] = [
    ("100 matches, as fast as they can", 100, None),
    ("100 matches, 165 moves/s in all", 100, 1.65),
    ("1,000 matches, as fast as they can", 1000, None),
    ("1,000 matches, 165 moves/s in all", 1000, 0.165),
]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="measured for each line")
    parser.add_argument("--crowd", type=int, default=5000, help="who watch one match")
    parser.add_argument("--idle", type=int, default=1000, help="matches that nobody plays")
    parser.add_argument("--stored", type=int, default=1_000_000, help="matches at the start")
    options = parser.parse_args()

    def run(servers: list[Running], matches: int, rate: float | None) -> Figures:
        return uvloop.run(measure(servers, matches, options.seconds, rate))

    with tempfile.TemporaryDirectory() as folder:
        with running(*BARE, home=Path(folder)) as server:
            bare = run([server], 100, None)
        print(f"{'bare: no game, nothing kept; ' + CASES[0][0]:62} {bare}", flush=True)
    for name, matches, rate in CASES:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(*SERVE, home=Path(folder)) as server,
        ):
            found = run([server], matches, rate)
        ratio = f"   {found.a_cpu_second / bare.a_cpu_second:.2f} of bare" if rate is None else ""
        print(f"{'SQLite, one process; ' + name:62} {found}{ratio}", flush=True)
    with tempfile.TemporaryDirectory() as folder, running(*SERVE, home=Path(folder)) as server:
        print(uvloop.run(gather(server.address, options.crowd)), flush=True)
    with tempfile.TemporaryDirectory() as folder, running(*SERVE, home=Path(folder)) as server:
        print(uvloop.run(idle(server.address, server.pid, options.idle)), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "server.sqlite3", options.stored)
        begun = time.perf_counter()
        with running(*SERVE, home=Path(folder)):
            passed = time.perf_counter() - begun
        print(f"started with {options.stored:,} stored matches in {passed:.1f} s", flush=True)
    alone: Figures | None = None
    for count, how in ((1, "one process"), (2, "two processes")):
        with on_postgresql(count) as servers:
            found = run(servers, *CASES[0][1:])
        ratio = f"   {found.a_second / alone.a_second:.2f} of one" if alone else ""
        print(f"{f'PostgreSQL, {how}; ' + CASES[0][0]:62} {found}{ratio}", flush=True)
        alone = found
    with tempfile.TemporaryDirectory() as folder:
        print("where the time goes, in one process without a network:")
        for line in uvloop.run(divide(Path(folder))):
            print(line, flush=True)


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


if __name__ == "__main__":
    main()
