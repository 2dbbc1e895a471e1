"""Inspect runs whole evaluations with its mock model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.trainers.replies import GAME, OPTIONS, first_legal

inspect_ai = pytest.importorskip("inspect_ai", reason="bench/trainers.py installs it")

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402 (only where Inspect is)

from trapline.adapters.inspect_ai import trapline  # noqa: E402 (likewise)

if TYPE_CHECKING:
    from pathlib import Path


def mock(reply: Any) -> Any:
    def answer(messages: Any, *_: Any) -> Any:
        output = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        output.usage = ModelUsage()  # or Inspect would count tokens with a file from the network
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def figures(folder: Path, reply: Any) -> dict[str, float]:
    task = trapline(GAME, matches=4, opponent="random", match=OPTIONS)
    (log,) = inspect_ai.eval(task, model=mock(reply), log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    assert log.results.total_samples == log.results.completed_samples == 4
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def test_an_evaluation_scores_results_and_what_choices_cost(tmp_path: Path) -> None:
    found = figures(tmp_path, first_legal)
    assert set(found) == {"result", "regret", "forfeit"}
    assert found["forfeit"] == 0
    assert found["regret"] >= 0


def test_a_model_that_never_answers_forfeits_all_that_could_be_had(tmp_path: Path) -> None:
    found = figures(tmp_path, lambda _text: "I pass.")
    assert (found["forfeit"], found["result"]) == (1.0, -1.0)
    assert found["regret"] > 0
