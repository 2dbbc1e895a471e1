"""Any game as a PettingZoo environment: `env("hidden-path", length=8)`, `env("./pebbles.py")`.

Agents are `player_1` and `player_2`; they act one at a time in the order that `numbered` explains.
An observation is `{"observation": vector, "action_mask": mask}` as `encoding` lays them out; the
mask is all 0 while the other is to act. At the end the rewards are 1 and −1, or 0 and 0, or what
the game says a win is worth.

A match always terminates and is never truncated: reaching the turn limit is a draw by the rules,
and the observation shows how near it is. An illegal action loses, as with PettingZoo's own
TerminateIllegalWrapper: the match terminates with −1 for the agent that took it and 0 for the
other, and that agent's info says why under `refused`.

What `render` shows is for everybody's eyes, so it is what a spectator may see.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.adapters.numbered import NumberedMatch
from trapline.adapters.rendering import render
from trapline.core import SEATS, IllegalMove
from trapline.games import make_game
from trapline.simulate.encoding import Encoding

with needs("PettingZoo"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import First, Seat

AGENTS: dict[str, Seat] = {f"player_{seat}": seat for seat in SEATS}
NAMES: dict[int, str] = {seat: agent for agent, seat in AGENTS.items()}

Observation = dict[str, Any]


def env(
    game: str, *, first: First | None = None, render_mode: str | None = None, **options: Any
) -> AECEnv[str, Observation, Any]:
    """The game of this name under its options.

    `first` is 1, 2 or "toss"; without it, the rulebook decides.
    """
    return wrappers.OrderEnforcingWrapper(
        TraplineAEC(game, first=first, render_mode=render_mode, **options)
    )


class TraplineAEC(AECEnv[str, Observation, Any], EzPickle):  # type: ignore[misc]  # no types
    metadata: dict[str, Any] = {  # noqa: RUF012  # each instance has its own name in it
        "render_modes": ["human", "ansi"],
        "name": "trapline_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str,
        *,
        first: First | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        EzPickle.__init__(self, game, first=first, render_mode=render_mode, **options)
        super().__init__()
        self.encoding = Encoding(make_game(game, options))
        name = self.encoding.game.name.replace("-", "_")
        self.metadata = {**self.metadata, "name": f"trapline_{name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        actions, size = self.encoding.actions, self.encoding.size
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.state_space = spaces.Box(0.0, 1.0, (len(SEATS) * size,), np.float32)
        self._first = first
        self._rng = Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match. A seed decides all chance from here on."""
        del options  # those of the game are fixed when the environment is made
        if seed is not None:
            self._rng = Random(seed)
        self.numbered = NumberedMatch(self.encoding, self._first, rng=self._rng)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select_next()

    def observe(self, agent: str) -> Observation:
        seat = AGENTS[agent]
        return {"observation": self.numbered.observe(seat), "action_mask": self.numbered.mask(seat)}

    def state(self) -> NDArray[np.float32]:
        """What both players see together: for a critic who may see everything, for no player."""
        return np.concatenate([self.numbered.observe(seat) for seat in SEATS])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            self.numbered.act(int(action))
        except IllegalMove as refusal:
            self.infos[agent]["refused"] = str(refusal)
            self._end({**dict.fromkeys(AGENTS, 0.0), agent: -1.0})
        if self.numbered.actor is None:
            self._end({name: self.numbered.result(seat) for name, seat in AGENTS.items()})
        self._select_next()
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()

    def _select_next(self) -> None:
        """After the end both agents are asked once more, to hear their result."""
        actor = self.numbered.actor
        self.agent_selection = NAMES[actor] if actor else self.agents[0]

    def render(self) -> str | None:
        return render(self.encoding.game, self.numbered.view(None), self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
