"""Many who watch one match, many matches that nobody plays, and many that are only stored."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from bench.server.load import cpu_seconds, open_match
from bench.server.table import Table
from trapline.server.store.migrations import RECORD, SQLITE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.server.client import Player
    from bench.server.load import Running

AT = "2026-01-01T00:00:00.000+00:00"
AT_ONCE = 50
"""Connections that are being opened at a time."""
MOVES = 15
TOLD = "they are told"


async def _open(address: str) -> Table:
    body = {"game": "numeric-maze", "against": "here", "first": 1}
    return Table(address, *await open_match(address, body))


async def gather(server: Running, other: Running, crowd: int) -> list[str]:
    """A crowd comes to one match; then its players move, while those of another go on beside it.

    A third match is at another server, with nothing in common with the crowd but the machine.
    """
    await asyncio.sleep(6.0)  # until the computer's players have been loaded
    watched = await _open(server.address)
    players = [await watched.join(seat) for seat in (1, 2)]
    with neighbour(server.address) as beside, neighbour(other.address) as elsewhere:
        await asyncio.sleep(3.0)
        begun, used = time.monotonic(), cpu_seconds([server])
        for start in range(0, crowd, AT_ONCE):
            await asyncio.gather(*(watched.join(0) for _ in range(min(AT_ONCE, crowd - start))))
        joined, used = time.monotonic() - begun, cpu_seconds([server]) - used
        await asyncio.sleep(10.0)  # until all have heard how many they are
        told: Times = []
        for number in range(MOVES):
            sent = time.monotonic()
            told.append((sent, sent + await watched.move(players[number % 2], number)))
            await asyncio.sleep(0.3)
    spent = await _told_alone(server, watched, players, crowd)
    came = round(1e6 * used / crowd)
    last = _middle([to - at for at, to in told])
    each = f"{1e6 * spent:.0f} µs CPU for each who is told"
    return [
        f"{crowd:,} watch one match: joined in {joined:.1f} s ({came} µs CPU each)",
        f"  the last is served {last} ms after a move ({each})",
        f"  a move of a match beside it takes {among(beside, begun, told, TOLD)}",
        f"  a move of a match at another server, {among(elsewhere, begun, told, TOLD)}",
    ]


Times = list[tuple[float, float]]
"""When something began, and when it ended."""


def among(moves: Times, came: float, told: Times, when: str) -> str:
    """How long moves took at those times, and before anybody came."""
    alone = [seen - sent for sent, seen in moves if seen < came]
    beside = [
        seen - sent for sent, seen in moves if any(sent < to and seen > at for at, to in told)
    ]
    return f"{_middle(beside)} ms while {when}, and {_middle(alone)} ms before they came"


async def _told_alone(server: Running, watched: Table, players: list[Player], crowd: int) -> float:
    """Seconds of the processor for each who is told of a move, while nobody else does anything."""
    before = cpu_seconds([server])
    for number in range(MOVES, 2 * MOVES):
        await watched.move(players[number % 2], number)
    return (cpu_seconds([server]) - before) / MOVES / crowd


@contextlib.contextmanager
def neighbour(address: str) -> Iterator[Times]:
    """Lets a match be played beside all the rest; its moves are there in the end."""
    command = [sys.executable, "-m", "bench.server.beside", address]
    moves: Times = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        with subprocess.Popen(command, stdout=said) as process:
            try:
                yield moves
            finally:
                process.terminate()
        said.seek(0)
        moves += [(float(sent), float(seen)) for sent, seen in map(str.split, said)]


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
