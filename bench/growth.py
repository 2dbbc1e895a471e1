"""How solving grows: seconds and memory over length and traps, one table for each game.

python -m bench.growth                       all tables, as Markdown
python -m bench.growth --game hidden-path    one of them
python -m bench.growth --seconds 20          what a row may take; where it ends so, bounds are told
python -m bench.growth --scheduler ADDRESS   rows on a Dask cluster, by the same code

Each row is solved from the beginning in a process of its own, with a home of its own, so that
nothing is kept from before and the peak of memory is the row's. Rows run one after the other,
unless more workers are asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from trapline.cluster import executor
from trapline.games import make_game

ROOT = Path(__file__).resolve().parents[1]
ROWS: dict[str, list[dict[str, Any]]] = {
    "hidden-path": [
        {"length": length, "traps": traps} for traps in (1, 2, 3) for length in (4, 6, 8, 10)
    ],
    "trap-builder": [
        {"length": length, "traps": traps, "walls": False}
        for traps in (1, 2, 3)
        for length in (6, 8, 10, 12)
    ],
    "trap-runner": [{"length": length} for length in (10, 30, 99)],
    "secret-paths": [{"size": size, "turn_limit": 0} for size in (3, 5, 7, 9)],
    "numeric-maze": [
        {"length": length, "traps": list(range(5, length, 5)), "turn_limit": 0}
        for length in (20, 50, 99)
    ],
    "examples/games/phantom.py": [
        {"size": size, "turns": turns} for size in (2, 3) for turns in (3, 4, 5)
    ],
}


def row(name: str, options: dict[str, Any], seconds: float) -> dict[str, Any]:
    """One row, in this process."""
    from trapline.solve import judged

    began, cpu = time.monotonic(), time.process_time()
    found = judged(make_game(name, options), time_limit=seconds, fresh=True)
    return {
        "bounds": found.bounds,
        "exact": found.exact,
        "method": found.facts.method,
        "seconds": time.monotonic() - began,
        "cpu": time.process_time() - cpu,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def in_own_process(task: tuple[str, dict[str, Any], float]) -> dict[str, Any]:
    """The same, wherever this runs; a row that is killed costs only itself."""
    name, options, seconds = task
    command = [sys.executable, "-m", "bench.growth", "--one", json.dumps([name, options, seconds])]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env={**os.environ, "TRAPLINE_HOME": home},
        )
    if done.returncode:
        return {"died": done.returncode}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told(options: dict[str, Any], found: dict[str, Any]) -> str:
    label = " ".join(f"`{name}={_short(value)}`" for name, value in options.items())
    if "died" in found:
        return f"| {label} | died with {found['died']} | | | |"
    low, high = found["bounds"]
    value = f"{low:+.4f}" if found["exact"] else f"{low:+.4f} … {high:+.4f}"
    figures = f"{found['cpu']:.1f} | {found['megabytes']}"
    return f"| {label} | {value} | {found['method']} | {figures} |"


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) if len(value) <= 3 else f"{value[0]},…,{value[-1]}"
    return str(value).lower()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=list(ROWS))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each row")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--scheduler", help="the address of a Dask scheduler")
    parser.add_argument("--one", help="one row, as JSON, in this process")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(row(*json.loads(given.one))))
        return
    with executor(given.scheduler, given.workers) as pool:
        for name in [given.game] if given.game else ROWS:
            tasks = [(name, options, given.seconds) for options in ROWS[name]]
            print(f"\n| {Path(name).stem} | value | by | seconds of CPU | MB |")
            print("| --- | --- | --- | --- | --- |")
            for options, found in zip(ROWS[name], pool.map(in_own_process, tasks), strict=True):
                print(told(options, found), flush=True)


if __name__ == "__main__":
    main()
