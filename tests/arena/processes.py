"""A tournament in a process of its own, and the processes that play for it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LONG = """
players = ["random", "casual", "sharp"]
matches = 20
out = "results.jsonl"
workers = 2
[[games]]
game = "trap-builder"
options = { length = 6, traps = 2, walls = false }
"""


def start(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "trapline", "arena", str(path), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Shells have background jobs ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def wait_for_lines(out: Path, count: int) -> None:
    for _ in range(6000):
        if out.exists() and out.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.01)
    raise AssertionError


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            found += map(int, task.read_text().split())
    return found


def workers(pid: int) -> list[int]:
    return [child for child in children(pid) if "spawn_main" in command(child)]


def command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
