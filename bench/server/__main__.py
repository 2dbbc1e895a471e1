"""`python -m bench.server`: matches at once over WebSockets, every move on disk before it is seen.

The driver runs in this process, the server in its own. Each match is played at random by two
connections, and a rematch follows every end. Reference: the same loop against a server that
keeps nothing and answers each message with two of the same size (`bare`), in the same run.
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
from typing import TYPE_CHECKING

import httpx
import uvloop

from bench.server.client import Player, Seen
from trapline.notation import format_turn

if TYPE_CHECKING:
    from collections.abc import Iterator

GAME = "secret-paths"
"""Matches long enough that opening them does not count for much."""


@contextlib.contextmanager
def running(*arguments: str, home: Path) -> Iterator[tuple[str, int]]:
    """A server of our own: its address and its process."""
    environment = {
        **os.environ,
        "TRAPLINE_HOME": str(home),
        "TRAPLINE_OPENS_PER_MINUTE": "1e9",
        "TRAPLINE_COMMANDS_PER_SECOND": "1e9",
        "TRAPLINE_LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-m", "trapline", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            greeting = process.stdout.readline() if process.stdout else ""
            found = re.search(r"127\.0\.0\.1:\d+", greeting)
            if found is None:
                raise RuntimeError("the server did not start")
            yield found[0], process.pid
        finally:
            process.terminate()


class Load:
    """Two players for each match, who move as fast as they are answered, or at a given rate."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self.moves = 0
        self.times: list[float] = []
        self.measuring = False
        self._rng = random.Random(1)

    async def connect(self, address: str, matches: int) -> None:
        loop = asyncio.get_running_loop()
        host, port = address.split(":")
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as http:
            for _ in range(matches):
                http.cookies.clear()
                opened = (
                    await http.post(
                        "/api/matches",
                        json={"game": GAME, "against": "here", "options": {"turn_limit": 0}},
                    )
                ).json()
                cookie = f"trapline={http.cookies['trapline']}"
                for seat in (1, 2):
                    path = f"/api/matches/{opened['match']}/socket?seat={seat}"
                    await loop.create_connection(
                        lambda path=path, cookie=cookie: Player(path, cookie, self.hear),  # type: ignore[misc]
                        host,
                        int(port),
                    )

    def hear(self, player: Player, seen: Seen) -> None:
        if seen.type != "state" or seen.view is None:
            return
        if seen.answers and self.measuring:
            self.times.append(time.perf_counter() - player.sent_at)
            self.moves += 1
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
            return '{"do":"secret","secret":"%d"}' % self._rng.randint(1, 5)  # noqa: UP031
        # Away from both goal rows, so that a match lasts as long as it is measured.
        safe = [move for move in view.legal if isinstance(move, tuple) and 1 < move[0] < 5]
        return f'{{"do":"play","turn":"{format_turn((self._rng.choice(safe),))}"}}'


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    address: str, pid: int, *, matches: int, seconds: float, rate: float | None = None
) -> str:
    load = Load(rate)
    await load.connect(address, matches)
    await asyncio.sleep(2.0)
    load.measuring, begun, cpu = True, time.perf_counter(), cpu_seconds(pid)
    await asyncio.sleep(seconds)
    load.measuring = False
    passed, used = time.perf_counter() - begun, cpu_seconds(pid) - cpu
    times = sorted(load.times)
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    return (
        f"{load.moves / passed:8,.0f} moves/s   p50 {1000 * middle:6.1f} ms   "
        f"p99 {1000 * late:6.1f} ms   {1e6 * used / load.moves:5.0f} µs CPU a move "
        f"({load.moves / used:,.0f} moves a CPU second)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--database", help="postgresql://… to measure that too")
    options = parser.parse_args()
    cases = [
        ("100 matches, as fast as they can", 100, None),
        ("100 matches, 165 moves/s in all", 100, 1.65),
        ("1,000 matches, as fast as they can", 1000, None),
        ("1,000 matches, 165 moves/s in all", 1000, 0.165),
    ]
    for name, matches, rate in cases:
        with (
            tempfile.TemporaryDirectory() as home,
            running(home=Path(home)) as (address, pid),
        ):
            figures = measure(address, pid, matches=matches, seconds=options.seconds, rate=rate)
            print(f"SQLite, {name:36} {uvloop.run(figures)}", flush=True)


if __name__ == "__main__":
    main()
