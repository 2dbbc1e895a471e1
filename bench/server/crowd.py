"""Many who watch one match, many matches that nobody plays, and many that are only stored."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from bench.server.client import Player
from bench.server.load import cpu_seconds
from trapline.server.store.migrations import RECORD, SQLITE

if TYPE_CHECKING:
    from bench.server.client import Seen
    from bench.server.load import Running

AT = "2026-01-01T00:00:00.000+00:00"
AT_ONCE = 50
"""Connections that are being opened at a time."""
MOVES = 5


class Table:
    """A match whose two seats are held by one, and all who are connected to it."""

    def __init__(self, address: str, match: str, cookie: str) -> None:
        self._address, self._match, self._cookie = address, match, cookie
        self.turns: dict[Player, int] = {}
        self._changed = asyncio.Event()

    async def join(self, seat: int) -> Player:
        host, port = self._address.split(":")
        path = f"/api/matches/{self._match}/socket?plain=1&seat={seat}"
        loop = asyncio.get_running_loop()
        _, player = await loop.create_connection(
            lambda: Player(path, self._cookie, self._hear), host, int(port)
        )
        await self.until(lambda: player in self.turns)
        return player

    def _hear(self, player: Player, seen: Seen) -> None:
        if seen.type == "state":
            self.turns[player] = seen.version
            self._changed.set()

    async def until(self, holds: object) -> None:
        while not holds():  # type: ignore[operator]  # it was given
            self._changed.clear()
            await self._changed.wait()

    async def move(self, player: Player, number: int) -> float:
        """Seconds from sending a move until the last one has seen it."""
        wanted = {each: version + 1 for each, version in self.turns.items()}
        begun = time.perf_counter()
        command = '{"do":"play","turn":"1"}'
        version = self.turns[player]
        player.say(f'{{"key":"k{number}","version":{version},"command":{command}}}'.encode())
        await self.until(lambda: all(self.turns[each] >= v for each, v in wanted.items()))
        return time.perf_counter() - begun


async def _open(address: str) -> Table:
    # Without TLS there are no certificates to load, which would take longer than all the rest.
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:  # noqa: S501 (no TLS)
        body = {"game": "numeric-maze", "against": "here", "first": 1}
        match = (await http.post("/api/matches", json=body)).json()["match"]
        return Table(address, match, f"trapline={http.cookies['trapline']}")


async def gather(server: Running, crowd: int, bare: float) -> list[str]:
    """A crowd comes to one match; then its players move, and those of another beside it.

    `bare` is how many moves the bare server does in a second of its processor's time; each of
    them is told to two.
    """
    await asyncio.sleep(6.0)  # until the computer's players have been loaded
    watched, beside = await _open(server.address), await _open(server.address)
    players = [await watched.join(seat) for seat in (1, 2)]
    others = [await beside.join(seat) for seat in (1, 2)]
    alone = [await beside.move(others[number % 2], number) for number in range(MOVES)]
    begun, used = time.perf_counter(), cpu_seconds([server])
    for start in range(0, crowd, AT_ONCE):
        await asyncio.gather(*(watched.join(0) for _ in range(min(AT_ONCE, crowd - start))))
    joined, used = time.perf_counter() - begun, cpu_seconds([server]) - used
    await asyncio.sleep(10.0)  # until all have heard how many they are
    served, undisturbed, spent = [], [], cpu_seconds([server])
    for number in range(MOVES):
        both = await asyncio.gather(
            watched.move(players[number % 2], number),
            beside.move(others[(MOVES + number) % 2], MOVES + number),
        )
        served.append(both[0])
        undisturbed.append(both[1])
        await asyncio.sleep(0.5)
    each = (cpu_seconds([server]) - spent) / MOVES / crowd
    entered = f"{crowd:,} watch one match: joined in {joined:.1f} s"
    last = f"  the last is served {_middle(served)} ms after a move"
    told = f"{1e6 * each:.0f} µs CPU for each who is told, {each * 2 * bare:.2f} of bare's"
    neighbour = f"  a move of a match beside it takes {_middle(undisturbed)} ms"
    return [
        f"{entered} ({1e6 * used / crowd:.0f} µs CPU each)",
        f"{last} ({told})",
        f"{neighbour}, and {_middle(alone)} ms before the crowd came",
    ]


def _middle(seconds: list[float]) -> str:
    return f"{1000 * sorted(seconds)[len(seconds) // 2]:.1f}"


def memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return pages * 4096


async def idle(address: str, pid: int, matches: int) -> str:
    await asyncio.sleep(6.0)
    await _open(address)
    before = memory(pid)
    for _ in range(matches):
        await _open(address)
    each = (memory(pid) - before) / matches
    return (
        f"{matches:,} matches in memory that nobody plays: {each / 1024:.0f} KiB each, beside "
        f"{before / 2**20:.0f} MiB of a server without any (1 of {before / each:,.0f})"
    )


def fill(path: Path, matches: int) -> None:
    """A database with so many matches in it."""
    with closing(sqlite3.connect(path)) as log:
        for version, statements in enumerate(SQLITE, 1):
            for statement in (RECORD, *statements):
                log.execute(statement)
            log.execute("INSERT INTO schema_version VALUES (?)", (version,))
        names = [f"{number:016x}" for number in range(matches)]
        log.executemany("INSERT INTO entries VALUES (?, 1, '{}')", ((name,) for name in names))
        lines = ((name, "numeric-maze", AT, AT, 1, 1) for name in names)
        columns = "match_id, game, opened, changed, entries, over"
        log.executemany(f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?)", lines)  # noqa: S608 (our own names)
        log.commit()
