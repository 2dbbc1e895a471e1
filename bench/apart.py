"""What two prove in Hidden Path who look at each other and draw runs apart from their secrets.

python -m bench.apart                        the rows of docs/hidden-path-bounds.md
python -m bench.apart --rows 9/4/2/false ... these: length, traps, max_step, goal_traps
python -m bench.apart ... --course           beginning by beginning, as they are tried

Each row ends when its bounds are no wider than `--width`, or after `--seconds`. Seconds are those
of the processor beside those of the clock: both seats search at once.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from trapline.games import make_game
from trapline.games.hidden_path.solving.apart import search
from trapline.games.hidden_path.solving.apart.method import ApartMethod
from trapline.solve.interface import Request

ROWS = ("8/2/3/false", "9/2/3/false", "9/4/2/false", "10/4/2/false", "10/4/2/true")


class Watched(search.Rounds):
    """A search that tells of its graphs."""

    course = False
    largest = 0

    def _train(self, trial: search.Trial, most: float) -> bool:
        kept_up = super()._train(trial, most)
        Watched.largest = max(Watched.largest, trial.states)
        if self.course and self.best is not None:
            found = f"{trial.states:,} states, {len(trial.hiding.secrets)} secrets"
            after = f"{trial.learner.iterations:,} iterations"
            print(
                f"  seat {self.seat}: {found}, {after}; proven {self.best.bound:+.5f}", flush=True
            )
        return kept_up


def row(name: str, width: float, seconds: float) -> str:
    length, traps, max_step, goal_traps = name.split("/")
    numbers = {"length": int(length), "traps": int(traps), "max_step": int(max_step)}
    game: Any = make_game("hidden-path", {**numbers, "goal_traps": goal_traps == "true"})
    begin, cpu, Watched.largest = time.monotonic(), time.process_time(), 0
    request = Request(target=width / 2, deadline=begin + seconds)
    lower, upper = ApartMethod(game).solve(request).bounds
    spent = f"{time.process_time() - cpu:.0f} s of CPU, {time.monotonic() - begin:.0f} s"
    return f"{name}: {lower:+.5f} … {upper:+.5f}, {Watched.largest:,} states at most, {spent}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", nargs="+", default=ROWS)
    parser.add_argument("--width", type=float, default=0.01)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--course", action="store_true")
    given = parser.parse_args()
    search.Rounds, Watched.course = Watched, given.course  # type: ignore[misc]  # `search_apart` takes it
    for name in given.rows:
        print(row(name, given.width, given.seconds), flush=True)


if __name__ == "__main__":
    main()
