"""How often another has had a turn is a leak where somebody says that it is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo import AECEnv

from trapline.testing import LeakFound, assert_no_leak

if TYPE_CHECKING:
    from trapline.testing import Episode

ANN, BEN = "ann", "ben"


class Tries(AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """Ben tries a lock, 0 for another try and 1 to leave, three times at most; then Ann moves."""

    metadata = {"name": "tries_v0", "render_modes": []}  # noqa: RUF012 - as PettingZoo has it
    render_mode = None
    counts = False
    """Whether Ann's info has the number of all moves."""

    def __init__(self) -> None:
        self.possible_agents = [ANN, BEN]

    def observation_space(self, _agent: str) -> Any:
        return spaces.Box(0, 1, (1,), np.int8)

    def action_space(self, _agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents = [ANN, BEN]
        self.agent_selection = BEN
        self.moves = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, int]] = {agent: {} for agent in self.agents}

    def observe(self, _agent: str) -> Any:
        return np.zeros(1, np.int8)

    def step(self, action: int) -> None:
        self.moves += 1
        if self.agent_selection == ANN:
            self.terminations = dict.fromkeys(self.agents, True)
        elif action == 1 or self.moves == 3:
            self.agent_selection = ANN
            self.infos[ANN] = {"moves": self.moves} if self.counts else {}


class Counted(Tries):
    counts = True


def own_moves(episode: Episode, agent: str) -> list[Any]:
    """All that a player may know here is what they did, and whether it is their turn."""
    mine = [action for who, action in episode.steps if who == agent]
    return [
        mine,
        episode.env.agent_selection == agent and not any(episode.env.terminations.values()),
    ]


def test_a_count_of_all_moves_tells_how_often_the_other_has_tried() -> None:
    assert_no_leak(Tries, own_moves, budget=60)
    with pytest.raises(LeakFound, match=r"(?s)infos\['moves'\]"):
        assert_no_leak(Counted, own_moves, budget=60)
