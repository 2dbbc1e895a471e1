"""How two modest trees of Hidden Path grow, and what they prove.

python -m bench.modest                        the rows of docs/hidden-path-bounds.md
python -m bench.modest --rows 8/4/3/true ...  these: length, traps, max_step, goal_traps
python -m bench.modest ... --course           tree by tree, as they are searched

Each row ends when its bounds are no wider than `--width`, or after `--seconds`. Seconds are those
of the processor beside those of the clock: two trees are searched at once.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.games.hidden_path.solving.modest import search
from trapline.games.hidden_path.solving.modest.method import ModestMethod
from trapline.solve.interface import Request

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.duel.tree import Tree

ROWS = (
    "8/2/3/true",
    "8/2/3/false",
    "8/3/2/true",
    "8/3/3/false",
    "8/4/3/true",
    "9/2/3/false",
    "9/4/3/true",
    "10/2/3/false",
    "10/2/4/false",
)


class Watched(search.Climb):
    """A search that tells of its trees."""

    course = False
    largest = 0

    def _search(self, tree: Tree, close: float) -> None:
        super()._search(tree, close)
        Watched.largest = max(Watched.largest, len(tree.nodes))
        if self.course and self.best is not None:
            secrets, nodes = len(tree.secrets(self.seat)), len(tree.nodes)
            found = f"{nodes:,} nodes, {secrets} secrets, searched to {close:.4f}"
            print(f"  seat {self.seat}: {found}; proven {self.best.bound:+.5f}", flush=True)


def row(name: str, width: float, seconds: float) -> str:
    length, traps, max_step, goal_traps = name.split("/")
    numbers = {"length": int(length), "traps": int(traps), "max_step": int(max_step)}
    game: Any = make_game("hidden-path", {**numbers, "goal_traps": goal_traps == "true"})
    begin, cpu, Watched.largest = time.monotonic(), time.process_time(), 0
    request = Request(target=width / 2, deadline=begin + seconds)
    lower, upper = ModestMethod(game).solve(request).bounds
    spent = f"{time.process_time() - cpu:.0f} s of CPU, {time.monotonic() - begin:.0f} s"
    return f"{name}: {lower:+.5f} … {upper:+.5f}, {Watched.largest:,} nodes at most, {spent}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", nargs="+", default=ROWS)
    parser.add_argument("--width", type=float, default=0.004)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--course", action="store_true")
    given = parser.parse_args()
    search.Climb, Watched.course = Watched, given.course  # type: ignore[misc]  # `search_both` takes it
    for name in given.rows:
        print(row(name, given.width, given.seconds), flush=True)


if __name__ == "__main__":
    main()
