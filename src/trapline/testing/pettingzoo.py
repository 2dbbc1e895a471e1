"""Positions of any PettingZoo AEC environment, reached by playing it again from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SEEDS = range(8)
"""What chance decides in an environment is decided by the seed, so several are looked at."""


class Episode(NamedTuple):
    """What `knows` is given: the environment itself, and all that was done in it."""

    env: Any
    seed: int
    steps: tuple[tuple[str, Any], ...]
    """Each agent that has acted, and its action."""


class PettingZooWorld:
    def __init__(
        self, make: Callable[[], Any], seed: int, steps: tuple[tuple[str, Any], ...] = ()
    ) -> None:
        self._make = make
        self.label = f"seed {seed}"
        env = make()
        env.reset(seed=seed)
        for _, action in steps:
            env.step(action)
        self.state = Episode(env, seed, steps)
        self.viewers = list(env.possible_agents)

    @property
    def actor(self) -> str | None:
        return None if self.over else str(self.state.env.agent_selection)

    @property
    def over(self) -> bool:
        env = self.state.env
        return not env.agents or any(env.terminations.values()) or any(env.truncations.values())

    @property
    def visible(self) -> bool:
        return True

    def actions(self) -> list[int]:
        env = self.state.env
        agent = env.agent_selection
        observation = env.observe(agent)
        masked = isinstance(observation, dict) and "action_mask" in observation
        mask = observation["action_mask"] if masked else env.infos[agent].get("action_mask")
        if mask is None:
            return list(range(env.action_space(agent).n))
        return [int(action) for action in np.flatnonzero(mask)]

    def draw(self, rng: Random) -> Any:
        return rng.choice(self.actions())

    def after(self, action: Any) -> PettingZooWorld:
        steps = (*self.state.steps, (self.state.env.agent_selection, action))
        return PettingZooWorld(self._make, self.state.seed, steps)

    def shown(self, viewer: Any) -> dict[str, Any]:
        env = self.state.env
        observation = env.observe(viewer)
        shown: dict[str, Any] = {"agent selection": env.agent_selection}
        if isinstance(observation, dict):
            shown |= {str(what): value for what, value in observation.items()}
        else:
            shown["observation"] = observation
        for what in ("infos", "rewards", "terminations", "truncations"):
            shown[what] = getattr(env, what).get(viewer)
        if getattr(env, "render_mode", None) == "ansi":
            shown["rendered text"] = env.render()
        return shown

    def information(self, viewer: Any) -> Any:
        return self.state.env.observe(viewer)


def starts(make: Callable[[], Any]) -> list[PettingZooWorld]:
    return [PettingZooWorld(make, seed) for seed in SEEDS]
