"""Seconds of CPU to an equilibrium, here and elsewhere: `python -m bench.peers [SECONDS [GAME]]`.

Each solver is given the same games by OpenSpiel. What counts is the time of its own iterations,
without building the tree, until half of what both best responses gain is at most the target; the
others' best responses are not counted, ours are. SECONDS is the patience with each; GAME is one row
of the table, by its name. OpenSpiel iterates CFR+ in C++, LiteEFG the rules of its baselines in C++
with linear averages, Gambit solves a linear program. Who is not installed is left out.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import multiprocessing
import queue
import re
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspiel

from trapline.adapters.efg import extensive_form
from trapline.adapters.spiel_tree import SpielTree
from trapline.games import make_game
from trapline.solve import extensive, sequences
from trapline.solve.interface import Request
from trapline.solve.regret import USUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reached = dict[float, float]
    Solver = Callable[[str, float], Reached]

TARGETS = (1e-4, 1e-6)
GROWTH = 1.2
GAMES = {
    "Kuhn poker": "kuhn_poker",
    "Leduc poker": "leduc_poker",
    "Goofspiel, 4 cards": "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
    "Goofspiel, 5 cards": "goofspiel(imp_info=True,num_cards=5,points_order=descending)",
    "Liar's Dice, 4 sides": "liars_dice(dice_sides=4)",
    "Liar's Dice, 5 sides": "liars_dice(dice_sides=5)",
}
OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "Hidden Path, 4 steps, 1 trap": ("hidden-path", {"length": 4, "traps": 1}),
    "Trap Builder, 6 places, 2 traps": ("trap-builder", {"length": 6, "traps": 2, "walls": False}),
}
"""They are handed over as Gambit files, so that everybody's tree is in C++."""


def stops() -> Iterator[int]:
    """After how many iterations the others' strategies are looked at."""
    done = 1.0
    while True:
        yield round(done)
        done = max(done + 1, done * GROWTH)


def iterated(step: Callable[[], None], distance: Callable[[], float], patience: float) -> Reached:
    reached: Reached = {}
    spent, done = 0.0, 0
    for stop in stops():
        begin = time.process_time()
        while done < stop:
            step()
            done += 1
        spent += time.process_time() - begin
        far = distance()
        for target in TARGETS:
            if far <= target:
                reached.setdefault(target, spent)
        if len(reached) == len(TARGETS) or spent > patience:
            return reached
    raise AssertionError("stops never end")


def ours(name: str, patience: float) -> Reached:
    form = extensive.sequence_form(SpielTree(name))
    sequences.certify(
        form, sequences.by_regret(form, target=1.0)
    )  # compile before the clock starts
    reached: Reached = {}
    for target in TARGETS:
        begin = time.process_time()
        found = sequences.by_regret(
            form, target=target, rule=USUAL, deadline=time.monotonic() + 20 * patience
        )
        lower, upper = sequences.certify(form, found)
        if (upper - lower) / 2 <= target:
            reached[target] = time.process_time() - begin
    return reached


def exactly(name: str) -> tuple[str, float]:
    """The value as a fraction, and how long it takes to find and prove it."""
    tree = SpielTree(name)
    form = extensive.sequence_form(tree)
    begin = time.process_time()
    found = extensive.solve(tree, form, Request(1e-6, None, None, time.monotonic()))
    return str(found.fraction), time.process_time() - begin


def open_spiel(name: str, patience: float) -> Reached:
    turns = pyspiel.load_game_as_turn_based(name)
    solver = pyspiel.CFRPlusSolver(turns)

    def distance() -> float:
        return float(pyspiel.exploitability(turns, solver.tabular_average_policy()))

    return iterated(solver.evaluate_and_update_policy, distance, patience)


def lite_efg(rule: str) -> Solver:
    def run(name: str, patience: float) -> Reached:
        import LiteEFG

        baseline = importlib.import_module(f"LiteEFG.baselines.{rule}")
        with contextlib.redirect_stdout(io.StringIO()):
            graph = baseline.graph()
            turns = pyspiel.load_game_as_turn_based(name)
            environment = LiteEFG.OpenSpielEnv(turns, traverse_type="Enumerate", regenerate=True)
        environment.set_graph(graph)

        def step() -> None:
            graph.update_graph(environment)
            environment.update_strategy(graph.current_strategy())

        def distance() -> float:
            return (
                float(
                    sum(environment.exploitability(graph.current_strategy(), "linear-avg-iterate"))
                )
                / 2
            )

        return iterated(step, distance, patience)

    return run


def gambit(name: str, patience: float) -> Reached:
    """A linear program is solved or it is not: both targets are reached at once, or none."""
    found: multiprocessing.Queue[float] = multiprocessing.Queue()
    work = multiprocessing.Process(target=_linear_program, args=(name, found))
    work.start()
    try:
        return dict.fromkeys(TARGETS, found.get(timeout=5 * patience))
    except queue.Empty:
        return {}
    finally:
        work.kill()


def _linear_program(name: str, found: multiprocessing.Queue[float]) -> None:
    import pygambit
    from open_spiel.python.algorithms.gambit import export_gambit

    # Gambit asks for chances that add up to exactly one; OpenSpiel writes them as decimals.
    text = re.sub(
        r"\b0\.\d{6,}",
        lambda share: str(Fraction(share[0]).limit_denominator(10**6)),
        export_gambit(pyspiel.load_game_as_turn_based(name)),
    )
    game = pygambit.read_efg(io.StringIO(text))
    begin = time.process_time()
    pygambit.nash.lp_solve(game, use_strategic=False, rational=False)
    found.put(time.process_time() - begin)


def main() -> None:
    patience = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    solvers: dict[str, Solver] = {"here": ours, "OpenSpiel": open_spiel}
    if importlib.util.find_spec("LiteEFG") is not None:
        solvers |= {
            "LiteEFG CFR+": lite_efg("CFRplus"),
            "LiteEFG DCFR": lite_efg("DCFR"),
            "LiteEFG PCFR+": lite_efg("PCFR"),
        }
    if importlib.util.find_spec("pygambit") is not None:
        solvers["Gambit's LP"] = gambit
    print(f"{'seconds to':<42}" + "".join(f"{name:>15}" for name in solvers))
    with tempfile.TemporaryDirectory() as folder:
        games = GAMES | written(Path(folder))
        wanted = sys.argv[2] if len(sys.argv) > 2 else None
        if wanted is not None and wanted not in games:
            sys.exit(f"No game is called {wanted!r}; there are: {'; '.join(games)}.")
        compare(games if wanted is None else {wanted: games[wanted]}, solvers, patience)


def written(folder: Path) -> dict[str, str]:
    names = {}
    for label, (game, options) in OURS.items():
        path = folder / f"{game}.efg"
        path.write_text("\n".join(extensive_form(make_game(game, options), 1)), "utf-8")
        names[label] = f"efg_game(filename={path})"
    return names


def compare(games: dict[str, str], solvers: dict[str, Solver], patience: float) -> None:
    for label, name in games.items():
        found = [solve(name, patience) for solve in solvers.values()]
        for target in TARGETS:
            cells = "".join(
                f"{one[target]:>15.4f}" if target in one else f"{'more':>15}" for one in found
            )
            print(f"{label:<34}{target:8.0e}{cells}", flush=True)
        value, seconds = exactly(name)
        print(f"{'':<34}   exact {value} here in {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
