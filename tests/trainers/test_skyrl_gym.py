"""SkyRL-Gym's text environments: init, step, metrics."""

from __future__ import annotations

import pytest

from tests.trainers.replies import GAME, OPTIONS, first_legal

skyrl_gym = pytest.importorskip("skyrl_gym", reason="bench/trainers.py installs it")

from trapline.adapters.skyrl_gym import ID  # noqa: E402 (only where SkyRL-Gym is)


def test_an_episode_by_its_rules() -> None:
    from skyrl_gym.metrics import aggregate_for_environment

    extras = {"game": GAME, "opponent": "random", "reward": "regret", "seed": 3, **OPTIONS}
    metrics = []
    for _ in range(2):
        env = skyrl_gym.make(ID, env_config={}, extras=extras)
        messages, _ = env.init([{"role": "system", "content": "Play well."}])
        assert [message["role"] for message in messages] == ["system", "user"]
        done = False
        while not done:
            step = env.step(first_legal(messages[-1]["content"]))
            messages, done = step["observations"], step["done"]
            assert -1 <= step["reward"] <= 0
            assert bool(messages) != done
        metrics.append(env.get_metrics())
        env.close()
    assert metrics[0] == metrics[1]
    assert set(aggregate_for_environment(ID, metrics)) == {"result", "regret"}


def test_an_episode_that_is_too_long_is_broken_off() -> None:
    extras = {"game": GAME, "opponent": "random", "max_turns": 2, "mistakes": 9, **OPTIONS}
    env = skyrl_gym.make(ID, extras=extras)
    env.init([])
    assert [env.step("nonsense")["done"] for _ in range(2)] == [False, True]
