"""The lanes play by the same rules as the referee, and show the same to each seat."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest

from tests.adapters.lockstep import Course, play_beside_rules, play_beside_tables
from tests.worlds import SMALL, random_options
from trapline.adapters.vector import REASONS, VectorGame, kernels
from trapline.core import SEATS, Reason
from trapline.games import GAMES
from trapline.games.trap_runner import State as RunnerState

LANES = 100_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_hundred_thousand_matches_follow_the_rules(name: str) -> None:
    games = VectorGame(name, LANES, seed=1, auto_reset=False)
    assert play_beside_rules(games) > LANES


@pytest.mark.parametrize("name", GAMES)
def test_lanes_follow_the_rules_under_any_options(name: str) -> None:
    rng = Random(f"options of {name}")
    for seed in range(60):
        games = _any_options(name, 40, seed, rng)
        play_beside_rules(games)


@pytest.mark.parametrize("name", ["trap-runner", "secret-paths", "numeric-maze"])
def test_a_turn_limit_ends_a_match_in_the_middle_of_anything(name: str) -> None:
    for limit in (1, 2, 3, 6, 7):
        games = VectorGame(name, 200, seed=limit, auto_reset=False, turn_limit=limit)
        play_beside_rules(games)
        assert (games.reason == REASONS.index(Reason.TURN_LIMIT)).any()


@pytest.mark.parametrize("max_step", [1, 2, 3])
def test_walls_end_a_match_as_in_the_rules(max_step: int) -> None:
    """No match is known to come to two walls, so the positions are made by hand."""
    rng = Random(max_step)
    games = VectorGame(
        "trap-runner", 800, first=1, auto_reset=False, length=12, max_step=max_step, turn_limit=30
    )
    courses = [_set_up(games, lane, rng) for lane in range(games.batch)]
    play_beside_rules(games, courses)
    assert (games.reason == REASONS.index(Reason.WALLED_OFF)).sum() > 100
    assert (games.reason == REASONS.index(Reason.GOAL)).sum() > 100


def _set_up(games: VectorGame, lane: int, rng: Random) -> Course:
    """Put runners and traps on a track anyhow, in the lane and in the referee's own state."""
    game = games._lanes[lane]
    runs = [[rng.choice((0, 1, 0, 1, None))] * rng.randint(1, 4) for _ in range(11)]
    owners = list(enumerate(chain(*runs), 1))[:11]
    rng.shuffle(owners)
    traps = [0, 0]
    for square, owner in owners:
        if owner is not None:
            traps[owner] |= 1 << square
            kernels.lay_trap(games._rules, game, owner, square)
    at = rng.randrange(12), rng.randrange(12)
    back = tuple(int(bool(traps[1 - seat] >> at[seat] & 1)) for seat in (0, 1))
    mover = rng.choice(SEATS)
    game["at"], game["back"], game["to_act"] = at, back, mover
    kernels.write_mask(games._rules, game, games._mask, lane)
    state = RunnerState(mover, 0, None, at, back, (traps[0], traps[1]), (0, 0), (0, 0), 0)  # type: ignore[arg-type]
    return Course(1, ((), ()), state, False)


@pytest.mark.parametrize("name", GAMES)
def test_each_seat_sees_what_the_encoding_makes_of_its_view(name: str) -> None:
    games = VectorGame(name, 2_000, seed=2, auto_reset=False)
    lanes = {lane for lane, _ in play_beside_tables(games)}
    assert len(lanes) == 2_000


@pytest.mark.parametrize("name", GAMES)
def test_each_seat_sees_the_same_under_any_options(name: str) -> None:
    rng = Random(f"views of {name}")
    for seed in range(25):
        for _ in play_beside_tables(_any_options(name, 4, seed, rng)):
            pass
    small: list[Any] = SMALL[name]
    for options in small:
        for _ in play_beside_tables(VectorGame(name, 40, auto_reset=False, **options)):
            pass


def _any_options(name: str, batch: int, seed: int, rng: Random) -> VectorGame:
    options: Any = random_options(name, rng)
    if options.get("turn_limit") == 0:
        options["turn_limit"] = 300  # without a limit random play may take for ever
    first: Any = rng.choice([1, 2, "toss"])
    return VectorGame(name, batch, seed=seed, first=first, auto_reset=False, **options)
