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


def solved(way: Any, name: str, width: float, seconds: float) -> str:
    """What a way proves of a row, and how long it takes."""
    length, traps, max_step, goal_traps = name.split("/")
    numbers = {"length": int(length), "traps": int(traps), "max_step": int(max_step)}
    game: Any = make_game("hidden-path", {**numbers, "goal_traps": goal_traps == "true"})
    begin, cpu = time.monotonic(), time.process_time()
    request = Request(target=width / 2, deadline=begin + seconds)
    lower, upper = way(game).solve(request).bounds
    spent = f"{time.process_time() - cpu:.0f} s of CPU, {time.monotonic() - begin:.0f} s"
    return f"{name}: {lower:+.5f} … {upper:+.5f}, {spent}"


def words(
    doc: str | None, rows: tuple[str, ...], *, width: float, seconds: float
) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", nargs="+", default=rows)
    parser.add_argument("--width", type=float, default=width)
    parser.add_argument("--seconds", type=float, default=seconds)
    parser.add_argument("--course", action="store_true")
    return parser


def row(name: str, width: float, seconds: float) -> str:
    Watched.largest = 0
    return f"{solved(ModestMethod, name, width, seconds)}, {Watched.largest:,} nodes at most"


def main() -> None:
    given = words(__doc__, ROWS, width=0.004, seconds=300.0).parse_args()
    search.Climb, Watched.course = Watched, given.course  # type: ignore[misc]  # `search_both` takes it
    for name in given.rows:
        print(row(name, given.width, given.seconds), flush=True)


if __name__ == "__main__":
    main()
