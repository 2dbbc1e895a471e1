"""A cross table of the computer levels: `python -m bench.levels --write`.

Every level of the scale against every other, and `sharp`, which thinks long, against two of them.
Seats and first move alternate. Scores are from −1, always lost, to 1, always won, with a 95%
confidence interval; beside them the time a level takes for one choice. `--write` writes the
tables of docs/solving.md.
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec

from bench.pages import write_part
from trapline.cluster import executor
from trapline.contest import play_out
from trapline.core import other
from trapline.fairness import ROUNDS, Duel, Score, play_duel
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.players.blended import STRENGTHS
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Form, Seat, View


MATCHES = {"secret-paths": 400, "numeric-maze": 400}
SLOW = {"secret-paths": 20}
"""How many matches of a pair, and of a pair with `sharp`, where it is not the usual number."""
BESIDE = [("sharp", "casual"), ("perfect", "sharp")]

Scores = dict[tuple[str, str], Score]


def cross_table(
    name: str,
    pairs: list[tuple[str, str]],
    matches: int,
    workers: int | None,
    folder: Path | None,
) -> Scores:
    """Each pair of levels against each other; what a folder holds is not played again."""
    found = {}
    with executor(None, workers) as pool:
        for better, worse in pairs:
            kept = folder / f"{name} {better} {worse} {matches}.json" if folder else None
            if kept is not None and kept.is_file():
                found[better, worse] = msgspec.json.decode(kept.read_bytes(), type=Score)
                continue
            rounds = min(ROUNDS, matches)
            duels = [
                Duel(name, {}, better, worse, seed, rounds)
                for seed in range(max(1, matches // ROUNDS))
            ]
            score = sum(pool.map(play_duel, duels), Score(0, 0, 0))
            found[better, worse] = score
            if kept is not None:
                kept.write_bytes(msgspec.json.encode(score))
            margin = f"{score.mean:+.3f} ± {score.margin:.3f}"
            print(f"  {better:>8} - {worse:<8} {margin}  ({score.matches} matches)", flush=True)
    return found


def table(tables: dict[str, Scores], usual: int) -> Iterator[str]:
    """One line a pair, one column a game; a number of matches that is not the usual one is told."""
    yield f"| | {' | '.join(make_game(name).title for name in tables)} |"
    yield f"| --- {'| --- ' * len(tables)}|"
    for better, worse in next(iter(tables.values())):
        cells = []
        for scores in tables.values():
            at = scores[better, worse]
            number = f" ({at.matches:,})" if at.matches != usual else ""
            cells.append(f"{at.mean:+.3f} ± {at.margin:.3f}{number}")
        yield f"| {better} – {worse} | {' | '.join(cells)} |"


def choice_times(spec: str, level: str, matches: int) -> tuple[float, float]:
    """Median and 99th percentile of a choice, in seconds, after one match to load."""
    game, rng = make_game(spec), Random(1)
    spent: list[float] = []

    def timed(view: View, rng: Random) -> Form:
        begun = time.perf_counter()
        choice = PLAYERS[level].choose(view, rng)
        spent.append(time.perf_counter() - begun)
        return choice

    for number in range(matches + 1):
        seat: Seat = 1 if number % 2 else 2
        match = Match(game, 1, rng=rng)
        play_out(match, {seat: timed, other(seat): PLAYERS["casual"].choose}, lambda _view: rng)
        if number == 0:
            spent.clear()
    spent.sort()
    return spent[len(spent) // 2], spent[int(len(spent) * 0.99)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--slow", type=int, default=400, help="matches of a pair with sharp")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--levels", default=",".join(STRENGTHS))
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--times-only", action="store_true")
    parser.add_argument("--folder", type=Path, help="keep what was played, and go on from there")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    levels = options.levels.split(",")
    pairs = [(better, worse) for worse, better in combinations(levels, 2)]
    tables = {}
    for name in options.games.split(","):
        if not options.times_only:
            print(f"\n{name}: score of the level on the left against the one on the right")
            many = min(options.matches, MATCHES.get(name, options.matches))
            few = min(options.slow, SLOW.get(name, options.slow))
            tables[name] = cross_table(name, pairs, many, options.workers, options.folder)
            beside = BESIDE if few else []
            tables[name] |= cross_table(name, beside, few, options.workers, options.folder)
        for level in levels:
            if level != "casual":
                median, high = choice_times(name, level, 40)
                print(f"  {level:>8} takes {median * 1e3:.1f} ms, 99% under {high * 1e3:.1f} ms")
    if options.write:
        write_part("solving.md", "levels", ["", *table(tables, options.matches), ""])


if __name__ == "__main__":
    main()
