"""Trap Builder without walls, an iteration of CFR+ here and in OpenSpiel's C++.

`python -m bench.beside_open_spiel` needs OpenSpiel. It is given the same game as an
extensive-form file, every pair of secrets spelt out, up to the largest size whose tree it can
hold in a reasonable time; this program is measured at that size and at the rulebook's.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspiel

from trapline.adapters.efg import TreeTooLarge, extensive_form
from trapline.games import make_game
from trapline.solve import cfr, tree
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from trapline.core import Game

MOST_NODES = 1_500_000
ITERATIONS = 20


def open_spiel_iteration(text: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        path.write_text(text)
        game = pyspiel.load_game(f"efg_game(filename={path})")
        solver = pyspiel.CFRPlusSolver(game)
    begin = time.perf_counter()
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    return (time.perf_counter() - begin) / ITERATIONS


def our_iteration(game: Game[Any]) -> float:
    built = tree.build(GameModel(game))
    cfr.solve(built, target=1.0, rule="cfr+")  # compile before the clock starts
    begin = time.perf_counter()
    found = cfr.solve(built, target=1e-3, rule="cfr+")
    return (time.perf_counter() - begin) / max(1, found.iterations)


def main() -> None:
    print("Trap Builder without walls: seconds for one iteration of CFR+")
    for length in range(5, 11):
        game = make_game("trap-builder", {"length": length, "walls": False})
        ours = our_iteration(game)
        try:
            lines = list(extensive_form(game, 1, most=MOST_NODES)) if length <= 8 else []
        except TreeTooLarge:
            lines = []
        if not lines:
            print(f"  length {length:2}: {ours:.6f} here; too large to spell out")
            continue
        nodes = len(lines) - 1
        theirs = open_spiel_iteration("\n".join(lines) + "\n")
        print(
            f"  length {length:2}: {ours:.6f} here, {theirs:.6f} there ({nodes} nodes), "
            f"{theirs / ours:.1f} times as long"
        )


if __name__ == "__main__":
    main()
