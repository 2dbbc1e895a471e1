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
import tempfile
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import uvloop

from bench.server.crowd import fill, gather, idle, memory
from bench.server.load import BARE, SERVE, Figures, Running, measure, on_postgresql, running
from bench.server.parts import divide

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
        self._flat_out("100 matches", 100, self._bare)

    def many(self) -> None:
        """1,000 matches as fast as they can, beside bare."""
        self._flat_out("1,000 matches", 1000, self._bare_of(1000, None))

    def late(self) -> None:
        """How late moves are at a rate that a busy server has, beside bare."""
        for matches in (100, 1000):
            name, rate = f"{matches:,} matches, {A_SECOND:.0f} moves/s", A_SECOND / matches
            bare = self._bare_of(matches, rate)
            found = self._sqlite(matches, rate)
            ratio = f"p99 {found.late / bare.late:.1f} times that of bare"
            self._print(f"SQLite, one process; {name}", found, ratio)

    def where(self) -> None:
        """Where the time of a move goes."""
        print("where the time goes, in one process without a network:")
        with tempfile.TemporaryDirectory() as folder:
            for line in uvloop.run(divide(Path(folder))):
                print(line, flush=True)

    def crowd(self) -> None:
        """Many who watch one match, beside a match that nobody watches."""
        with _sqlite() as server:
            for line in uvloop.run(gather(server, self._options.crowd, self._bare.a_cpu_second)):
                print(line, flush=True)

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
                    seconds[matches] = time.perf_counter() - begun
                    size = memory(server.pid)
                print(
                    f"started with {matches:,} stored matches in {seconds[matches]:.2f} s, "
                    f"{size / 2**20:.0f} MiB",
                    flush=True,
                )
        print(f"  {seconds[stored] - seconds[0]:+.2f} s for the stored ones", flush=True)

    def postgres(self) -> None:
        """Two processes on PostgreSQL beside one; players of a match are at different ones."""
        alone: Figures | None = None
        for count, how in ((1, "one process"), (2, "two processes")):
            with on_postgresql(count) as servers:
                found = self._run(servers, 100, None)
            ratio = f"{found.a_cpu_second / self._bare.a_cpu_second:.2f} of bare"
            if alone is not None:
                apart = 2 * found.a_cpu_second / alone.a_cpu_second
                ratio += (
                    f"; {found.a_second / alone.a_second:.2f} of one as measured, "
                    f"{apart:.2f} by processor time, if each had a core"
                )
            alone = alone or found
            self._print(f"PostgreSQL, {how}; 100 matches, as fast as they can", found, ratio)

    # --- inside -------------------------------------------------------------------------

    @cached_property
    def _bare(self) -> Figures:
        return self._bare_of(100, None)

    def _bare_of(self, matches: int, rate: float | None) -> Figures:
        with tempfile.TemporaryDirectory() as folder, running(*BARE, home=Path(folder)) as server:
            found = self._run([server], matches, rate)
        pace = "as fast as they can" if rate is None else f"{A_SECOND:.0f} moves/s"
        self._print(f"bare; {matches:,} matches, {pace}", found)
        return found

    def _sqlite(self, matches: int, rate: float | None) -> Figures:
        with _sqlite() as server:
            return self._run([server], matches, rate)

    def _flat_out(self, name: str, matches: int, bare: Figures) -> None:
        found = self._sqlite(matches, None)
        ratio = f"{found.a_cpu_second / bare.a_cpu_second:.2f} of bare"
        ratio += f", {found.a_second / bare.a_second:.2f} by the clock"
        self._print(f"SQLite, one process; {name}, as fast as they can", found, ratio)

    def _run(self, servers: list[Running], matches: int, rate: float | None) -> Figures:
        return uvloop.run(measure(servers, matches, self._options.seconds, rate))

    def _print(self, name: str, found: Figures, ratio: str = "") -> None:
        print(f"{name:56} {found}   {ratio}".rstrip(), flush=True)


@contextlib.contextmanager
def _sqlite() -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder, running(*SERVE, home=Path(folder)) as server:
        yield server


PARTS: tuple[Callable[[Bench], None], ...] = (
    Bench.moves,
    Bench.many,
    Bench.late,
    Bench.where,
    Bench.crowd,
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
