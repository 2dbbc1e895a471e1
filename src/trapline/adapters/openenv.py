"""Any game as an OpenEnv environment: a server, and the client that calls it.

    uvicorn.run(make_app("./pebbles.py", opponent="perfect"), port=8000)
    with TraplineClient(base_url="http://127.0.0.1:8000").sync() as client:
        told = client.reset(seed=7).observation.text

Each session has a match of its own. Observations, infos and the state that anybody may ask for
hold nothing that the seat may not know.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

from trapline.adapters import needs
from trapline.text.match import TextMatch

with needs("OpenEnv", extra="openenv"):
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State


class Reply(Action):  # type: ignore[misc]  # not installed beside our checks
    text: str


class Told(Observation):  # type: ignore[misc]  # likewise
    text: str
    info: dict[str, Any] = {}  # noqa: RUF012 (pydantic copies it)


class TraplineEnvironment(Environment):  # type: ignore[misc]  # likewise
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: str, **match: Any) -> None:
        super().__init__()
        self._match = TextMatch(game, **match)
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Told:
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        text, info = self._match.reset(seed)
        return Told(text=text, info=info, done=False, reward=0.0)

    def step(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Told:  # theirs
        text, reward, over, info = self._match.step(action.text)
        self._state.step_count += 1
        return Told(text=text, info=info, done=over, reward=reward)

    @property
    def state(self) -> State:
        return self._state


class TraplineClient(EnvClient[Reply, Told, State]):  # type: ignore[misc]  # likewise
    def _step_payload(self, action: Reply) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Told]:
        done, reward = bool(payload.get("done")), payload.get("reward")
        told = Told(**{**payload["observation"], "done": done, "reward": reward})
        return StepResult(observation=told, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def make_app(game: str, *, sessions: int = 64, **match: Any) -> Any:
    """The server for uvicorn; `match` are arguments of `TextMatch`."""
    made = partial(TraplineEnvironment, game, **match)
    return create_app(made, Reply, Told, env_name="trapline", max_concurrent_envs=sessions)
