"""Any game as a text environment of SkyRL-Gym; importing this module registers `trapline`.

    skyrl_gym.make("trapline", extras={"game": "./pebbles.py", "seed": 7, "reward": "regret"})

Rows of the dataset hold the extras: `seed`, and the arguments of `TextMatch`. What the row's own
prompt says stands before the match.
"""

from __future__ import annotations

from typing import Any

from trapline.adapters import needs
from trapline.text.match import TextMatch

with needs("SkyRL-Gym", extra="skyrl"):
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
    from skyrl_gym.envs.registration import register, registry

ID = "trapline"
MOST_TURNS = 400
"""Beyond this an episode is broken off; every rulebook's own limit comes sooner."""

Messages = list[dict[str, str]]


class TraplineEnv(BaseTextEnv):  # type: ignore[misc]  # no types
    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        given = dict(extras or {})
        self._seed = given.pop("seed", None)
        self.max_turns = given.pop("max_turns", MOST_TURNS)
        self._match = TextMatch(**{**dict(env_config or {}), **given})

    def init(self, prompt: Messages) -> tuple[Messages, dict[str, Any]]:
        text, info = self._match.reset(self._seed)
        return [*prompt, {"role": "user", "content": text}], info

    def step(self, action: str) -> BaseTextEnvStepOutput:
        text, reward, over, info = self._match.step(action)
        self.turns += 1
        done = over or self.turns >= self.max_turns
        said = [] if done else [{"role": "user", "content": text}]
        return BaseTextEnvStepOutput(observations=said, reward=reward, done=done, metadata=info)

    def get_metrics(self) -> dict[str, float]:
        return {"result": self._match.result, "regret": sum(self._match.regrets)}


if ID not in registry:
    register(id=ID, entry_point=TraplineEnv)
