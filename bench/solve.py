"""Solving, measured: times to an exploitability, and growth: `python -m bench.solve`.

`python -m bench.peers` has others' solvers side by side.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from tests.solve.poker import Leduc

from trapline.games import make_game
from trapline.solve import cfr, tree
from trapline.solve.model import GameModel
from trapline.solve.regret import RULES

PATIENCE = 10.0
"""Seconds that a rule of regret gets to reach the target."""
FROM_NOTHING = """
from trapline.games import make_game
from trapline.solve import solve
solve(make_game("trap-builder", {"walls": False}), target=1e-3)
"""


def main() -> None:
    from_nothing()
    trap_builder()
    rules()
    growth()


def from_nothing() -> None:
    """A new process with an empty cache: import, compilation, tree and solution."""
    for label in ("first call, everything compiled anew", "second call, compiled code kept"):
        with tempfile.TemporaryDirectory() as empty:
            folder = empty if label.startswith("first") else None
            environment = {**os.environ, **({"NUMBA_CACHE_DIR": folder} if folder else {})}
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", FROM_NOTHING], check=True, env=environment)
        print(f"Trap Builder without walls to 1e-3, {label}: {time.perf_counter() - begin:.1f} s")


def trap_builder() -> None:
    begin = time.perf_counter()
    built = tree.build(GameModel(make_game("trap-builder", {"walls": False})))
    print(f"\nTrap Builder without walls: {built.decisions} open decisions of {built.size} nodes,")
    print(f"{built.holdings[0]} secrets a side; tree built in {time.perf_counter() - begin:.2f} s")
    for target in (1e-3, 1e-4, 1e-6):
        seconds, found = timed(built, target, "pcfr+")
        print(f"  to {target:.0e}: {seconds:6.2f} s, {found.iterations} iterations")


def rules() -> None:
    """Which rule of regret is fastest, on trees of ours and on Leduc."""
    print("\nseconds to 1e-4        " + "".join(f"{rule:>9}" for rule in RULES))
    games: list[tuple[str, Any]] = [
        ("trap-builder", {"walls": False}),
        ("trap-builder", {"length": 9, "walls": False}),
        ("hidden-path", {"length": 4, "traps": 2}),
    ]
    trees = [
        (f"{n} {o.get('length', 10)}", tree.build(GameModel(make_game(n, o)))) for n, o in games
    ]
    for label, built in [*trees, ("Leduc", tree.build(Leduc()))]:
        cells = [timed(built, 1e-4, rule, PATIENCE) for rule in RULES]
        row = (
            f"{s:9.2f}" if f.certificate.exploitability <= 1e-4 else "     more" for s, f in cells
        )
        print(f"{label:<23}" + "".join(row))


def growth() -> None:
    print("\nTrap Builder without walls by length: decisions, seconds for the tree, to 1e-3")
    for length in range(7, 13):
        begin = time.perf_counter()
        game = make_game("trap-builder", {"walls": False, "length": length})
        built = tree.build(GameModel(game))
        building = time.perf_counter() - begin
        seconds, _ = timed(built, 1e-3, "pcfr+")
        print(f"  {length:2}: {built.decisions:6} {building:8.2f} {seconds:8.2f}")


def timed(
    built: tree.Tree, target: float, rule: str, patience: float | None = None
) -> tuple[float, cfr.Result]:
    cfr.solve(built, target=1.0, rule=rule)  # compile before the clock starts
    begin = time.perf_counter()
    deadline = None if patience is None else time.monotonic() + patience
    found = cfr.solve(built, target=target, rule=rule, deadline=deadline)
    return time.perf_counter() - begin, found


if __name__ == "__main__":
    main()
