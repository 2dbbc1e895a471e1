"""Any game as an environment of GEM; importing this module registers `trapline:Game`.

gem.make("trapline:Game", game="./pebbles.py", opponent="perfect", reward="regret")
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from trapline.adapters import needs
from trapline.text.match import TextMatch

with needs("GEM", extra="gem"):
    import gem
    from gem.core import Env

ID = "trapline:Game"


class TraplineEnv(Env):  # type: ignore[misc]  # not installed beside our checks
    def __init__(self, game: str, seed: int | None = None, **match: Any) -> None:
        """`seed` decides the matches of all episodes that are not given one of their own."""
        super().__init__()
        self._seeds = None if seed is None else Random(seed)
        self._made = {"game": game, **match}
        self._match = TextMatch(**self._made)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed)
        if seed is None and self._seeds is not None:
            seed = self._seeds.getrandbits(32)
        return self._match.reset(seed)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        text, reward, over, info = self._match.step(action)
        return text, reward, over, False, info

    def sample_random_action(self) -> str:
        question = self._match.match.question(self._match.seat)
        return "[resign]" if question is None else f"[{question.text(question.random(Random()))}]"

    def spawn(self, same_state: bool = False, **kwargs: Any) -> TraplineEnv:
        return copy.deepcopy(self) if same_state else TraplineEnv(**{**self._made, **kwargs})


gem.register(ID, entry_point=TraplineEnv)
