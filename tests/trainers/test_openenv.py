"""OpenEnv: served for real, called by its client, and checked by its validator."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.trainers.replies import GAME, OPTIONS, first_legal

pytest.importorskip("openenv", reason="bench/trainers.py installs it")

import uvicorn

from trapline.adapters.openenv import Reply, TraplineClient, make_app

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    app = make_app(GAME, opponent="random", reward="regret", **OPTIONS)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_whole_matches_through_the_client(url: str) -> None:
    stories = []
    for _ in range(2):
        with TraplineClient(base_url=url).sync() as client:
            result = client.reset(seed=3, episode_id="ours")
            story = [result.observation.text]
            while not result.done:
                result = client.step(Reply(text=first_legal(story[-1])))
                story.append(result.observation.text)
                assert -1 <= result.reward <= 0
            state = client.state()
            assert (state.episode_id, state.step_count) == ("ours", len(story) - 1)
            assert result.observation.info["over"]
            stories.append(story)
    assert stories[0] == stories[1]


def test_sessions_are_matches_of_their_own(url: str) -> None:
    with TraplineClient(base_url=url).sync() as one, TraplineClient(base_url=url).sync() as two:
        one.reset(seed=1)
        two.reset(seed=1)
        one.step(Reply(text="[2]"))
        assert (one.state().step_count, two.state().step_count) == (1, 0)


def test_the_state_that_anybody_may_ask_for_holds_no_secret(url: str) -> None:
    with TraplineClient(base_url=url).sync() as client:
        client.reset(seed=1)
        assert set(client.state().model_dump()) == {"episode_id", "step_count"}


def test_its_own_validator_passes(url: str) -> None:
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(url)
    assert report["passed"], report
