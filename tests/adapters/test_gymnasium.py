"""Gymnasium's own check, the seats, the bots and what an illegal action costs."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.adapters.outside import ANY_GAME
from trapline.adapters.gymnasium import TraplineEnv, environment_id
from trapline.core import OptionsError, TraplineError
from trapline.games import GAMES
from trapline.players import PLAYERS


def play(env: Any, seed: int | None = None) -> tuple[float, dict[str, Any]]:
    """Random legal play to the end: the last reward and info."""
    _, info = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        assert reward == 0
        legal = np.flatnonzero(info["action_mask"])
        assert len(legal) > 0
        _, reward, over, truncated, info = env.step(env.np_random.choice(legal))
        assert not truncated
    return reward, info


def make(name: str, **settings: Any) -> Any:
    if name in GAMES:
        return gymnasium.make(environment_id(name), **settings)
    return gymnasium.make("trapline/Game-v0", game=name, **settings)


@pytest.mark.parametrize("name", ANY_GAME)
def test_passes_the_check_that_comes_with_gymnasium(name: str) -> None:
    check_env(make(name, render_mode="ansi").unwrapped)


def test_the_names_are_those_of_the_interface() -> None:
    assert [environment_id(name) for name in GAMES] == [
        "trapline/HiddenPath-v0",
        "trapline/TrapBuilder-v0",
        "trapline/TrapRunner-v0",
        "trapline/SecretPaths-v0",
        "trapline/NumericMaze-v0",
    ]


SMALL: dict[str, Any] = {
    "hidden-path": {"length": 4, "traps": 1},
    "trap-builder": {"length": 5, "traps": 1},
    "trap-runner": {"length": 5, "turn_limit": 20},
    "secret-paths": {"size": 3, "turn_limit": 10},
    "numeric-maze": {"length": 6, "traps": [3], "turn_limit": 30},
}


@pytest.mark.parametrize("opponent", PLAYERS)
@pytest.mark.parametrize("name", ANY_GAME)
def test_every_bot_plays_to_the_end(name: str, opponent: str) -> None:
    env = make(name, opponent=opponent, **SMALL.get(name, {}))
    for seed in range(4):
        reward, info = play(env, seed)
        outcome = env.unwrapped.numbered.outcome
        assert reward == outcome.result(info["seat"])


@pytest.mark.parametrize("seat", [1, 2])
def test_the_reward_is_for_ones_own_seat(seat: int) -> None:
    env = TraplineEnv("numeric-maze", opponent="random", seat=seat)  # type: ignore[arg-type]
    for seed in range(10):
        reward, info = play(env, seed)
        assert info["seat"] == seat
        winner = env.numbered.outcome
        assert winner is not None
        assert reward == (1.0 if winner.winner == seat else -1.0)


def test_seats_alternate_or_are_drawn_by_lot() -> None:
    env = TraplineEnv("numeric-maze", seat="alternate")
    assert [play(env, 7 if i == 0 else None)[1]["seat"] for i in range(4)] == [1, 2, 1, 2]
    env = TraplineEnv("numeric-maze")
    assert {play(env, seed)[1]["seat"] for seed in range(12)} == {1, 2}


def test_a_seed_repeats_an_episode() -> None:
    env = TraplineEnv("hidden-path", opponent="casual")
    for seed in range(3):
        one, two = play(env, seed), play(env, seed)
        assert one[0] == two[0]
        assert env.numbered.match.sealed_record().moves


def test_an_illegal_action_loses() -> None:
    env = TraplineEnv("hidden-path", seat=1)
    _, info = env.reset(seed=1)
    assert info["action_mask"][0] == 0
    _, reward, over, truncated, info = env.step(0)
    assert (reward, over, truncated) == (-1.0, True, False)
    assert "no legal action" in info["refused"]


def test_masks_are_there_as_maskable_ppo_asks_for_them() -> None:
    env = TraplineEnv("hidden-path", opponent="random")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert env.action_masks().dtype == np.bool_
        assert np.array_equal(env.action_masks(), info["action_mask"])
        _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
    assert env.action_masks().all()  # nothing is asked any more, and something can be drawn


def test_what_cannot_be_had_is_refused_with_a_sentence() -> None:
    with pytest.raises(TraplineError, match="no opponent 'grandmaster'; there are random"):
        TraplineEnv("hidden-path", opponent="grandmaster")
    with pytest.raises(OptionsError, match="seat must be 1, 2"):
        TraplineEnv("hidden-path", seat=3)  # type: ignore[arg-type]


def test_what_is_rendered_hides_the_secrets_until_the_end() -> None:
    env = TraplineEnv("hidden-path", seat=1, first=1, render_mode="ansi")
    env.reset(seed=1)
    for place in (3, 4, 5):
        env.step(2 + place)
    text = env.render()
    assert text is not None
    assert "trap" not in text
    play(env, 1)
    assert "trap" in (env.render() or "")
