"""How late the disk alone is: what a log takes for each move, written at the rate of moves."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

A_PAGE = bytes(4_120)
"""What SQLite appends to its log for one page."""
PAGES = 1_000


def lateness(folder: Path, rate: float, writes: int) -> tuple[float, float]:
    """The median and the p99 of the seconds until a page is on disk, in a file of that size."""
    file = os.open(folder / "log", os.O_RDWR | os.O_CREAT)
    try:
        os.write(file, A_PAGE * PAGES)
        os.fsync(file)
        took = sorted(_write(file, number, rate) for number in range(writes))
    finally:
        os.close(file)
    return took[writes // 2], took[99 * writes // 100]


def _write(file: int, number: int, rate: float) -> float:
    time.sleep(random.expovariate(rate))
    begun = time.perf_counter()
    os.pwrite(file, A_PAGE, number % PAGES * len(A_PAGE))
    os.fdatasync(file)
    return time.perf_counter() - begun
