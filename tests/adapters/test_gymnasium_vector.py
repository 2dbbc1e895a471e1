"""Many matches as one environment of Gymnasium: its conventions, and the seats' own results."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from tests.adapters.outside import KUHN
from trapline.adapters.gymnasium import TraplineEnv, environment_id
from trapline.adapters.gymnasium_vector import TraplineVectorEnv
from trapline.core import OptionsError, TraplineError
from trapline.games import GAMES

SMALL: dict[str, Any] = {"length": 4, "traps": 1}


def legal(masks: Any, rng: Any) -> Any:
    """One allowed action for each lane."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hidden-path", "trap-runner", "secret-paths", KUHN])
def test_make_vec_makes_it_and_observations_lie_in_their_space(name: str) -> None:
    made = environment_id(name) if name in GAMES else "trapline/Game-v0"
    given: dict[str, Any] = {} if name in GAMES else {"game": name}
    envs = gymnasium.make_vec(made, num_envs=12, opponent="random", **given)
    assert isinstance(envs.unwrapped, TraplineVectorEnv)
    rng = np.random.default_rng(1)
    seen, info = envs.reset(seed=1)
    ends = 0
    for _ in range(40):
        assert seen in envs.observation_space
        assert seen[0] in envs.single_observation_space
        seen, rewards, ended, cut, info = envs.step(legal(info["action_mask"], rng))
        assert not cut.any()
        assert not rewards[~ended].any()
        ends += int(ended.sum())
    assert ends > 5


@pytest.mark.slow
def test_each_lane_is_what_the_single_environment_is() -> None:
    """The agent's own View, mask and result, beside a referee that takes the same actions."""
    envs = TraplineVectorEnv(
        "trap-builder", 16, opponent="random", autoreset_mode="Disabled", length=5, traps=1
    )
    rng = np.random.default_rng(2)
    seen, info = envs.reset(seed=4)
    ended, rewards = np.zeros(16, np.bool_), np.zeros(16)
    while not ended.any():
        for lane in range(16):
            seat: Any = int(envs.seats[lane])
            assert envs.games.to_act[lane] == seat
            assert (seen[lane] == envs.games.observe(seat)[lane]).all()
            assert envs.games.state(lane).outcome is None
        seen, rewards, ended, _, info = envs.step(legal(info["action_mask"], rng))
    for lane in np.flatnonzero(ended).tolist():
        seat = int(envs.seats[lane])
        assert rewards[lane] == envs.games.state(lane).outcome.result(seat)
        assert (seen[lane] == envs.games.observe(seat)[lane]).all()
        assert info["action_mask"][lane].all()
    single = TraplineEnv("trap-builder", opponent="random", length=5, traps=1)
    assert single.observation_space == envs.single_observation_space
    assert single.action_space == envs.single_action_space


def play(envs: Any, steps: int, seed: int = 1) -> list[Any]:
    rng = np.random.default_rng(seed)
    seen, info = envs.reset(seed=seed)
    story: list[Any] = [(seen, info)]
    for _ in range(steps):
        story.append(envs.step(legal(info["action_mask"], rng)))
        info = story[-1][4]
    return story


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_seed_repeats_everything(mode: str) -> None:
    envs = TraplineVectorEnv("hidden-path", 6, opponent="casual", autoreset_mode=mode, **SMALL)
    for one, two in zip(play(envs, 25), play(envs, 25), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one[:-1], two[:-1], strict=True))


def test_next_step_begins_anew_with_the_next_action_whatever_it_is() -> None:
    envs = TraplineVectorEnv("hidden-path", 8, opponent="random", **SMALL)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    story = play(envs, 60)
    begun = 0
    for before, after in pairwise(story[1:]):
        for lane in np.flatnonzero(before[2]):
            assert not after[2][lane]
            assert after[1][lane] == 0
            assert after[0][lane, envs.encoding.layout["turn"]] == 0
            assert not after[0][lane, envs.encoding.layout["result"]].any()
            begun += 1
    assert begun > 10


def test_same_step_hands_over_the_last_observation() -> None:
    envs = TraplineVectorEnv(
        "hidden-path", 8, opponent="random", autoreset_mode=AutoresetMode.SAME_STEP, **SMALL
    )
    finals = 0
    result = envs.encoding.layout["result"]
    for seen, rewards, ended, _, info in play(envs, 60)[1:]:
        assert not seen[:, result].any()
        assert ended.any() == ("final_obs" in info)
        for lane in np.flatnonzero(ended):
            assert info["_final_obs"][lane]
            won, _, lost = info["final_obs"][lane, result]
            assert won - lost == rewards[lane]
            assert info["final_info"]["action_mask"][lane].all()
            finals += 1
    assert finals > 10


