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

from trapline.games import make_game
from trapline.solve import cfr, tree
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Seat, Secret

MOST_NODES = 1_500_000
ITERATIONS = 20


def extensive_form(game: Game[Any, Any]) -> str:
    """The game tree as Gambit writes it: secrets are moves that the other does not see."""
    infosets: dict[Any, int] = {}
    counts = {1: 0, 2: 0}

    def node(seat: Seat, key: Any, actions: list[str]) -> str:
        if (seat, key) not in infosets:
            counts[seat] += 1
            infosets[seat, key] = counts[seat]
        names = " ".join(f'"{action}"' for action in actions)
        return f'p "" {seat} {infosets[seat, key]} "" {{ {names} }} 0'

    def moves(state: Any, secrets: dict[Seat, Secret], seen: tuple[int, ...]) -> Iterator[str]:
        if state.outcome is not None:
            won = state.outcome.winner == 1
            yield f't "" {1 if won else 2} "" {{ {1 if won else -1} {-1 if won else 1} }}'
            return
        legal = list(game.legal(state))
        yield node(state.mover, (secrets[state.mover], seen), [str(move) for move in legal])
        for move in legal:
            yield from moves(game.apply(state, move), secrets, (*seen, move))

    def lines() -> Iterator[str]:
        yield 'EFG 2 R "Trap Builder" { "1" "2" }'
        chosen: dict[Seat, list[Secret]] = {1: list(game.secrets(1)), 2: list(game.secrets(2))}
        names = {seat: [" ".join(map(str, s)) for s in chosen[seat]] for seat in chosen}
        yield node(1, "secret", names[1])
        for one in chosen[1]:
            yield node(2, "secret", names[2])
            for two in chosen[2]:
                yield from moves(game.start(1, {1: one, 2: two}), {1: one, 2: two}, ())

    return "\n".join(lines()) + "\n"


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


def our_iteration(game: Game[Any, Any]) -> float:
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
        text = extensive_form(game) if length <= 8 else ""
        nodes = text.count("\n")
        if not 0 < nodes <= MOST_NODES:
            print(f"  length {length:2}: {ours:.6f} here; too large to spell out")
            continue
        theirs = open_spiel_iteration(text)
        print(
            f"  length {length:2}: {ours:.6f} here, {theirs:.6f} there ({nodes} nodes), "
            f"{theirs / ours:.1f} times as long"
        )


if __name__ == "__main__":
    main()
