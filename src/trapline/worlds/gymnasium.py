"""Positions of Gymnasium environments: for one agent, or for two players who take turns.

An environment for two players says with `valid_moves()` what may be done, and rewards whoever has
just moved. It shows the same thing to whoever looks, so only the one who is to move is taken to
look.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.worlds.live import LONGEST, Live, layers
from trapline.worlds.spaces import allowed, counted, fits, why_outside
from trapline.worlds.values import fingerprint, frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

AGENT = "agent"
ONE, TWO = 1, 2
FIVE = 5
"""What a step returns."""
MANY = 500
"""Of the actions that are listed, so many are looked up in their space."""
ENDING = re.compile("done|over|terminated|truncated|winner|end|reward")
"""Names under which an environment keeps that it has ended."""


class Alone(Live):
    """One agent, with a mask of what it may do, or free to do anything.

    How long it may go on is for a wrapper to say, so no length is a fault.
    """

    longest = 0
    open_moves = True

    def begin(self) -> None:
        self.observed, self._info = self.env.reset(seed=self.seed)
        self._reward, self._total, self.over = 0.0, 0.0, False

    def act(self, action: Any) -> None:
        given = self.env.step(action)
        if not isinstance(given, tuple) or len(given) != FIVE:
            told = len(given) if isinstance(given, tuple) else type(given).__name__
            raise TypeError(f"it returns {told}, not observation, reward, done, truncated and info")
        observation, reward, done, truncated, info = given
        self.observed, self._reward, self._info = observation, float(reward), info
        self._total += self._reward
        self.over = bool(done or truncated)

    def inner(self) -> Any:
        return self.env.unwrapped

    @property
    def viewers(self) -> Sequence[Any]:  # type: ignore[override]  # it depends on who is to move
        return [AGENT]

    @property
    def actor(self) -> Any:
        return None if self.over else AGENT

    def infos(self) -> Sequence[Mapping[Any, Any]]:
        return [self._info]

    def _mask(self) -> Any:
        if "action_mask" in self._info:
            return self._info["action_mask"]
        if isinstance(self.observed, dict) and "action_mask" in self.observed:
            return self.observed["action_mask"]
        # A wrapper may know them, such as the ActionMasker of sb3-contrib.
        masked = (layer for layer in layers(self.env) if hasattr(layer, "action_masks"))
        return next((layer.action_masks() for layer in masked), None)

    def actions(self) -> list[Any]:
        return self._allowed()[0]

    @property
    def lists_all(self) -> bool:  # type: ignore[override]  # it depends on the space
        return self._allowed()[1]

    def _allowed(self) -> tuple[list[Any], bool]:
        return allowed(self.env.action_space, self._mask(), len(self.steps))

    def unlisted(self) -> Sequence[Any]:
        return self._others() if self._mask() is not None else ()

    def _others(self) -> Sequence[int]:
        """The first, the last and a middle one of the actions that are not listed."""
        space = self.env.action_space
        if not (count := counted(space)):
            return ()
        listed, first = set(self.actions()), int(getattr(space, "start", 0))
        others = [action for action in range(first, first + count) if action not in listed]
        return list(dict.fromkeys(others[at] for at in (0, -1, len(others) // 2))) if others else ()

    def shown(self, viewer: Any) -> dict[str, Any]:  # there is one
        shown = {"observation": self.observed, "info": self._info, "reward": self._reward}
        if not self.over:
            shown["valid moves"] = self.actions()
        if getattr(self.env, "render_mode", None) == "ansi":
            shown["rendered text"] = self.env.render()
        return shown

    def information(self, viewer: Any) -> dict[str, Any]:  # likewise
        return {"observation": self.observed}

    def rewards(self) -> Mapping[Any, float]:
        return {AGENT: self._total}

    def strays(self) -> Iterator[str]:
        space = self.env.observation_space
        if not fits(space, self.observed):
            said = why_outside(space, self.observed)
            yield f"the observation is not in the observation space: {said}"
        for action in () if self.over else self.actions()[:MANY]:
            if not self.env.action_space.contains(action):
                yield f"action {action} is listed, but is not in the action space"


class TwoPlayers(Alone):
    """Players 1 and 2, the first of whom begins."""

    longest = LONGEST
    prizes = frozenset({-1.0, 0.0, 1.0})
    pays_at_end = True

    def begin(self) -> None:
        super().begin()
        self._turn = ONE
        self._beginner = self._named()
        self._names = {self._beginner}
        self._results: dict[int, float] = {}
        self._stayed = False

    def act(self, action: Any) -> None:
        mover, named, seen = self._turn, self._named(), frozen(self.observed)
        super().act(action)
        # Compared at once: some show the same array again and again, and write into it.
        self._stayed = self._reward < 0 and self._named() == named and frozen(self.observed) == seen
        self._results = {**self._results, mover: self._results.get(mover, 0.0) + self._reward}
        named = self._named()
        self._names = {*self._names, named} - {None}
        if named is None or self._beginner is None:
            self._turn = TWO if mover == ONE else ONE
        else:
            self._turn = ONE if named == self._beginner else TWO

    def _named(self) -> Any:
        """Whoever the environment itself says is to move."""
        named = getattr(self.inner(), "current_player", None)
        return named if isinstance(named, (int, str, np.integer)) else None

    @property
    def viewers(self) -> Sequence[Any]:  # type: ignore[override]  # likewise
        return [self._turn]

    @property
    def actor(self) -> Any:
        return None if self.over else self._turn

    def winner(self) -> int | None:
        """Under `winner`, by the name that `current_player` has for a player."""
        if not self.over or self._beginner is None:
            return None
        named = next((name for name in self.named_winners() if name in self._names), None)
        return None if named is None else ONE if named == self._beginner else TWO

    lists_all = True

    def actions(self) -> list[Any]:
        moves = self.inner().valid_moves()
        if isinstance(moves, np.ndarray) and moves.dtype == bool:
            return [int(action) for action in np.flatnonzero(moves)]
        return [int(move) if isinstance(move, (int, np.integer)) else move for move in moves]

    def unlisted(self) -> Sequence[Any]:
        return self._others()

    def shown(self, viewer: Any) -> dict[str, Any]:
        shown = super().shown(viewer)
        del shown["reward"]  # that of the other, who has moved
        return shown

    def refused(self, before: Any) -> str:
        """A punishment that leaves everything as it was, whose turn it is too, but for the end."""
        if not self._stayed:
            return ""
        loses = self.over and self._reward >= -1
        if (loses or before.env is not self.env) and not self._untouched(before):
            return ""
        ended = "and the end of the game" if self.over else "and nothing else"
        return f"it brings a reward of {self._reward:g} {ended}"

    def _untouched(self, before: Any) -> bool:
        if before.env is self.env:
            return False  # nobody can tell any more
        one, two = (
            {name: value for name, value in vars(env).items() if not ENDING.search(name)}
            for env in (before.inner(), self.inner())
        )
        return fingerprint(one) == fingerprint(two)

    def rewards(self) -> Mapping[Any, float]:
        """The one who moves last says how it ended; the other's part is the reverse."""
        if not self.over or not self.steps:
            return {player: self._results.get(player, 0.0) for player in (ONE, TWO)}
        mover = self.steps[-1][0] if self.steps else ONE
        return {mover: self._reward, TWO if mover == ONE else ONE: -self._reward}
