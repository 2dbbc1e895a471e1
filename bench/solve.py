"""Solving, measured: times to an exploitability, growth, and others' solvers side by side.

Run it as `python -m bench.solve`. OpenSpiel and LiteEFG are compared where they are
installed, on Leduc poker, in the same run on the same machine.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tests.solve.poker import Leduc

from trapline.games import make_game
from trapline.solve import cfr, tree
from trapline.solve.model import GameModel
from trapline.solve.regret import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 10.0
"""Seconds of its own that another solver gets to reach the target."""

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
    leduc()


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


def leduc() -> None:
    """Exploitability here is half of what both best responses gain, as OpenSpiel's is."""
    ours = {rule: timed(tree.build(Leduc()), 1e-4, rule)[0] for rule in RULES}
    best = min(ours, key=lambda rule: ours[rule])
    print(f"\nLeduc to 1e-4: {ours[best]:.2f} s with {best}")
    for module, run in {"pyspiel": open_spiel, "LiteEFG": lite_efg}.items():
        if find_spec("pyspiel") is None or find_spec(module) is None:
            print(f"  {module} is not installed")
            continue
        # Our Leduc treats both suits as one, so theirs may too; and as they come.
        for name in ("leduc_poker(suit_isomorphism=True)", "leduc_poker"):
            seconds, gap = run(name)
            more = "" if gap <= 1e-4 else f" and only {gap:.1e}"
            ratio = seconds / ours[best]
            print(f"  {module}'s CFR+ on {name}: {seconds:.2f} s{more}: {ratio:.0f} times as long")


def until(iterate: Callable[[], None], measure: Callable[[], float]) -> tuple[float, float]:
    """Seconds of iterating until the gap is small; measuring it is not counted."""
    spent, gap, steps = 0.0, 1.0, 1
    while gap > 1e-4 and spent < PATIENCE:
        begin = time.perf_counter()
        for _ in range(steps):
            iterate()
        spent += time.perf_counter() - begin
        gap = measure()
        steps = int(steps * 1.25) + 1
    return spent, gap


def open_spiel(name: str) -> tuple[float, float]:
    import pyspiel

    game = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    return until(
        solver.evaluate_and_update_policy,
        lambda: float(pyspiel.exploitability(game, solver.average_policy())),
    )


def lite_efg(name: str) -> tuple[float, float]:
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines import CFRplus

    with contextlib.redirect_stdout(io.StringIO()):  # it greets
        learner: Any = CFRplus.graph()
    environment = LiteEFG.OpenSpielEnv(
        pyspiel.load_game(name), traverse_type="Enumerate", regenerate=False
    )
    environment.set_graph(learner)

    def iterate() -> None:
        learner.update_graph(environment)
        environment.update_strategy(learner.current_strategy(), update_best=False)

    def measure() -> float:
        gains = environment.exploitability(learner.current_strategy(), "linear-avg-iterate")
        return float(sum(gains)) / 2

    return until(iterate, measure)


if __name__ == "__main__":
    main()
