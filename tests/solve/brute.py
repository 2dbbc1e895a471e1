"""The value of a game by brute force: every line before the real referee, and one linear program.

It shares nothing with the solver. What a seat knows is its View, byte by byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from tests.solve.programs import Form

from trapline.core import OptionsError, Seat
from trapline.games import make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game


class TooLong(Exception):
    """There are more lines than one wants to play."""


def value_of(game: Game[Any], first: Seat = 1, most: int = 20_000) -> float:
    """What Player 1 can expect with best play; TooLong after so many positions."""
    form, nodes = Form(), 0
    left: list[tuple[Match, tuple[int, int], float]] = [
        (Match(game, first, deals=False), (0, 0), 1)
    ]
    while left:
        match, last, chance = left.pop()
        nodes += 1
        if nodes > most:
            raise TooLong
        drawn = match.chance
        if match.outcome is not None:
            form.end(last, chance * match.outcome.result(1))
        elif drawn is not None:
            whole = sum(drawn.weights)
            for answer, weight in zip(drawn.answers, drawn.weights, strict=True):
                after = match.fork()
                after.deal(answer.value)
                left.append((after, last, chance * weight / whole))
        else:
            seat = match.asked[0]
            question = match.question(seat)
            assert question is not None
            answers = [question.record(value) for value in question.values()]
            known = msgspec.json.encode(match.view(seat))
            sequences = form.choices(seat - 1, known, answers, last)
            for record, now in zip(answers, sequences, strict=True):
                after = match.fork()
                after.play(seat, record)
                left.append((after, now, chance))
    return form.value()


GAMES = ("hidden-path", "trap-builder", "trap-runner", "secret-paths", "numeric-maze")
EXAMPLES = ("kuhn", "nim", "goofspiel", "liars_dice", "battleship", "phantom")


def small_game(rng: Random) -> tuple[str, dict[str, Any]]:
    """A game with options that leave few lines, drawn at random."""
    while True:
        name = rng.choice((*GAMES, f"examples/games/{rng.choice(EXAMPLES)}.py"))
        options = _options(name, rng)
        try:
            make_game(name, options)
        except OptionsError:
            continue
        return name, options


def _options(name: str, rng: Random) -> dict[str, Any]:
    length = rng.randint(2, 5)
    steps = {"length": length, "max_step": rng.randint(1, 3)}
    limit = {"turn_limit": rng.randint(1, 8)}
    if name == "hidden-path":
        hidden = {"goal_traps": rng.random() < 0.5, "walls": rng.random() < 0.5}
        return {**steps, "length": rng.randint(1, 4), "traps": rng.randint(1, 2), **hidden}
    if name == "trap-builder":
        trigger = rng.choice(["landing", "passing"])
        return {
            **steps,
            "traps": rng.randint(1, 3),
            "trigger": trigger,
            "walls": rng.random() < 0.5,
        }
    if name == "trap-runner":
        return {**steps, "length": rng.randint(2, 4), **limit}
    if name == "secret-paths":
        return {"size": rng.choice([3, 3, 5]), "turn_limit": rng.randint(1, 3)}
    if name == "numeric-maze":
        traps = [trap for trap in range(1, length) if rng.random() < 0.3]
        return {**steps, "traps": traps, **limit}
    return _example_options(name, rng)


def _example_options(name: str, rng: Random) -> dict[str, Any]:
    if "nim" in name:
        piles = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        return {"piles": piles, "misere": rng.random() < 0.5}
    if "goofspiel" in name:
        return {"cards": rng.randint(2, 3)}
    if "liars" in name:
        return {"sides": rng.randint(2, 3)}
    if "battleship" in name:
        return {"size": 2, "shots": rng.randint(1, 2)}
    if "phantom" in name:
        size = rng.randint(2, 3)
        return {"size": size, "row": rng.randint(2, size), "turns": rng.randint(3, 8 - size)}
    return {}