def test_without_autoreset_lanes_are_begun_anew_by_a_mask() -> None:
    envs = TraplineVectorEnv(
        "hidden-path", 8, opponent="random", autoreset_mode="Disabled", **SMALL
    )
    rng = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    ended = np.zeros(8, np.bool_)
    while not ended.any():
        seen, _, ended, _, info = envs.step(legal(info["action_mask"], rng))
    with pytest.raises(TraplineError, match="is over: begin anew with reset"):
        envs.step(legal(info["action_mask"], rng))
    before = seen.copy()
    seen, _ = envs.reset(options={"reset_mask": ended})
    assert np.array_equal(seen[~ended], before[~ended])
    assert not seen[ended][:, envs.encoding.layout["result"]].any()
    envs.step(legal(envs.action_masks(), rng))


def test_an_illegal_action_loses_its_lane_alone() -> None:
    envs = TraplineVectorEnv("hidden-path", 3, opponent="random", seat=1)
    _, info = envs.reset(seed=1)
    actions = legal(info["action_mask"], np.random.default_rng(1))
    actions[1] = 0  # a step, while a trap is asked for
    _, rewards, ended, _, info = envs.step(actions)
    assert rewards.tolist() == [0, -1, 0]
    assert ended.tolist() == [False, True, False]
    assert "no legal action in lane 1" in info["refused"][1]
    assert info["_refused"].tolist() == [False, True, False]
    assert info["action_mask"][1].all()
    _, rewards, ended, _, _ = envs.step(legal(info["action_mask"], np.random.default_rng(1)))
    assert not rewards.any()
    assert not ended.any()


@pytest.mark.parametrize("name", ["hidden-path", KUHN])
def test_every_level_plays_in_one_batch(name: str) -> None:
    """Those who think are shown Views; in Kuhn poker they must be dealt what the lane was dealt."""
    levels = ["random", "casual", "sharp", "perfect"] * 2
    options = SMALL if name in GAMES else {}
    envs = TraplineVectorEnv(name, 8, opponent=levels, autoreset_mode="SameStep", **options)
    ended = sum(step[2] for step in play(envs, 30)[1:])
    assert (ended > 0).all()


@pytest.mark.slow
def test_perfect_does_not_lose_what_random_loses() -> None:
    """Trap Builder with a trap each is won by Player 2: `perfect` there gives away nothing."""
    levels = ["perfect"] * 30 + ["random"] * 30
    envs = TraplineVectorEnv(
        "trap-builder", 60, opponent=levels, seat=1, autoreset_mode="SameStep", length=3, traps=1
    )
    total = sum(step[1] for step in play(envs, 40)[1:])
    assert total[:30].sum() < total[30:].sum()


@pytest.mark.slow
def test_seats_alternate_are_fixed_or_drawn() -> None:
    envs = TraplineVectorEnv("numeric-maze", 3, opponent="random", seat="alternate")
    envs.reset(seed=1)
    assert envs.seats.tolist() == [1, 1, 1]
    envs.reset()
    assert envs.seats.tolist() == [2, 2, 2]
    envs = TraplineVectorEnv("numeric-maze", 60, opponent="random")
    envs.reset(seed=1)
    assert set(envs.seats) == {1, 2}


def test_wrappers_for_vectors_take_it() -> None:
    envs = TraplineVectorEnv(
        "hidden-path", 4, opponent="random", autoreset_mode="SameStep", **SMALL
    )
    wrapped = RecordEpisodeStatistics(envs)
    lengths = [step[4]["episode"]["l"] for step in play(wrapped, 30) if "episode" in step[-1]]
    assert lengths
    _, infos = DictInfoToList(envs).reset(seed=1)
    assert [len(info["action_mask"]) for info in infos] == [envs.encoding.actions] * 4


@pytest.mark.parametrize("dtype", ["uint8", "bits"])
def test_other_forms_have_other_spaces(dtype: Any) -> None:
    envs = TraplineVectorEnv("secret-paths", 3, opponent="random", dtype=dtype, threads=2)
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space
    assert seen.dtype == envs.games.form.dtype


def test_what_cannot_be_had_is_refused_with_a_sentence() -> None:
    with pytest.raises(TraplineError, match="no opponent 'grandmaster'; there are random"):
        TraplineVectorEnv("hidden-path", 2, opponent="grandmaster")
    with pytest.raises(TraplineError, match="names 3 players for 2 lanes"):
        TraplineVectorEnv("hidden-path", 2, opponent=["random"] * 3)
    with pytest.raises(OptionsError, match="seat must be 1, 2"):
        TraplineVectorEnv("hidden-path", 2, seat=3)  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match="not rendered"):
        TraplineVectorEnv("hidden-path", 2, render_mode="human")  # type: ignore[arg-type]
    envs = TraplineVectorEnv("hidden-path", 2, opponent="random")
    envs.reset(seed=1)
    with pytest.raises(TraplineError, match="2 whole numbers"):
        envs.step([1.5, 2.5])
