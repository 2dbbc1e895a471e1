"""What two prove in Hidden Path who look at each other and mostly run apart from their secrets.

python -m bench.apart                        the rows of docs/hidden-path-bounds.md
python -m bench.apart --rows 9/4/2/false ... these: length, traps, max_step, goal_traps
python -m bench.apart ... --course           graph by graph, as they are tried
python -m bench.apart ... --deepest 0        if no choice is made by the secret, or so many at most
python -m bench.apart ... --everywhere       if every iteration learns also where nobody comes

Each row ends when its bounds are no wider than `--width`, or after `--seconds`. Seconds are those
of the processor beside those of the clock: both seats search at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.modest import solved, words
from trapline.games.hidden_path.solving.apart import search, training
from trapline.games.hidden_path.solving.apart.method import ApartMethod

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.apart.trial import Trial

ROWS = ("8/2/3/false", "9/2/3/false", "9/4/2/false", "10/4/2/false", "10/4/2/true")


class Watched(search.Climb):
    """A search that tells of its graphs."""

    course = False
    largest = 0

    def _train(self, trial: Trial, seconds: float, enough: float) -> None:
        super()._train(trial, seconds, enough)
        Watched.largest = max(Watched.largest, trial.states)
        if self.course and self.best is not None:
            found = f"{trial.states:,} states, {len(trial.hiding.secrets)} secrets"
            after = f"{trial.knowing} choices by them, {trial.iterations:,} iterations"
            kept = f"keeps {trial.kept:+.5f}; proven {self.best.bound:+.5f}"
            print(f"  seat {self.seat}: {found}, {after}; {kept}", flush=True)


def row(name: str, width: float, seconds: float) -> str:
    Watched.largest = 0
    found = solved(ApartMethod, name, width, seconds)
    return f"{found}, {Watched.largest:,} states at most"


def main() -> None:
    parser = words(__doc__, ROWS, width=0.01, seconds=100.0)
    parser.add_argument("--deepest", type=int, default=search.DEEPEST)
    parser.add_argument("--everywhere", action="store_true")
    given = parser.parse_args()
    search.DEEPEST = given.deepest
    if given.everywhere:
        training.EVERYWHERE = 1
    search.Climb, Watched.course = Watched, given.course  # type: ignore[misc]  # `search_apart` takes it
    for name in given.rows:
        print(row(name, given.width, given.seconds), flush=True)


if __name__ == "__main__":
    main()
