"""Agents that leave one by one, and what others do without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit import heaps
from tests.audit.looks import found_in, looked, reproduced

if TYPE_CHECKING:
    from pathlib import Path

TURNS = '''
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv


class Heaps(AECEnv):
    """Three take one or two of four; who takes the last is out, and the others begin again."""

    metadata = {"name": "heaps_v0", "render_modes": []}
    render_mode = None

    def __init__(self):
        self.possible_agents = ["ann", "ben", "cyd"]

    def observation_space(self, agent):
        mask = spaces.Box(0, 1, (2,), np.int8)
        return spaces.Dict({"observation": spaces.Box(0, 9, (2,), np.int64), "action_mask": mask})

    def action_space(self, agent):
        return spaces.Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.left, self.agent_selection = 4, "ann"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None

    def observe(self, agent):
        mask = np.array([1, self.left > 1], np.int8)
        seen = [self.left, 0 if self.terminations[agent] else len(self.agents)]
        return {"observation": np.array(seen), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            return self._was_dead_step(action)
        if action and self.left < 2:
            raise ValueError("there is one left")
        at = self.agents.index(agent)
        following = self.agents[(at + 1) % len(self.agents)]
        self._clear_rewards()
        self.left -= int(action) + 1
        if self.left == 0:
            self.left = 4
            self.rewards[agent] = -1
            self.terminations[agent] = True
            if len(self.agents) == 2:
                self.rewards[following] = 1
                self.terminations[following] = True
        self.agent_selection = following
        self._deads_step_first()
'''
ROUNDS = '''
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Odd(ParallelEnv):
    """Whoever of three is alone with their choice is out; in the fourth round everybody is."""

    metadata = {"name": "odd_v0"}
    render_mode = None

    def __init__(self):
        self.possible_agents = ["ann", "ben", "cyd"]

    def observation_space(self, agent):
        return spaces.Discrete(5)

    def action_space(self, agent):
        return spaces.Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.round = 0
        return dict.fromkeys(self.agents, 0), {agent: {} for agent in self.agents}

    def step(self, actions):
        if set(actions) != set(self.agents):
            raise ValueError("everybody who is left must act")
        self.round += 1
        chosen = list(actions.values())
        out = {a: self.round == 4 or chosen.count(actions[a]) == 1 for a in self.agents}
        rewards = {agent: -1.0 if out[agent] else 0.0 for agent in out}
        self.agents = [agent for agent in out if not out[agent]]
        seen, cut = dict.fromkeys(out, self.round), dict.fromkeys(out, False)
        return seen, rewards, out, cut, {agent: {} for agent in out}
'''
LATE: dict[str, tuple[str, tuple[str, str]]] = {
    "in turn": (
        TURNS,
        (
            "            if len(self.agents) == 2:\n",
            "            if 6 // (len(self.agents) - 2):\n",
        ),
    ),
    "at once": (
        ROUNDS,
        ("        self.round += 1\n", "        self.round += 1 + 0 // (len(self.agents) - 2)\n"),
    ),
}


def in_pettingzoo(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    return heaps.written(folder, text, *changes).replace("gymnasium:", "pettingzoo:")


@pytest.mark.parametrize("text", [TURNS, ROUNDS], ids=["in turn", "at once"])
def test_play_goes_on_when_the_first_is_out(text: str, tmp_path: Path) -> None:
    report = looked(in_pettingzoo(tmp_path, text))
    assert not report.findings
    assert report.exhaustive


@pytest.mark.parametrize("how", LATE)
def test_what_fails_when_somebody_is_out_is_found(how: str, tmp_path: Path) -> None:
    text, change = LATE[how]
    found = found_in(in_pettingzoo(tmp_path, text, change))
    assert found.keys() == {"crash"}
    reproduced(found["crash"])
