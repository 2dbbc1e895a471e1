"""How late the disk alone is: what a log takes for each move, written at the rate of moves."""

from __future__ import annotations

import itertools
import os
import random
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

A_PAGE = bytes(4_120)
"""What SQLite appends to its log for one page."""
PAGES = 1_000


def lateness(folder: Path, rate: float, writes: int) -> tuple[list[float], list[float]]:
    """Seconds until a page is on disk, sorted: from when it is written, and from when it came.

    Pages come at any moment. One that comes while others are written waits for that, and then
    shares the next write with all who wait, as moves do.
    """
    file = os.open(folder / "log", os.O_RDWR | os.O_CREAT)
    try:
        os.write(file, A_PAGE * PAGES)
        os.fsync(file)
        found = [*_write(file, rate, writes)]
    finally:
        os.close(file)
    alone, waited = zip(*found, strict=True)
    return sorted(alone), sorted(waited)


def _write(file: int, rate: float, writes: int) -> Iterator[tuple[float, float]]:
    begun = time.perf_counter()
    pauses = (random.expovariate(rate) for _ in range(writes))
    coming = [begun + moment for moment in itertools.accumulate(pauses)]
    while coming:
        time.sleep(max(0.0, coming[0] - time.perf_counter()))
        started = time.perf_counter()
        some = [moment for moment in coming if moment <= started]
        del coming[: len(some)]
        for number in range(len(some)):
            place = (len(coming) + number) % PAGES
            os.pwrite(file, A_PAGE, place * len(A_PAGE))
        if some:
            os.fdatasync(file)
        ended = time.perf_counter()
        yield from ((ended - started, ended - moment) for moment in some)


def middle_and_late(times: list[float]) -> str:
    """Of sorted seconds, as it is printed."""
    usual, late = times[len(times) // 2], times[99 * len(times) // 100]
    return f"p50 {1000 * usual:.1f} ms, p99 {1000 * late:.1f} ms"
