"""Agents who act at once, and endings of which an environment keeps nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.audit import heaps
from tests.audit.looks import found_in, looked, reproduced
from trapline.audit.exploring import Graph
from trapline.audit.targets import subject_named

if TYPE_CHECKING:
    from pathlib import Path

PARALLEL = '''
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Rounds(ParallelEnv):
    """Three rounds of rock, paper, scissors, of which it keeps no more than their number."""

    metadata = {"name": "rounds_v0"}
    render_mode = None

    def __init__(self):
        self.possible_agents = ["ann", "ben"]

    def observation_space(self, agent):
        return spaces.Box(0, 3, (1,), np.int64)

    def action_space(self, agent):
        return spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        self.agents = ["ann", "ben"]
        self.round = 0
        return self.seen(), {agent: {} for agent in self.agents}

    def seen(self):
        return {agent: np.array([self.round]) for agent in self.possible_agents}

    def step(self, actions):
        self.round += 1
        won = (0, 1, -1)[(actions["ann"] - actions["ben"]) % 3]
        rewards = {"ann": won, "ben": -won}
        ended = dict.fromkeys(self.agents, self.round == 3)
        infos = {agent: {} for agent in self.agents}
        if self.round == 3:
            self.agents = []
        return self.seen(), rewards, ended, dict.fromkeys(ended, False), infos
'''
KEPT = '        rewards = {"ann": won, "ben": -won}\n'
SELDOM = 'if actions == {"ann": 2, "ben": 0} and self.round == 3'
BOTH_WIN = f'{KEPT}        {SELDOM}:\n            rewards = {{"ann": 1, "ben": 1}}\n'

PILE = '''
import gymnasium
import numpy as np


class Pile(gymnasium.Env):
    """Whoever takes the last of five wins; and if they took three at once, they lose."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(3)
        self.observation_space = gymnasium.spaces.Box(0, 5, (1,), np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 5
        return np.array([5]), {}

    def valid_moves(self):
        return [action for action in range(3) if action < self.left]

    def step(self, action):
        if action not in self.valid_moves():
            raise ValueError("no valid move")
        self.left -= action + 1
        result = (-1 if action == 2 else 1) * (self.left == 0)
        return np.array([self.left]), result, self.left == 0, False, {}
'''


def in_pettingzoo(folder: Path, *changes: tuple[str, str]) -> str:
    return heaps.written(folder, PARALLEL, *changes).replace("gymnasium:", "pettingzoo:")


def test_what_one_has_chosen_before_the_other_is_another_position(tmp_path: Path) -> None:
    report = looked(in_pettingzoo(tmp_path))
    assert report.ok, report.findings
    assert report.exhaustive
    # The rounds, what Ann has chosen in each, and who won the last one.
    assert report.figures.states == 3 + 3 * 3 + 3


def test_an_ending_in_which_both_win_is_found_among_all_endings(tmp_path: Path) -> None:
    found = found_in(in_pettingzoo(tmp_path, (KEPT, BOTH_WIN)))
    assert found.keys() == {"rewards"}
    assert found["rewards"].play[-2:] == (2, 0)
    reproduced(found["rewards"])


def test_endings_that_differ_in_nothing_but_the_result_are_both_looked_at(tmp_path: Path) -> None:
    graph = Graph(subject_named(heaps.written(tmp_path, PILE)), lambda *_: None)
    graph.explore(lambda: False, 100)
    endings = [place.result for place in graph.places if place.result is not None]
    assert {ending[1] for ending in endings} == {1, -1}
