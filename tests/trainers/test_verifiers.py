"""verifiers 0.4: tasks are loaded, an episode is run by its own machinery, rewards are recorded."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.llm_server import Answer, Server
from tests.trainers.replies import GAME, OPTIONS, first_legal

vf = pytest.importorskip("verifiers.v1", reason="bench/trainers.py installs it")

MATCH = {"opponent": "random", "reward": "regret", **OPTIONS}
TASKSET = {"id": "trapline-verifiers", "game": GAME, "match": MATCH}


def answer(request: dict[str, Any], _number: int) -> Answer:
    return Answer(first_legal(request["messages"][-1]["content"]))


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("SCRIPTED_KEY", "none")
    player = {"harness": {"id": "trapline_test_harness"}, "runtime": {"type": "subprocess"}}
    config = vf.env_config_type("trapline-verifiers")(taskset=TASKSET, player=player)
    return vf.load_environment(config)


def test_a_task_is_a_seed_and_the_taskset_never_ends(environment: Any) -> None:
    taskset = environment.taskset
    tasks = list(taskset.take(3))
    assert [task.data.seed for task in tasks] == [0, 1, 2]
    assert "You are Player 1" in tasks[0].data.prompt
    assert not taskset.bounded


def test_an_episode_is_a_match_and_its_reward_is_recorded(environment: Any) -> None:
    async def run(url: str) -> list[Any]:
        client = vf.EvalClientConfig(base_url=url, api_key_var="SCRIPTED_KEY")
        context = vf.ModelContext(model="scripted", client=client)
        async with environment.serving():
            slots = [environment.slots(task)[0] for task in environment.taskset.take(3)]
            return [await environment.run_slot(slot, context) for slot in slots]

    with Server(answer) as server:
        episodes = asyncio.run(run(server.url))
    assert [episode.errors for episode in episodes] == [[]] * 3
    for episode in episodes:
        (trace,) = episode.traces
        assert -1 <= trace.rewards["match"].value <= 0
        assert trace.metrics["result"] in (-1.0, 0.0, 1.0)
        assert trace.metrics["regret"] == pytest.approx(-2 * trace.rewards["match"].value)


def test_its_own_validator_passes(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("vf-validate")
    told = subprocess.run(
        [program, "trapline-verifiers", "--taskset.game", GAME, "--only-setup",
         "--runtime.type", "subprocess", "-n", "3", "--no-rich", "-o", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    summaries = [path.read_text("utf-8") for path in tmp_path.rglob("summary.json")]
    assert len(summaries) == 1
    assert '"valid": 3' in summaries[0], summaries[0]
