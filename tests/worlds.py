"""Random options, matches and records for the tests to throw at the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests import rules
from trapline.core import SEATS, OptionsError
from trapline.games import GAMES, changed_options, make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game

SMALL: dict[str, list[dict[str, object]]] = {
    "hidden-path": [
        {"length": 3, "traps": 1, "max_step": 2},
        {"length": 3, "traps": 2, "max_step": 1},
        {"length": 4, "traps": 1, "max_step": 2, "goal_traps": False},
    ],
    "trap-builder": [
        {"length": 4, "traps": 1, "max_step": 2},
        {"length": 5, "traps": 2, "max_step": 3, "trigger": "passing"},
        {"length": 6, "traps": 2, "max_step": 2, "walls": False},
    ],
    "trap-runner": [
        {"length": 4, "max_step": 2},
        {"length": 5, "max_step": 2, "turn_limit": 7},
    ],
    "secret-paths": [{"size": 3, "turn_limit": 3}],
    "numeric-maze": [{"length": 5, "traps": [2, 3], "max_step": 3, "turn_limit": 6}],
}
"""Options small enough to visit every match there is."""


def random_options(name: str, rng: Random) -> dict[str, object]:
    """Options that make a game, small and large ones."""
    while True:
        options = _guess_options(name, rng)
        try:
            make_game(name, options)
        except OptionsError:
            continue
        return options


def _guess_options(name: str, rng: Random) -> dict[str, object]:
    length = rng.choice([rng.randint(1, 6), rng.randint(5, 15), rng.randint(10, 40)])
    guess: dict[str, object] = {
        "length": length,
        "traps": rng.randint(1, 6),
        "max_step": rng.randint(1, 5),
        "goal_traps": rng.random() < 0.5,
        "walls": rng.random() < 0.5,
        "trigger": rng.choice(["landing", "passing"]),
        "turn_limit": rng.choice([0, 5, 50, 200]),
        "size": rng.choice([3, 5, 7, 9]),
    }
    if name == "numeric-maze":
        places = range(1, length)
        guess["traps"] = sorted(rng.sample(places, min(len(places), rng.randint(0, 4))))
        # Without a limit a walled maze would never end.
        guess["turn_limit"] = rng.choice([5, 50, 200])
    known = GAMES[name].options_type.__struct_fields__
    if name == "secret-paths":
        guess["turn_limit"] = rng.choice([5, 50, 200])
    return {option: value for option, value in guess.items() if option in known}


def random_record(game: Game[Any], rng: Random, turns: int | None = None) -> dict[str, Any]:
    """A record of random play, to the end or for a number of turns."""
    secrets = rules.random_secrets(game, rng)
    first = rng.choice(SEATS)
    state = rules.start(game, first, secrets)
    moves: list[Any] = []
    while state.outcome is None and (turns is None or len(moves) < turns):
        now = state.turn
        turn: list[Any] = []
        while state.turn == now:
            turn.append(rng.choice(rules.legal(game, state)))
            state = rules.answer(game, state, turn[-1])
        moves.append(game.write_turn(tuple(turn)))
    record: dict[str, Any] = {
        "game": game.name,
        "options": changed_options(game),
        "first": first,
        "moves": moves,
    }
    if secrets:
        record["secrets"] = {str(seat): list(secret) for seat, secret in secrets.items()}
    return record


def random_match(game: Game[Any], rng: Random) -> Match:
    """A finished match of random play, made through the referee."""
    match = Match(game, rng.choice(SEATS), rng=rng)
    play_randomly(match, rng)
    return match


def play_randomly(match: Match, rng: Random) -> None:
    """Any allowed answers to the end."""
    while match.outcome is None:
        seat = rng.choice(match.asked)
        question = match.question(seat)
        assert question is not None
        match.play(seat, question.record(question.random(rng)))
