"""The computer opponents."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest

from tests import leaks, worlds
from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.match import Match
from trapline.notation import turn_from_json
from trapline.players import PLAYERS

if TYPE_CHECKING:
    from trapline.core import Game, Move, Seat


def play(game: Game[Any, Any], players: dict[Seat, str], first: Seat, rng: Random) -> Match:
    match = Match(game, first)
    choose = {seat: PLAYERS[players[seat]].choose for seat in SEATS}
    if game.secret is not None:
        for seat in SEATS:
            match.choose_secret(seat, cast("tuple[int, ...]", choose[seat](match.view(seat), rng)))
    while (mover := match.to_move) is not None:
        match.play(mover, cast("Move", choose[mover](match.view(mover), rng)))
    return match


@pytest.mark.parametrize("player", ["random", "casual", "sharp"])
@pytest.mark.parametrize("name", GAMES)
def test_plays_any_options_to_the_end(name: str, player: str) -> None:
    rng = Random(f"{name} {player}")
    for _ in range(3 if player == "sharp" else 40):
        # What is large takes long to solve, or is beyond it.
        small = player == "perfect" and name == "hidden-path"
        options = rng.choice(worlds.SMALL[name]) if small else worlds.random_options(name, rng)
        game = make_game(name, options)
        assert play(game, {1: player, 2: player}, 1, rng).outcome is not None


@pytest.mark.parametrize("name", GAMES)
def test_perfect_plays_small_options_to_the_end(name: str) -> None:
    rng = Random(name)
    for options in worlds.SMALL[name]:
        game = make_game(name, options)
        for first in SEATS:
            assert play(game, {1: "perfect", 2: "casual"}, first, rng).outcome is not None


def test_perfect_plays_what_is_too_large_to_solve_like_sharp() -> None:
    game = make_game("hidden-path", {"length": 30})
    rng = Random(3)
    assert play(game, {1: "perfect", 2: "random"}, 1, rng).outcome is not None


def score(name: str, better: str, worse: str, matches: int) -> float:
    """The mean result of one level against another, seats and first move alternating."""
    rng = Random(f"{name} {better} {worse}")
    total = 0
    for number in range(matches):
        seat: Seat = 1 if number % 2 else 2
        players: dict[Seat, str] = {1: worse, 2: worse}
        players[seat] = better
        match = play(make_game(name), players, 1 if number % 4 < 2 else 2, rng)
        assert match.outcome is not None
        total += (match.outcome.winner == seat) - (match.outcome.winner == 3 - seat)
    return total / matches


@pytest.mark.parametrize("name", GAMES)
def test_casual_is_at_least_as_good_as_random(name: str) -> None:
    # Trap Builder between a beginner and a casual player is mostly luck.
    assert score(name, "casual", "random", 600) > (0.0 if name == "trap-builder" else 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_sharp_is_at_least_as_good_as_casual(name: str) -> None:
    # Level play would stay above this; Secret Paths is mostly drawn, and its matches are long.
    matches = 20 if name == "secret-paths" else 60
    assert score(name, "sharp", "casual", matches) > -0.2


@pytest.mark.parametrize("player", ["random", "casual", "sharp"])  # perfect: tests/solve
@pytest.mark.parametrize("name", [name for name in GAMES if name != "numeric-maze"])
def test_chooses_the_same_in_worlds_it_cannot_tell_apart(name: str, player: str) -> None:
    rng = Random(f"same {name} {player}")
    game = make_game(name)
    choose = PLAYERS[player].choose
    compared = 0
    while compared < 60:
        record = worlds.random_record(game, rng, rng.randint(2, 10))
        first: Seat = record["first"]
        turns = [turn_from_json(game, value) for value in record["moves"]]
        secrets = {seat: tuple(record.get("secrets", {}).get(str(seat), ())) for seat in SEATS}
        mover: Seat = first if len(turns) % 2 == 0 else SEATS[2 - first]
        rival = SEATS[2 - mover]
        if game.secret is not None:
            other_world = {**secrets, rival: game.random_secret(rival, rng)}
            other_turns = turns
        else:
            other_world = secrets
            other_turns = [
                turn[:1] if len(turn) == 2 and (index % 2 == 0) == (rival == first) else turn
                for index, turn in enumerate(turns)
            ]
        try:
            known = leaks.seen(game, first, secrets, turns, (), mover)
            if known != leaks.seen(game, first, other_world, other_turns, (), mover):
                continue
        except AssertionError:
            continue
        if known[0] == "over":
            continue
        seed = rng.random()
        choices = []
        for world, history in ((secrets, turns), (other_world, other_turns)):
            match = Match(game, first)
            if game.secret is not None:
                for seat in SEATS:
                    match.choose_secret(seat, world[seat])
            for turn in history:
                assert match.to_move is not None
                seat = match.to_move
                match.play(seat, *turn)
                if match.view(seat).asks == "trap":
                    match.play(seat, "n")
            choices.append(choose(match.view(mover), Random(seed)))
        assert choices[0] == choices[1]
        compared += 1
