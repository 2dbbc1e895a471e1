"""Random play through the rules, on one core, beside a bare Python call loop."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, SECRET
from trapline.games import GAMES, make_game

if TYPE_CHECKING:
    from trapline.core import Game

TURNS = 400_000
ROUNDS = 3


def nothing() -> None:
    """The reference: what one call of a function costs here."""


def calls_per_second(calls: int = 5_000_000) -> float:
    begun = time.perf_counter()
    for _ in range(calls):
        nothing()
    return calls / (time.perf_counter() - begun)


def turns_per_second(game: Game[Any], rng: Random) -> float:
    """A question, one of its answers, the state after it; a new match when one is over."""
    ask, apply, draw = game.question, game.apply, rng.random
    opening = game.start(1)
    for seat in SEATS:
        question = game.question(opening, seat)
        if question is not None and question.asks == SECRET:
            opening = game.apply(opening, seat, question.random(rng))
    turns = 0
    begun = time.perf_counter()
    while turns < TURNS:
        state = opening
        while state.outcome is None:
            mover = state.mover
            answers = ask(state, mover).answers  # type: ignore[union-attr]  # the mover is asked
            state = apply(state, mover, answers[int(draw() * len(answers))].value)
        turns += state.turn
    return turns / (time.perf_counter() - begun)


def main() -> None:
    print("Random play through the rules (question + apply), one core, best of three")
    print(f"{'game':<14} {'turns/s':>10}   one turn costs")
    for name in GAMES:
        game, rng = make_game(name), Random(1)
        best, calls = 0.0, 0.0
        for _ in range(ROUNDS):
            best = max(best, turns_per_second(game, rng))
            calls = max(calls, calls_per_second())
        print(f"{name:<14} {best:>10,.0f}   {calls / best:>5.1f} bare calls")
    print()
