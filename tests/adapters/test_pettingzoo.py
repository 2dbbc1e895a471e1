"""PettingZoo's own checks, and what they do not look for."""

from __future__ import annotations

import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from tests import worlds
from tests.adapters import spec
from tests.adapters.outside import ANY_GAME, OUTSIDE
from trapline.adapters.pettingzoo import TraplineAEC, env
from trapline.core import OptionsError
from trapline.games import GAMES, make_game
from trapline.testing import assert_no_leak, assert_perfect_recall

if TYPE_CHECKING:
    from trapline.testing import Episode

# PettingZoo's own board games observe dictionaries with a mask; its test warns of them all.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("name", ANY_GAME)
def test_passes_the_tests_that_come_with_pettingzoo(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(name), num_cycles=200, verbose_progress=False)
    seed_test(partial(env, name), num_cycles=60)
    render_test(partial(env, name))
    shown = capsys.readouterr().out
    assert "┌" in shown or name in OUTSIDE


def play(environment: Any, seed: int) -> dict[str, float]:
    """Random legal play; the sum of rewards each agent was told of."""
    environment.reset(seed=seed)
    for agent in environment.possible_agents:
        environment.action_space(agent).seed(seed)
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, truncated, _ = environment.last()
        totals[agent] += reward
        assert not truncated
        mask = observation["action_mask"]
        environment.step(None if over else environment.action_space(agent).sample(mask))
    return totals


@pytest.mark.parametrize("name", ANY_GAME)
def test_both_agents_hear_the_result_once(name: str) -> None:
    environment = env(name)
    for seed in range(10):
        totals = play(environment, seed)
        numbered = environment.unwrapped.numbered
        assert totals == {"player_1": numbered.result(1), "player_2": numbered.result(2)}
        assert totals["player_1"] == -totals["player_2"]


def test_a_turn_limit_terminates_with_a_draw() -> None:
    environment = env("trap-runner", turn_limit=7)
    assert play(environment, 1) == {"player_1": 0.0, "player_2": 0.0}


@pytest.mark.parametrize("action", [0, 4000])
def test_an_illegal_action_loses(action: int) -> None:
    environment = env("hidden-path")
    environment.reset(seed=1)
    agent = environment.agent_selection
    assert environment.observe(agent)["action_mask"][0] == 0
    environment.step(action)
    assert environment.terminations == {"player_1": True, "player_2": True}
    assert environment.rewards == {"player_1": -1.0, "player_2": 0.0}
    assert "no legal action" in environment.infos[agent]["refused"]
    for _ in environment.agent_iter():
        environment.step(None)
    assert environment.agents == []


def test_options_and_the_first_mover_are_read() -> None:
    with pytest.raises(OptionsError, match="length must be"):
        env("hidden-path", length=0)
    for first in (1, 2):
        environment = env("numeric-maze", first=first)
        environment.reset()
        assert environment.agent_selection == f"player_{first}"
    tossed = env("numeric-maze", first="toss")
    movers = set()
    for seed in range(20):
        tossed.reset(seed=seed)
        movers.add(tossed.agent_selection)
    assert movers == {"player_1", "player_2"}


def test_an_environment_can_be_pickled() -> None:
    twin = pickle.loads(pickle.dumps(env("trap-builder", length=6, first=2)))  # noqa: S301 (ours)
    assert isinstance(twin.unwrapped, TraplineAEC)
    assert twin.unwrapped.encoding.places == 7
    play(twin, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_nothing_leaks(name: str) -> None:
    """Observations, masks, infos, rewards and what is rendered, in the smallest variants."""
    options = SMALLEST.get(name, {})
    make = partial(env, name, render_mode="ansi", **options)
    report = assert_no_leak(make, spec.of_episode, budget=300 if name in GAMES else 60)
    assert report.pairs > (30 if name in GAMES else 5) or not make_game(name).hides


SMALLEST: dict[str, Any] = {
    "hidden-path": worlds.SMALL["hidden-path"][0],
    "trap-builder": worlds.SMALL["trap-builder"][0],
    "trap-runner": {"length": 4, "max_step": 2, "turn_limit": 5},
    "secret-paths": {"size": 3, "turn_limit": 2},
    "numeric-maze": worlds.SMALL["numeric-maze"][0],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_a_player_who_keeps_the_information_state_forgets_nothing(name: str) -> None:
    def information(episode: Episode, agent: str) -> str:
        numbered = episode.env.unwrapped.numbered
        return str(numbered.information_state(1 if agent == "player_1" else 2))

    make = partial(env, name, **SMALLEST.get(name, {}))
    assert_perfect_recall(make, information, budget=200 if name in GAMES else 40)


def test_a_critic_may_see_what_both_see() -> None:
    environment = env("hidden-path")
    environment.reset(seed=3)
    state = environment.state()
    seen = [environment.observe(agent)["observation"] for agent in environment.possible_agents]
    assert np.array_equal(state, np.concatenate(seen))
    assert environment.unwrapped.state_space.contains(state)
