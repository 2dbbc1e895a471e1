"""`trapline replay --json` over many records: speed, and memory that does not grow."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from trapline.contest import play_out
from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.players import find_player
from trapline.referee import Match, Record

MEASURE = """
import resource, subprocess, sys
with open(sys.argv[2], "w") as out:
    subprocess.run([sys.executable, "-m", "trapline", "replay", sys.argv[1], "--json"], stdout=out)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def random_record(rng: Random) -> str:
    match = Match(make_game(rng.choice(list(GAMES))), 1, match_id="none")
    random = find_player("random").choose
    play_out(match, dict.fromkeys(SEATS, random), lambda _view: rng)
    whole = match.record()
    return Record(whole.game, whole.options, whole.first, whole.secrets, whole.moves).to_json()


def main() -> None:
    rng = Random(1)
    lines = "".join(random_record(rng) + "\n" for _ in range(1000))
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
