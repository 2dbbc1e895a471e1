"""`trapline replay --json` over many records: speed, and memory that does not grow."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.notation import turn_to_json

MEASURE = """
import resource, subprocess, sys
with open(sys.argv[2], "w") as out:
    subprocess.run([sys.executable, "-m", "trapline", "replay", sys.argv[1], "--json"], stdout=out)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def random_record(rng: Random) -> dict[str, Any]:
    game = make_game(rng.choice(list(GAMES)))
    secrets = {seat: game.random_secret(seat, rng) for seat in SEATS} if game.secret else {}
    state = game.start(1, secrets)
    moves = []
    while state.outcome is None:
        turn: tuple[Any, ...] = ()
        now = state.turn
        while state.turn == now:
            turn += (rng.choice(game.legal(state)),)
            state = game.apply(state, turn[-1])
        moves.append(turn_to_json(turn))
    record: dict[str, Any] = {"game": game.name, "options": {}, "first": 1, "moves": moves}
    if secrets:
        record["secrets"] = {str(seat): list(secret) for seat, secret in secrets.items()}
    return record


def main() -> None:
    rng = Random(1)
    lines = "".join(json.dumps(random_record(rng)) + "\n" for _ in range(1000))
    print("trapline replay --json")
    with tempfile.TemporaryDirectory() as folder:
        for thousands in (1, 100):
            path = Path(folder) / "records.jsonl"
            path.write_text(lines * thousands)
            begun = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", MEASURE, str(path), str(Path(folder) / "out")],
                capture_output=True,
                text=True,
                check=True,
            )
            seconds = time.perf_counter() - begun
            memory = int(done.stdout) / 1024
            print(f"{thousands * 1000:>8,} records: {seconds:6.1f} s, {memory:5.1f} MB at most")
    print()
