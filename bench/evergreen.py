"""Does an evergreen test rank players rightly? Scripted players whose exploitability is known.

`python -m bench.evergreen [RUNS] [MATCHES] [SAMPLES] [FIRST SEED]` holds so many tests, each on
variants of its own seed, one of each game, between players that give the solution's answer except
for a share of the time, when they answer anything. Their exact exploitability rises with that
share. It prints in how many tests each measure puts all of them into the right order, and how much
it shakes for what it took.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

from trapline.arena.config import Config
from trapline.arena.evergreen import fresh
from trapline.arena.results import Results
from trapline.arena.run import run
from trapline.games import GAMES, make_game
from trapline.measures import exploitability
from trapline.measures.policies import drawing, uniform
from trapline.players import PLAYERS, Opponent, perfect

if TYPE_CHECKING:
    from trapline.arena.standings import Report, Standing
    from trapline.core import Form, Game, View
    from trapline.measures import Policy

SHARES = {"scripted-0": 0.0, "scripted-25": 0.25, "scripted-50": 0.5, "scripted-100": 1.0}
"""By name, how often a player answers anything."""


def careless(share: float) -> Policy:
    def policy(view: View) -> dict[Form, float]:
        best, anything = perfect.chances(view), uniform(view)
        return {a: (1 - share) * best.get(a, 0.0) + share * anything[a] for a in anything}

    return policy


def seated() -> None:
    """The scripted players among those that a tournament can name."""
    for name, share in SHARES.items():
        PLAYERS[name] = Opponent(drawing(careless(share)), f"errs {share:.0%} of the time")


def held(
    seed: int, matches: int, samples: int, variants: int = len(GAMES)
) -> tuple[Report, Config]:
    """One test, in this process."""
    seated()
    config = fresh(Config(list(SHARES), matches=matches, samples=samples, variants=variants), seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        Results(Path(folder) / "out") as results,
        ThreadPoolExecutor(1) as pool,
    ):
        return run(config, results, pool), config


def order(report: Report, measure: Any) -> list[str]:
    """From the strongest to the weakest."""
    return [standing.player for standing in sorted(report.standings, key=measure)]


def regret(standing: Standing) -> float:
    assert standing.regret is not None  # the variants are solved
    return standing.regret.mean


def exploited(standing: Standing) -> float:
    return mean(found.estimate for found in standing.exploitabilities.values())


def win_rate(standing: Standing) -> float:
    return -standing.score.mean


@lru_cache(maxsize=1024)
def known(share: float, game: Game[Any]) -> float:
    """The exact exploitability of a scripted player."""
    return exploitability(careless(share), game)


def main(runs: int = 100, matches: int = 24, samples: int = 0, first: int = 0) -> None:
    measures = {"win rate": win_rate, "regret": regret}
    if samples:
        measures["exploitability"] = exploited
    right = dict.fromkeys(measures, 0)
    noises: dict[str, list[float]] = {name: [] for name in measures}
    truly = list(SHARES)
    for seed in range(first, first + runs):
        report, config = held(seed, matches, samples)
        games = [make_game(entry.game, entry.options) for entry in config.games]
        exact = [mean(known(share, game) for game in games) for share in SHARES.values()]
        assert exact == sorted(exact)  # or there is no right order
        for name, measure in measures.items():
            found = order(report, measure)
            right[name] += found == truly
            if found != truly:
                print(f"seed {seed}: {name} puts {', '.join(found)}", flush=True)
            for standing in report.standings:
                value = getattr(standing.noise, name.replace(" ", "_"))
                noises[name].append(value or 0.0)
    for name, count in right.items():
        print(f"{name:15} ranked rightly in {count} of {runs}; noise {mean(noises[name]):.3g}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
