"""A small tournament, how to hold one, and what its results are."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from trapline.arena import config as configs
from trapline.arena.results import Results
from trapline.arena.run import run

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.arena.standings import Report

CUP = """
players = ["random", "casual", "perfect"]
matches = 4
samples = 5
seed = 3
[[games]]
game = "trap-builder"
options = { length = 4, traps = 1, max_step = 2 }
[[games]]
game = "numeric-maze"
options = { length = 6, traps = [3], turn_limit = 12 }
matches = 2
samples = 0
"""


def hold(text: str, out: Path) -> Report:
    with Results(out) as results, ThreadPoolExecutor(2) as pool:
        return run(configs.parse(text), results, pool)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_bytes().splitlines()]


def decisive(out: Path) -> dict[str, Any]:
    """Everything about the results that a seed decides: not salts, not times."""
    found = {}
    for line in lines(out):
        record = line.pop("record", {})
        kept = {name: record.get(name) for name in ("secrets", "moves", "first", "result")}
        found[line["key"]] = (line, kept)
    return found
