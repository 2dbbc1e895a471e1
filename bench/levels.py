"""A cross table of the computer levels: `python -m bench.levels --matches 2000`.

Seats and first move alternate. Scores are from −1, always lost, to 1, always won, with a 95%
confidence interval; beside them the time a level takes for one choice.
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from trapline.cluster import executor
from trapline.contest import play_out
from trapline.core import other
from trapline.fairness import ROUNDS, Duel, Score, play_duel
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.referee import Match

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View


def cross_table(name: str, levels: list[str], matches: int, workers: int | None) -> None:
    """Every level against every weaker one."""
    print(f"\n{name}: score of the level on the left against the one on the right")
    pairs = [(better, worse) for worse, better in combinations(levels, 2)]
    with executor(None, workers) as pool:
        for better, worse in pairs:
            duels = [
                Duel(name, {}, better, worse, seed, min(ROUNDS, matches))
                for seed in range(max(1, matches // ROUNDS))
            ]
            score = sum(pool.map(play_duel, duels), Score(0, 0, 0))
            margin = f"{score.mean:+.3f} ± {score.margin:.3f}"
            print(f"  {better:>8} - {worse:<8} {margin}  ({score.matches} matches)", flush=True)


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
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--levels", default=",".join(PLAYERS))
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--times-only", action="store_true")
    options = parser.parse_args()
    levels = options.levels.split(",")
    for name in options.games.split(","):
        if not options.times_only:
            cross_table(name, levels, options.matches, options.workers)
        for level in levels:
            if level != "casual":
                median, high = choice_times(name, level, 40)
                print(f"  {level:>8} takes {median * 1e3:.1f} ms, 99% under {high * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
