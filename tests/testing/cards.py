"""A small card game for PettingZoo: one bets, the other calls. It can be told to leak."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

if TYPE_CHECKING:
    from trapline.testing import Episode

Leak = Literal["observation", "action_mask", "infos", "rendered text"] | None

AGENTS = ["ann", "ben"]


class CardGame(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Both are dealt one of three cards. Passing gives up the stake of 1, betting doubles it."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "cards_v0"}  # noqa: RUF012

    def __init__(self, leak: Leak = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.leak = leak
        self.render_mode = render_mode
        self.possible_agents = AGENTS
        self.agents: list[str] = []
        self.rng = Random()
        box = spaces.Box(0, 3, (5,), np.int8)
        mask = spaces.Box(0, 1, (2,), np.int8)
        space = spaces.Dict({"observation": box, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(2) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:
        if seed is not None:
            self.rng = Random(seed)
        self.agents = list(AGENTS)
        self.cards = dict(zip(AGENTS, self.rng.sample([1, 2, 3], 2), strict=True))
        self.bets: list[int] = []
        self.agent_selection = "ann"
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: self._info(agent) for agent in AGENTS}

    def _rivals(self, agent: str) -> int:
        return next(card for name, card in self.cards.items() if name != agent)

    def _info(self, agent: str) -> dict[str, Any]:
        return {"tip": self._rivals(agent) > 2} if self.leak == "infos" else {}

    def observe(self, agent: str) -> dict[str, Any]:
        numbers = [self.cards[agent], *[bet + 1 for bet in self.bets]]
        seen = np.array([*numbers, *[0] * (5 - len(numbers))], np.int8)
        mask = np.ones(2, np.int8) if agent == self.agent_selection else np.zeros(2, np.int8)
        if self.leak == "observation":
            seen[4] = self._rivals(agent)
        if self.leak == "action_mask" and self._rivals(agent) == 3:
            mask[1] = 0
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.bets.append(int(action))
        over = action == 0 or len(self.bets) == 2
        if over:
            best = max(self.cards, key=lambda name: self.cards[name])
            winner = self._other(agent) if action == 0 else best
            stake = 1 if 0 in self.bets else 2
            self.rewards = {name: stake if name == winner else -stake for name in AGENTS}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = self._other(agent)

    def _other(self, agent: str) -> str:
        return "ben" if agent == "ann" else "ann"

    def close(self) -> None:
        """PettingZoo wants this of whatever can be rendered."""

    def render(self) -> str:
        shown = f", cards {self.cards}" if self.leak == "rendered text" else ""
        return f"bets {self.bets}{shown}"


def knows(episode: Episode, agent: str) -> Any:
    """One's own card and all bets."""
    return episode.env.cards[agent], episode.steps
