"""Kaggle's harness for language models around our OpenSpiel games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.trainers.replies import GAME

kaggle = pytest.importorskip("kaggle_environments", reason="bench/trainers.py installs it")

from kaggle_environments import core_harness  # noqa: E402 (only where Kaggle's are)

from trapline.adapters import open_spiel  # noqa: E402 (likewise)
from trapline.adapters.kaggle import Harness, register  # noqa: E402 (likewise)
from trapline.audit import audit  # noqa: E402 (likewise)
from trapline.core import TraplineError  # noqa: E402 (likewise)
from trapline.games import GAMES, make_game  # noqa: E402 (likewise)

OPTIONS = {"length": 5, "traps": 1}
DETAILS: dict[str, Any] = {
    "prompt_tokens": 1, "generation_tokens": 1, "total_tokens": 2, "finish_reason": "stop",
    "duration_secs": 0.0,
}  # fmt: skip
"""What Kaggle notes of a call."""
NAME = open_spiel.short_name(GAME)


def environment() -> Any:
    name = register(f"{NAME}(length=5,traps=1,first=1)")
    return kaggle.make(name, configuration={"includeLegalActions": True})


def test_a_match_of_two_models_and_no_agent_is_handed_the_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prompts: list[str] = []

    def model(prompt: str, *_: Any) -> tuple[str, dict[str, Any]]:
        prompts.append(prompt)
        if len(prompts) == 2:
            return 'I take {"move": "the moon"}.', DETAILS
        legal = prompt.rsplit("each in quotes: ", 1)[1].split(", ")[0].rstrip(".")
        return f'So be it: {{"move": {legal}}}', DETAILS

    monkeypatch.setattr(core_harness, "_call_llm", model)
    harness = Harness(GAME, **OPTIONS)
    agents = [
        core_harness.create_agent_fn(harness, model_override=("scripted", {})) for _ in range(2)
    ]
    env = environment()
    steps = env.run(agents)
    assert [agent.status for agent in steps[-1]] == ["DONE", "DONE"]
    assert sum(agent.reward for agent in steps[-1]) == 0
    assert "could not be used" in prompts[2]
    for step in steps:
        assert "serializedGameAndState" not in json.dumps([agent.observation for agent in step])


def test_the_three_functions() -> None:
    env = environment()
    env.reset()
    env.step([{"submission": -1}] * 2)
    harness = Harness(GAME, **OPTIONS)
    seen = env.state[0].observation
    legal = harness.get_legal_moves(seen)
    assert len(legal) == 4
    prompt = harness.generate_prompt(seen, [])
    assert "You are Player 1." in prompt
    assert all(f'"{move}"' in prompt for move in legal.values())
    move = next(iter(legal.values()))
    parsed = harness.parse_response(f'{{"move": "{move}"}}', list(legal.values()))
    assert parsed.legal_action == move
    assert harness.parse_response("no", list(legal.values())).legal_action is None


@pytest.mark.parametrize("name", GAMES)
def test_no_agent_is_handed_a_state_that_holds_secrets(name: str) -> None:
    env = kaggle.make(register(open_spiel.short_name(name)))
    env.reset()
    env.step([{"submission": -1}] * 2)
    for agent in env.state:
        assert agent.observation["observationString"]
        assert ("serializedGameAndState" in agent.observation) != make_game(name).hides


def test_a_game_that_is_none_is_refused_with_its_reason() -> None:
    with pytest.raises(TraplineError, match="traps=9 is more than the 4"):
        register(f"{NAME}(length=5,traps=9)")
    with pytest.raises(TraplineError, match="Unknown game 'trapline_nothing'"):
        audit("kaggle:open_spiel_trapline_nothing", seconds=2)


def found(name: str) -> set[str]:
    return {finding.check for finding in audit(f"kaggle:open_spiel_{name}", seconds=2).findings}


def test_the_audit_finds_a_state_that_is_handed_over() -> None:
    assert "leak" in found("universal_poker")


@pytest.mark.parametrize("game", [f"{NAME}(length=5,traps=1)", "trapline_numeric_maze"])
def test_the_audit_finds_nothing_of_ours(game: str) -> None:
    """But that Kaggle's reset is none."""
    assert found(game) <= {"reset", "decided"}
