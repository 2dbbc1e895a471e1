"""`python -m bench.server`: many matches at once, every move on disk before anybody sees it.

The driver runs in this process, each server in its own. A match is played at random by two
connections that answer at once, or at a given rate. Times go from sending a move to one's own
view of it. Every figure stands beside a reference of the same run. Mostly that is `bare`, a
server that knows no game and keeps nothing (`bench/server/bare.py`); where nothing else is said,
ratios are of moves for each second of the servers' processor time, which other work on the machine
changes least. Parts may be named; they are run in this order, and each tells what it has found at
once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import uvloop

from bench.server.crowd import MOVES, fill, gather, idle, memory
from bench.server.disk import lateness, middle_and_late
from bench.server.flood import ask_without_end
from bench.server.load import (
    BARE,
    SERVE,
    WRITE,
    Figures,
    Running,
    cpu_seconds,
    measure,
    on_postgresql,
    running,
)
from bench.server.parts import divide
from bench.server.writing import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

A_SECOND = 165.0
"""Moves of all matches together, where a rate is kept."""


class Bench:
    """The parts, each in the order in which somebody in a hurry would want them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options

    def moves(self) -> None:
        """100 matches as fast as they can, beside bare."""
        self._beside_bare(100, None)

    def many(self) -> None:
        """1,000 matches as fast as they can, beside bare."""
        self._beside_bare(1000, None)

    def late(self) -> None:
        """How late moves are at a rate that a busy server has, beside bare and beside the disk."""
        for matches in (100, 1000):
            self._beside_bare(matches, A_SECOND / matches)
        with tempfile.TemporaryDirectory() as folder:
            alone, waited = lateness(Path(folder), A_SECOND, round(10 * A_SECOND))
        print(
            f"the disk alone, {A_SECOND:.0f} writes/s: {middle_and_late(alone)}; with the wait "
            f"for the write before, as a move has it: {middle_and_late(waited)}",
            flush=True,
        )

    def where(self) -> None:
        """Where the time of a move goes."""
        print("where the time goes, in one process without a network:")
        with tempfile.TemporaryDirectory() as folder:
            for line in uvloop.run(divide(Path(folder))):
                print(line, flush=True)

    def crowd(self) -> None:
        """Many who watch one match, beside a match that nobody watches, and beside bare writing."""
        crowd = self._options.crowd
        with _sqlite() as server, _sqlite() as other:
            for line in uvloop.run(gather(server, other, crowd)):
                print(line, flush=True)
        with _server(*WRITE) as writer:
            last, each = uvloop.run(read(writer, crowd, MOVES))
        print(
            f"{crowd:,} who are written to, and nothing else: the last has it after "
            f"{1000 * last:.1f} ms ({1e6 * each:.0f} µs CPU for each)",
            flush=True,
        )

    def flood(self) -> None:
        """Connections that ask for pages without end, beside a match."""
        with _sqlite() as server:
            print(uvloop.run(ask_without_end(server, 100, self._options.seconds)), flush=True)

    def idle(self) -> None:
        """What a match that nobody plays takes, beside a server without one."""
        with _sqlite() as server:
            print(uvloop.run(idle(server.address, server.pid, self._options.idle)), flush=True)

    def start(self) -> None:
        """A start with many stored matches, beside one with none."""
        stored = self._options.stored
        seconds = {}
        for matches in (0, stored):
            with tempfile.TemporaryDirectory() as folder:
                if matches:
                    fill(Path(folder) / "server.sqlite3", matches)
                begun = time.perf_counter()
                with running(*SERVE, home=Path(folder)) as server:
                    passed, seconds[matches] = time.perf_counter() - begun, cpu_seconds([server])
                    size = memory(server.pid)
                print(
                    f"started with {matches:,} stored matches in {passed:.2f} s, of which the "
                    f"processor had {seconds[matches]:.2f} s; {size / 2**20:.0f} MiB",
                    flush=True,
                )
        more = seconds[stored] - seconds[0]
        print(f"  {more:+.2f} s of the processor for the stored ones", flush=True)

    def postgres(self) -> None:
        """Two processes on PostgreSQL beside one: by match, and with players at different ones."""
        for apart, where in ((False, "each match at one of them"), (True, "its players at both")):
            with on_postgresql(1, 2) as sides:
                one, two = self._run(sides, 100, None, apart=apart)
            self._print("PostgreSQL, one process; 100 matches", one)
            alone = 2 * two.a_cpu_second / one.a_cpu_second
            clock = two.a_second / one.a_second
            ratio = (
                f"{clock:.2f} of one by the clock, with driver and database on the same "
                f"{os.cpu_count()} cores; {alone:.2f} by processor time, if each had a core"
            )
            self._print(f"  two processes, {where}", two, ratio)

    # --- inside -------------------------------------------------------------------------

    def _beside_bare(self, matches: int, rate: float | None) -> None:
        with _bare() as bare, _sqlite() as server:
            reference, found = self._run([[bare], [server]], matches, rate)
        pace = "as fast as they can" if rate is None else f"{A_SECOND:.0f} moves/s"
        if rate is None:
            ratio = f"{found.a_cpu_second / reference.a_cpu_second:.2f} of bare"
            ratio += f", {found.a_second / reference.a_second:.2f} by the clock"
        else:
            ratio = f"p99 {found.late / reference.late:.1f} times that of bare; of each move it "
            ratio += f"waited {1000 * found.waited:.1f} ms for a processor, bare "
            ratio += f"{1000 * reference.waited:.1f}"
        self._print(f"bare; {matches:,} matches, {pace}", reference)
        self._print(f"SQLite, one process; {matches:,} matches, {pace}", found, ratio)

    def _run(
        self, sides: list[list[Running]], matches: int, rate: float | None, *, apart: bool = True
    ) -> list[Figures]:
        return uvloop.run(measure(sides, matches, self._options.seconds, rate, apart=apart))

    def _print(self, name: str, found: Figures, ratio: str = "") -> None:
        print(f"{name:56} {found}   {ratio}".rstrip(), flush=True)


@contextlib.contextmanager
def _server(*module: str) -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder, running(*module, home=Path(folder)) as server:
        yield server


_bare, _sqlite = partial(_server, *BARE), partial(_server, *SERVE)

PARTS: tuple[Callable[[Bench], None], ...] = (
    Bench.moves,
    Bench.many,
    Bench.late,
    Bench.where,
    Bench.crowd,
    Bench.flood,
    Bench.idle,
    Bench.start,
    Bench.postgres,
)


def main() -> None:
    told = "; ".join(f"{part.__name__}: {part.__doc__}" for part in PARTS)
    names = [part.__name__ for part in PARTS]
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all without any; {told}")
    parser.add_argument("--seconds", type=float, default=10.0, help="measured for each line")
    parser.add_argument("--crowd", type=int, default=5000, help="who watch one match")
    parser.add_argument("--idle", type=int, default=1000, help="matches that nobody plays")
    parser.add_argument("--stored", type=int, default=1_000_000, help="matches at the start")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    bench = Bench(options)
    for part in PARTS:
        if not options.parts or part.__name__ in options.parts:
            part(bench)


if __name__ == "__main__":
    main()
