"""Positions of EnvPool's environments: pools of one, whose players take turns, or for one agent.

A pool is told its seed when it is made and begins anew by itself at the end, so every start is a
pool of its own. Each player has a row of the observations; the info is handed to whoever plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from trapline.core import TraplineError
from trapline.worlds.gymnasium import AGENT, Alone
from trapline.worlds.spaces import fits, why_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MASK, TURN = "legal_action_mask", "current_player"
ABOUT_THE_POOL = {"env_id", "players"}
"""What an info says of the pool, and not of a game."""


class Pool:
    """One environment, which a seed begins, and where it stands; any number of worlds share it."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        """`make` gives a pool of one environment, with the interface of Gymnasium, for a seed."""
        self._make = make
        self._playing = made = make(0)
        self.players = int(made.spec.config.max_num_players)
        self.action_space, self.observation_space = made.action_space, made.observation_space
        self.standing: object = None
        """Another one in every position: who has it can tell whether the pool is still there."""

    def reset(self, seed: int) -> tuple[Any, dict[str, Any]]:
        self._playing = self._make(seed)
        self.standing = object()
        observation, info = self._playing.reset()
        return observation, _of_the_game(info)

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        self.standing = object()
        observation, rewards, done, cut, info = self._playing.step(np.asarray([action]))
        return observation, rewards, bool(done[0] or cut[0]), _of_the_game(info)


def _of_the_game(info: dict[str, Any]) -> dict[str, Any]:
    return {name: _row(value, 0) for name, value in info.items() if name not in ABOUT_THE_POOL}


def _row(value: Any, number: int) -> Any:
    """What one of a pool has; copied, since a pool may write into its arrays again."""
    if isinstance(value, Mapping):
        return {name: _row(part, number) for name, part in value.items()}
    return np.array(value[number])


class Pooled(Alone):
    def begin(self) -> None:
        self._rows, self._info = self.env.reset(self.seed)
        if self.env.players > 1 and TURN not in self._info:
            raise TraplineError("In this environment of EnvPool several players act at once.")
        self._sums, self.over = np.zeros(self.env.players), False
        self._standing = self.env.standing

    def act(self, action: Any) -> None:
        if self._standing is not self.env.standing:  # somebody has played on
            self.env.reset(self.seed)
            for _, earlier in self.steps[:-1]:
                self.env.step(earlier)
        self._rows, rewards, self.over, self._info = self.env.step(action)
        self._sums = self._sums + rewards
        self._standing = self.env.standing

    def twin(self) -> Self:
        return copy(self)

    @property
    def viewers(self) -> Sequence[Any]:  # type: ignore[override]  # as many as it takes
        return range(self.env.players) if self.env.players > 1 else [AGENT]

    @property
    def actor(self) -> Any:
        if self.over:
            return None
        return int(self._info[TURN]) if self.env.players > 1 else AGENT

    def inner(self) -> Any:
        return self.env

    def key(self) -> None:
        """A pool cannot be looked into, and stands elsewhere by now."""

    def _mask(self) -> Any:
        return self._info.get(MASK)

    def _seen(self, viewer: Any) -> Any:
        return _row(self._rows, 0 if viewer == AGENT else viewer)

    def shown(self, viewer: Any) -> dict[str, Any]:
        return {"observation": self._seen(viewer), "info": self._info}

    def information(self, viewer: Any) -> dict[str, Any]:
        return {"observation": self._seen(viewer)}

    def rewards(self) -> Mapping[Any, float]:
        return dict(zip(self.viewers, map(float, self._sums), strict=True))

    def strays(self) -> Iterator[str]:
        space = self.env.observation_space
        for viewer in self.viewers:
            if not fits(space, seen := self._seen(viewer)):
                yield f"the observation is not in the observation space: {why_outside(space, seen)}"
