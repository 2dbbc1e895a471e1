"""How long `trapline --version` takes, beside the bare interpreter."""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 20


def seconds(*arguments: str) -> float:
    """The fastest of many runs: what the command costs when nothing else disturbs it."""
    best = float("inf")
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        best = min(best, time.perf_counter() - begun)
    return best


def main() -> None:
    bare = seconds("-c", "pass")
    version = seconds("-m", "trapline", "--version")
    print("Start-up, best of twenty")
    print(f"bare interpreter     {bare * 1000:6.1f} ms")
    print(f"trapline --version   {version * 1000:6.1f} ms, {version / bare:.1f} times as long")
    print()
