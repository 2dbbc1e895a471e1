"""Small environments in which a card is dealt to each of two players. Each can be told to leak."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import textarena as ta
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

if TYPE_CHECKING:
    from trapline.testing import Episode

AGENTS = ["ann", "ben"]
Hint = "Callable[[dict[str, int], str], Any]"
"""(cards, agent) → what stands in the agent's infos beside nothing."""


def nothing(cards: dict[str, int], agent: str) -> Any:
    return None


def rivals(cards: dict[str, int], agent: str) -> int:
    return next(card for name, card in cards.items() if name != agent)


class Dealer(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Each is dealt one of `deck` cards and then says 0 or 1, `rounds` times in turn."""

    metadata: dict[str, Any] = {"render_modes": [], "name": "dealer_v0"}  # noqa: RUF012
    steps_taken = 0

    def __init__(self, hint: Any = nothing, deck: int = 3, rounds: int = 1) -> None:
        super().__init__()
        self.hint, self.deck, self.rounds = hint, deck, rounds
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return spaces.Box(0, 100, (2,), np.int64)

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: object = None) -> None:
        rng = Random(seed)
        self.agents = list(AGENTS)
        self.cards = {agent: rng.randrange(self.deck) for agent in AGENTS}
        self.said: list[int] = []
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"hint": self.hint(self.cards, agent)} for agent in AGENTS}

    def observe(self, agent: str) -> Any:
        return np.array([self.cards[agent], len(self.said)])

    def step(self, action: Any) -> None:
        Dealer.steps_taken += 1
        self.said.append(int(action))
        self.agent_selection = AGENTS[len(self.said) % 2]
        if len(self.said) == 2 * self.rounds:
            self.terminations = dict.fromkeys(AGENTS, True)


class AtOnce(ParallelEnv):  # type: ignore[misc]  # likewise
    """The same, but both speak at once."""

    metadata: dict[str, Any] = {"name": "at_once_v0"}  # noqa: RUF012

    def __init__(self, hint: Any = nothing, deck: int = 3) -> None:
        self.hint, self.deck = hint, deck
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return spaces.Box(0, 100, (2,), np.int64)

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: object = None) -> Any:
        rng = Random(seed)
        self.agents = list(AGENTS)
        self.cards = {agent: rng.randrange(self.deck) for agent in AGENTS}
        self.rounds = 0
        return self._seen()

    def _seen(self) -> Any:
        seen = {agent: np.array([self.cards[agent], self.rounds]) for agent in AGENTS}
        return seen, {agent: {"hint": self.hint(self.cards, agent)} for agent in AGENTS}

    def step(self, actions: dict[str, Any]) -> Any:
        self.rounds += 1
        over = dict.fromkeys(AGENTS, self.rounds == 2)
        seen, infos = self._seen()
        return seen, dict.fromkeys(AGENTS, 0.0), over, dict.fromkeys(AGENTS, False), infos


class Guess(gymnasium.Env[Any, Any]):
    """One player guesses a number from 0 to 2; `info` may give it away."""

    action_space = spaces.Discrete(3)
    observation_space = spaces.Box(0, 3, (1,), np.int64)

    def __init__(self, leak: bool = False) -> None:
        self.leak = leak

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.number = int(self.np_random.integers(3))
        self.guesses = 0
        return np.array([0]), {"number": self.number} if self.leak else {}

    def step(self, action: Any) -> Any:
        self.guesses += 1
        right = action == self.number
        info = {"number": self.number} if self.leak else {}
        return np.array([self.guesses]), float(right), bool(right or self.guesses == 3), False, info


class Whisper(ta.Env):  # type: ignore[misc]  # TextArena has no types
    """Each player is told their card and says yes or no; a prompt may tell the other's too."""

    def __init__(self, leak: bool = False) -> None:
        self.leak = leak

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed)
        rng = Random(seed)
        cards = {0: rng.randrange(3), 1: rng.randrange(3)}
        self.state.reset(game_state={"cards": cards, "said": []}, player_prompt_function=self._say)

    def _say(self, player_id: int, game_state: dict[str, Any]) -> str:
        cards = game_state["cards"]
        more = f" The other has {cards[1 - player_id]}." if self.leak else ""
        return f"Your card is {cards[player_id]}.{more}\nAvailable replies: '[yes]', '[no]'"

    def step(self, action: str) -> Any:
        said = self.state.game_state["said"]
        if action not in ("[yes]", "[no]"):
            self.state.set_invalid_move(reason="Say yes or no.")
            return self.state.step()
        said.append(action)
        self.state.add_observation(f"Said: {action}", ta.ObservationType.GAME_MESSAGE)
        if len(said) == 2:
            self.state.set_draw(reason="All has been said.")
        return self.state.step()


def knows(episode: Episode, agent: str) -> Any:
    """One's own card, and what everybody has said."""
    return episode.env.unwrapped.cards[agent], episode.steps


def knows_guesses(episode: Episode, agent: str) -> Any:
    return episode.steps


def knows_card(episode: Episode, player: int) -> Any:
    return episode.env.state.game_state["cards"][player], episode.steps
