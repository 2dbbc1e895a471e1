"""Compiled lanes play by the same rules as the referee, and show the same to each seat."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.adapters.lockstep import (
    Course,
    play_beside_referee,
    play_beside_rules,
    put,
)
from tests.adapters.outside import ANY_GAME, OUTSIDE
from tests.worlds import SMALL, random_options
from trapline.adapters.vector import VectorGame
from trapline.core import GOAL, SEATS, TURN_LIMIT
from trapline.games import GAMES, find_game
from trapline.games.trap_runner.game import State as RunnerState
from trapline.games.trap_runner.words import WALLED_OFF

LANES = 2_500
WITHOUT_CHANCE = [name for name in ANY_GAME if not find_game(name).draws]


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_CHANCE)
def test_many_matches_follow_the_rules(name: str) -> None:
    games = VectorGame(name, LANES, seed=1, auto_reset=False)
    assert games.compiled, games.why_plain
    assert play_beside_rules(games) > LANES


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_lanes_follow_the_rules_under_any_options(name: str) -> None:
    rng = Random(f"options of {name}")
    for seed in range(60):
        games = _any_options(name, 40, seed, rng)
        play_beside_rules(games)


@pytest.mark.parametrize("name", ["trap-runner", "secret-paths", "numeric-maze"])
def test_a_turn_limit_ends_a_match_in_the_middle_of_anything(name: str) -> None:
    shortest = {"trap-runner": 7, "secret-paths": 2, "numeric-maze": 13}[name]
    for limit in range(shortest, shortest + 5):
        games = VectorGame(name, 200, seed=limit, auto_reset=False, turn_limit=limit)
        play_beside_rules(games)
        assert (games.reason == games.reasons.index(TURN_LIMIT)).any()


@pytest.mark.slow
@pytest.mark.parametrize("max_step", [1, 2, 3])
def test_walls_end_a_match_as_in_the_rules(max_step: int) -> None:
    """No match is known to come to two walls, so the positions are made by hand."""
    rng = Random(max_step)
    games = VectorGame(
        "trap-runner", LANES, first=1, auto_reset=False, length=12, max_step=max_step, turn_limit=30
    )
    courses = [_set_up(games, lane, rng, max_step) for lane in range(games.batch)]
    play_beside_rules(games, courses)
    assert (games.reason == games.reasons.index(WALLED_OFF)).sum() > 40
    assert (games.reason == games.reasons.index(GOAL)).sum() > 40


def _set_up(games: VectorGame, lane: int, rng: Random, max_step: int) -> Course:
    """Runners and traps on a track anyhow, one of the two behind a wall already."""
    while True:
        runs = [[rng.choice((0, 1, 0, 1, None))] * rng.randint(1, 4) for _ in range(11)]
        owners = list(enumerate(chain(*runs), 1))[:11]
        traps = [sum(1 << square for square, owner in owners if owner == me) for me in (0, 1)]
        at = rng.randrange(12), rng.randrange(12)
        back = [traps[1 - seat] >> at[seat] & 1 for seat in (0, 1)]
        ahead = [_walled(traps[1 - me], at[me] * (1 - back[me]), max_step) for me in (0, 1)]
        if sum(ahead) == 1:
            break
    none = (0, 0)
    state = RunnerState(
        rng.choice(SEATS), 0, None, at, (back[0], back[1]), (traps[0], traps[1]),
        none, none, 0, none, none,
    )  # fmt: skip
    return put(games, lane, state)


def _walled(traps: int, at: int, max_step: int) -> bool:
    """Whether so many neighbouring traps lie somewhere ahead."""
    wall = (1 << max_step) - 1
    return any(traps >> square & wall == wall for square in range(at + 1, 12))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_each_seat_sees_what_the_encoding_makes_of_its_view(name: str) -> None:
    games = VectorGame(name, 250, seed=2, auto_reset=False)
    lanes = {lane for lane, _ in play_beside_referee(games)}
    assert len(lanes) == 250


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OUTSIDE if name in WITHOUT_CHANCE])
def test_each_seat_sees_its_view_of_games_from_outside(name: str) -> None:
    games = VectorGame(name, 150, seed=2, auto_reset=False)
    assert games.compiled, games.why_plain
    assert len({lane for lane, _ in play_beside_referee(games)}) == 150


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_each_seat_sees_the_same_under_any_options(name: str) -> None:
    rng = Random(f"views of {name}")
    for seed in range(25):
        for _ in play_beside_referee(_any_options(name, 4, seed, rng)):
            pass
    small: list[Any] = SMALL[name]
    for options in small:
        for _ in play_beside_referee(VectorGame(name, 40, auto_reset=False, **options)):
            pass


@pytest.mark.parametrize("name", ANY_GAME)
def test_compiled_and_plain_lanes_play_the_same_matches(name: str) -> None:
    """Chance and all: the same seed gives the same deals, choices, states and observations."""
    compiled = VectorGame(name, 40, seed=7, first="toss")
    plain = VectorGame(name, 40, seed=7, first="toss", compiled=False)
    assert compiled.compiled, compiled.why_plain
    assert not plain.compiled
    for _ in range(12):
        _same(compiled, plain)
        actions = compiled.random_actions()
        assert np.array_equal(actions, plain.random_actions())
        for one, two in zip(compiled.step(actions), plain.step(actions), strict=True):
            assert np.array_equal(one, two)
    assert compiled.play_random(9) == plain.play_random(9)
    _same(compiled, plain)


def _same(one: VectorGame, two: VectorGame) -> None:
    for shown in ("to_act", "first", "turn", "winner", "mask", "positions"):
        assert np.array_equal(getattr(one, shown), getattr(two, shown)), shown
    for seat in (*SEATS, None):
        assert np.array_equal(one.observe(seat), two.observe(seat))
    assert [one.state(lane) for lane in range(40)] == [two.state(lane) for lane in range(40)]


def _any_options(name: str, batch: int, seed: int, rng: Random) -> VectorGame:
    options: Any = random_options(name, rng)
    if options.get("turn_limit") == 0:
        options["turn_limit"] = 300  # without a limit random play may take for ever
    first: Any = rng.choice([1, 2, "toss"])
    return VectorGame(name, batch, seed=seed, first=first, auto_reset=False, **options)
