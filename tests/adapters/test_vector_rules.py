"""The lanes play by the same rules as the referee, and show the same to each seat."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.adapters.lockstep import play_beside_rules, play_beside_tables
from tests.worlds import SMALL, random_options
from trapline.adapters.vector import VectorGame
from trapline.games import GAMES

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


@pytest.mark.parametrize("name", GAMES)
def test_each_seat_sees_what_the_encoding_makes_of_its_view(name: str) -> None:
    games = VectorGame(name, 300, seed=2, auto_reset=False)
    lanes = {lane for lane, _ in play_beside_tables(games)}
    assert len(lanes) == 300


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
