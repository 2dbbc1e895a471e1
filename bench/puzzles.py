"""Many puzzles, on all cores or a Dask cluster: `python -m bench.puzzles FILE --count 10000`.

What the file holds already is kept, so a run that was stopped goes on; a broken last line is made
again. Prints how many came of each game and grade, and the CPU time they took.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

import msgspec

from trapline.cluster import executor
from trapline.coach.puzzles import Puzzle, make_puzzle
from trapline.games import GAMES

BATCH = 10


def batch(first: int) -> tuple[list[Puzzle], float]:
    """The puzzles of some numbers, and the CPU seconds they took."""
    begin = time.process_time()
    names = list(GAMES)
    numbers = range(first, first + BATCH)
    made = [make_puzzle(names[number % len(names)], f"bulk {number}") for number in numbers]
    return made, time.process_time() - begin


def kept(file: Path) -> list[Puzzle]:
    """What a file holds, up to the first line that cannot be read."""
    found = []
    for line in file.read_bytes().splitlines() if file.is_file() else []:
        try:
            found.append(msgspec.json.decode(line, type=Puzzle))
        except (msgspec.DecodeError, UnicodeDecodeError):
            break
    return found[: len(found) // BATCH * BATCH]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--scheduler", default=None)
    parser.add_argument("--workers", type=int, default=None)
    given = parser.parse_args()
    puzzles = kept(given.file)
    spent = 0.0
    given.file.write_bytes(b"".join(msgspec.json.encode(p) + b"\n" for p in puzzles))
    firsts = range(len(puzzles), given.count, BATCH)
    with executor(given.scheduler, given.workers) as pool, given.file.open("ab") as out:
        for made, seconds in pool.map(batch, firsts):
            out.writelines(msgspec.json.encode(puzzle) + b"\n" for puzzle in made)
            out.flush()
            puzzles += made
            spent += seconds
    grades = Counter((puzzle.game, puzzle.grade) for puzzle in puzzles)
    for (game, grade), count in sorted(grades.items()):
        print(f"{game:14} grade {grade}: {count}")
    alike = len({msgspec.json.encode(msgspec.structs.replace(p, grade=0)) for p in puzzles})
    print(f"{len(puzzles)} puzzles, {alike} different, {spent:.0f} s of CPU for what was new")


if __name__ == "__main__":
    main()
