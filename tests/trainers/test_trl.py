"""TRL's `environment_factory`, without TRL: what it asks of an environment, and that it plays."""

from __future__ import annotations

import inspect
import pickle

import pytest

from tests.trainers.replies import GAME, OPTIONS, first_legal
from trapline.adapters.trl import environment_factory


def test_the_only_tool_is_play_and_every_argument_is_described() -> None:
    """What GRPOTrainer does with an instance: every public function but two is a tool."""
    made = environment_factory(GAME, **OPTIONS)()
    members = inspect.getmembers(type(made), predicate=inspect.isfunction)
    assert [n for n, _ in members if n[0] != "_" and n not in ("reset", "get_reward")] == ["play"]


@pytest.mark.parametrize("reward", ["result", "regret"])
def test_a_rollout_is_a_match_and_the_environment_owns_its_reward(reward: str) -> None:
    factory = environment_factory(GAME, opponent="random", reward=reward, **OPTIONS)
    made = pickle.loads(pickle.dumps(factory))()  # noqa: S301 (our own) - workers get it so
    rewards = []
    for _ in range(2):
        text = made.reset(prompt="ignored", seed=4)
        for _ in range(20):
            text = made.play(answer=first_legal(text))
        rewards.append(made.get_reward())
        assert "wins the game" in text
    assert rewards[0] == rewards[1]
    assert -1 <= rewards[0] <= 1
