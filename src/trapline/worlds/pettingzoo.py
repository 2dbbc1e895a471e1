"""Positions of any PettingZoo environment: agents that act in turn (AEC), or all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.worlds.live import SOME, Live
from trapline.worlds.spaces import allowed, counted, fits, why_outside
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Agents(Live):
    """What both kinds of PettingZoo's environments have in common."""

    @property
    def viewers(self) -> list[str]:  # type: ignore[override]  # those of the environment
        return list(self.env.possible_agents)

    def inner(self) -> Any:
        return self.env.unwrapped

    def observe(self, agent: str) -> Any:
        raise NotImplementedError

    def info(self, agent: str) -> dict[str, Any]:
        raise NotImplementedError

    def infos(self) -> Sequence[Mapping[Any, Any]]:
        return [self.info(agent) for agent in self.viewers]

    def _mask(self, agent: str) -> Any:
        observation = self.observe(agent)
        if isinstance(observation, dict) and "action_mask" in observation:
            return observation["action_mask"]
        return self.info(agent).get("action_mask")

    def _listed(self, agent: str) -> list[Any]:
        return self._allowed(agent)[0]

    def _allowed(self, agent: str) -> tuple[list[Any], bool]:
        return allowed(self.env.action_space(agent), self._mask(agent), len(self.steps))

    @property
    def lists_all(self) -> bool:  # type: ignore[override]  # it depends on the space
        return self._allowed(str(self.actor))[1]

    def unlisted(self) -> Sequence[Any]:
        actor = self.actor
        if actor is None or (mask := self._mask(actor)) is None:
            return ()
        if not counted(self.env.action_space(actor)):
            return ()
        first = _first(self.env.action_space(actor))
        return [int(action) + first for action in np.flatnonzero(np.asarray(mask) == 0)[:SOME]]

    def information(self, viewer: Any) -> dict[str, Any]:
        observation = self.observe(viewer)
        if isinstance(observation, dict) and "observation" in observation:
            observation = observation["observation"]
        return {"observation": observation}

    def strays(self) -> Iterator[str]:
        for agent in self.viewers:
            observation = self.observe(agent)
            space = self.env.observation_space(agent)
            if observation is not None and not fits(space, observation):
                why = why_outside(space, observation)
                yield f"what {agent} is shown is not in the observation space: {why}"
        actor = None if self.over else self.actor
        if actor is not None:
            space = self.env.action_space(actor)
            for action in self.actions():
                if not space.contains(action):
                    yield f"action {action} is listed for {actor}, but is not in the action space"

    def _seen(self, viewer: Any) -> dict[str, Any]:
        observation = self.observe(viewer)
        if isinstance(observation, dict):
            shown = {str(what): value for what, value in observation.items()}
        else:
            shown = {"observation": observation}
        if getattr(self.env, "render_mode", None) == "ansi":
            shown["rendered text"] = self.env.render()
        return shown


class InTurn(Agents):
    """A position of an AEC environment."""

    def begin(self) -> None:
        self.env.reset(seed=self.seed)
        self._given: dict[str, float] = {}
        self._refused = ""

    def act(self, action: Any) -> None:
        mover = str(self.env.agent_selection)
        seen = frozen(self.information(mover))
        self.env.step(action)
        now = dict(self.env.rewards)
        given = self._given
        self._given = {agent: given.get(agent, 0) + now.get(agent, 0) for agent in self.viewers}
        alone = now.get(mover, 0) < 0 and not any(now[agent] for agent in now if agent != mover)
        # Many a move loses by the rules: one that was refused changes nothing else.
        stayed = alone and self.over and frozen(self.information(mover)) == seen
        self._refused = f"{mover} alone was punished, and play ended" if stayed else ""
        while not self.over and self._out(str(self.env.agent_selection)):
            self.env.step(None)  # who is out says so, and leaves the others to go on

    def _out(self, agent: str) -> bool:
        return bool(self.env.terminations.get(agent) or self.env.truncations.get(agent))

    @property
    def actor(self) -> str | None:
        return None if self.over else str(self.env.agent_selection)

    @property
    def over(self) -> bool:  # type: ignore[override]  # the environment says
        return all(map(self._out, self.env.agents))

    def observe(self, agent: str) -> Any:
        """What an agent is shown; nothing where it has left before the others."""
        left = self.env.agents and agent not in self.env.agents
        return None if left else self.env.observe(agent)

    def info(self, agent: str) -> dict[str, Any]:
        return dict(self.env.infos.get(agent, {}))

    def actions(self) -> list[Any]:
        return self._listed(str(self.env.agent_selection))

    def shown(self, viewer: Any) -> dict[str, Any]:
        shown = {"agent selection": self.env.agent_selection, **self._seen(viewer)}
        for what in ("infos", "rewards", "terminations", "truncations"):
            shown[what] = getattr(self.env, what).get(viewer)
        if viewer == self.actor:
            shown["last"] = self.env.last()
        return shown

    def rewards(self) -> Mapping[str, float]:
        return {agent: self._given.get(agent, 0) for agent in self.viewers}

    def refused(self, before: Any) -> str:  # it was seen when it happened
        """Ended at once, with a punishment for the one who acted, and nothing else."""
        return self._refused


class AtOnce(Agents):
    """A position of a parallel environment; its agents are asked one after the other."""

    at_once = True

    def begin(self) -> None:
        observations, infos = self.env.reset(seed=self.seed)
        self._now = observations, dict.fromkeys(observations, 0.0), infos
        self._given: dict[str, float] = {}
        self._ended = False
        self._chosen: dict[str, Any] = {}

    def act(self, action: Any) -> None:
        chosen: dict[Any, Any] = {**self._chosen, self.actor: action}
        if len(chosen) < len(self.env.agents):
            self._chosen = chosen
            return
        self._chosen = {}
        observations, rewards, ended, cut, infos = self.env.step(chosen)
        self._now = observations, rewards, infos
        self._ended = all(ended.get(agent) or cut.get(agent) for agent in chosen)
        given = self._given
        self._given = {agent: given.get(agent, 0) + rewards.get(agent, 0) for agent in self.viewers}

    @property
    def visible(self) -> bool:  # type: ignore[override]  # nobody looks while others choose
        return not self._chosen

    def pending(self) -> Mapping[str, Any]:
        return self._chosen

    @property
    def actor(self) -> str | None:
        if self.over:
            return None
        return next(str(agent) for agent in self.env.agents if agent not in self._chosen)

    @property
    def over(self) -> bool:  # type: ignore[override]  # the environment says
        return self._ended or not self.env.agents

    def observe(self, agent: str) -> Any:
        return self._now[0].get(agent)

    def info(self, agent: str) -> dict[str, Any]:
        return dict(self._now[2].get(agent, {}))

    def actions(self) -> list[Any]:
        return self._listed(str(self.actor))

    def unlisted(self) -> Sequence[Any]:
        return ()

    def shown(self, viewer: Any) -> dict[str, Any]:
        _, rewards, infos = self._now
        return {**self._seen(viewer), "infos": infos.get(viewer), "rewards": rewards.get(viewer)}

    def rewards(self) -> Mapping[str, float]:
        return {agent: self._given.get(agent, 0) for agent in self.viewers}


def _first(space: Any) -> int:
    return int(getattr(space, "start", 0))
