"""Which rule of regret needs the fewest iterations: `python -m bench.regret [SECONDS]`.

An iteration costs the same under every rule, so their number, unlike seconds, does not depend on
the machine. SECONDS is the patience with each rule and game.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from tests.solve.poker import Kuhn, Leduc

from trapline.games import make_game
from trapline.solve import cfr, sequences, tree
from trapline.solve.model import GameModel
from trapline.solve.regret import RULES
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.solve.interface import Certificate, Progress

TARGETS = (1e-4, 1e-6)

if TYPE_CHECKING:
    Solve = Callable[[str, float, Progress], object]


def on_public_tree(model: Any) -> Solve:
    built = tree.build(model)
    return lambda rule, until, progress: cfr.solve(
        built, target=min(TARGETS), rule=rule, deadline=until, progress=progress
    )


def on_whole_tree(path: str, **options: int) -> Solve:
    form = WholeTree(make_game(path, options), 1).form()
    return lambda rule, until, progress: sequences.by_regret(
        form, target=min(TARGETS), rule=rule, deadline=until, progress=progress
    )


GAMES: dict[str, Callable[[], Solve]] = {
    "Kuhn poker": lambda: on_public_tree(Kuhn()),
    "Leduc poker": lambda: on_public_tree(Leduc()),
    "Goofspiel, 4 cards": lambda: on_whole_tree("examples/games/goofspiel.py"),
    "Goofspiel, 5 cards": lambda: on_whole_tree("examples/games/goofspiel.py", cards=5),
    "Liar's Dice, 4 sides": lambda: on_whole_tree("examples/games/liars_dice.py"),
    "Liar's Dice, 5 sides": lambda: on_whole_tree("examples/games/liars_dice.py", sides=5),
    "Battleship": lambda: on_whole_tree("examples/games/battleship.py"),
    "Trap Builder, no walls": lambda: on_public_tree(
        GameModel(make_game("trap-builder", {"walls": False}))
    ),
    "Hidden Path, 4 steps, 2 traps": lambda: on_public_tree(
        GameModel(make_game("hidden-path", {"length": 4, "traps": 2}))
    ),
}


def iterations(solve: Solve, rule: str, patience: float) -> dict[float, int]:
    """How many iterations it took to come so near."""
    reached: dict[float, int] = {}

    def note(iteration: int, found: Certificate) -> None:
        for target in TARGETS:
            if found.exploitability <= target:
                reached.setdefault(target, iteration)

    solve(rule, time.monotonic() + patience, note)
    return reached


def main() -> None:
    patience = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    print(f"{'iterations to':<38}" + "".join(f"{rule:>10}" for rule in RULES))
    for label, prepare in GAMES.items():
        solve = prepare()
        found = [iterations(solve, rule, patience) for rule in RULES]
        for target in TARGETS:
            cells = "".join(f"{one.get(target, 'more'):>10}" for one in found)
            print(f"{label:<30}{target:8.0e}{cells}", flush=True)


if __name__ == "__main__":
    main()
