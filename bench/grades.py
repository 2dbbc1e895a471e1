"""Do a puzzle's stars say how hard it is? `python -m bench.grades` lets levels try puzzles afresh.

Each level tries each puzzle anew, with chances that its grade has not seen; `keen` and `expert`
had no part in the grade at all. For each level the rank correlation (Spearman, 1904) between stars
and failures is told, and how often each grade was failed. `--write` puts it into docs/coach.md.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scipy.stats import spearmanr

from bench.pages import write_part
from trapline.cluster import executor
from trapline.coach.puzzles import GRADES, pose
from trapline.games import GAMES
from trapline.players import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = ("random", "casual", "keen", "expert")
TRIES = 20
A_TASK = 10


class Tried(NamedTuple):
    grade: int
    failed: dict[str, float]
    """The share of each level's tries that did not find the best answer."""


def tries(first: int, count: int) -> list[Tried]:
    return [_tried(number) for number in range(first, first + count)]


def _tried(number: int) -> Tried:
    names, rng = list(GAMES), Random(f"study {number}")
    puzzle, view = pose(names[number % len(names)], f"study {number}")
    assert view.question is not None  # a puzzle is a question
    best = view.question.parse(puzzle.best)
    failed = {
        level: sum(PLAYERS[level].choose(view, rng) != best for _ in range(TRIES)) / TRIES
        for level in LEVELS
    }
    return Tried(puzzle.grade, failed)


def lines(found: list[Tried]) -> Iterator[str]:
    yield f"| stars | puzzles | {' | '.join(LEVELS)} |"
    yield f"| --- | --- {'| --- ' * len(LEVELS)}|"
    grades = defaultdict(list)
    for tried in found:
        grades[tried.grade].append(tried.failed)
    for grade in range(1, GRADES + 1):
        inside = grades[grade]
        means = (f"{sum(f[level] for f in inside) / len(inside):.0%}" for level in LEVELS if inside)
        yield f"| {grade} | {len(inside)} | {' | '.join(means) or ' | '.join('–' * len(LEVELS))} |"
    stars = [tried.grade for tried in found]
    ranks = (spearmanr(stars, [tried.failed[level] for tried in found])[0] for level in LEVELS)
    yield f"| rank correlation | {len(found)} | {' | '.join(f'{rank:+.2f}' for rank in ranks)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    firsts = range(0, given.count, A_TASK)
    with executor(None, given.workers) as pool:
        parts = pool.map(tries, firsts, [min(A_TASK, given.count - first) for first in firsts])
        found = [tried for part in parts for tried in part]
    told = list(lines(found))
    print("\n".join(told))
    if given.write:
        write_part("coach.md", "grades", ["", *told, ""])


if __name__ == "__main__":
    main()
