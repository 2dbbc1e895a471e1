"""GEM's own ways to make, step and vectorise environments."""

from __future__ import annotations

import pytest

from tests.trainers.replies import GAME, OPTIONS, first_legal

gem = pytest.importorskip("gem.envs.registration", reason="bench/trainers.py installs it")

from trapline.adapters.gem import ID  # noqa: E402 (only where GEM is)


def test_an_episode_by_its_rules() -> None:
    env = gem.make(ID, game=GAME, opponent="random", reward="regret", **OPTIONS)
    told = []
    for _ in range(2):
        text, info = env.reset(seed=3)
        story, over = [text], False
        while not over:
            text, reward, over, truncated, info = env.step(first_legal(text))
            assert -1 <= reward <= 0
            assert not truncated
            story.append(text)
        assert info["result"] in (-1.0, 0.0, 1.0)
        told.append(story)
    assert told[0] == told[1]


def test_random_actions_end_an_episode_and_spawned_ones_go_on_alone() -> None:
    env = gem.make(ID, game=GAME, opponent="random", **OPTIONS)
    env.reset(seed=1)
    env.step(env.sample_random_action())
    twin, fresh = env.spawn(same_state=True), env.spawn(seat=2)
    assert "You are Player 2" in fresh.reset(seed=1)[0]
    over = False
    while not over:
        over = env.step(env.sample_random_action())[2]
    assert not twin.step("nonsense")[2]


def test_its_own_loop_over_a_vector_of_environments(capsys: pytest.CaptureFixture[str]) -> None:
    from gem.utils.debug import run_and_print_episode

    made = {"game": GAME, "opponent": "random", **OPTIONS}
    envs = gem.make_vec([ID] * 3, vec_kwargs=[made] * 3)
    run_and_print_episode(envs, lambda texts: [first_legal(text) for text in texts], max_steps=20)
    assert "terminated:" in capsys.readouterr().out
