"""The example of self-play learns, and says rightly how well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.adapters.vector import VectorGame
from trapline.solve import best_response

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return __import__("self_play")


def test_self_play_nears_the_equilibrium(example: Any) -> None:
    games = VectorGame(example.GAME, 512, seed=1, first=1, auto_reset=False, **example.OPTIONS)
    memory, learner = example.Memory(games), example.Learner(games.actions)
    judge, rng = example.Judge(example.GAME, example.OPTIONS), np.random.default_rng(1)
    begin = judge.certify(learner, example.Memory)
    for batch in range(1, 101):
        example.play(games, memory, learner, rng, weight=batch)
    end = judge.certify(learner, example.Memory)
    assert begin.exploitability > 0.4
    assert end.exploitability < 0.15
    assert end.lower < -23 / 53 < end.upper


def test_the_judge_finds_the_strategy_it_was_given(example: Any) -> None:
    """Who has learnt nothing hides square by square and runs at random."""
    judge = example.Judge(example.GAME, example.OPTIONS)
    found = judge.certify(example.Learner(10), example.Memory)
    even = best_response.uniform(judge.tree).table
    game = example.make_game(example.GAME, example.OPTIONS)
    mix = np.array([_chance_of(game, secret) for secret in judge.secrets])
    assert mix.sum() == pytest.approx(1)
    wanted = best_response.certify(judge.tree, best_response.Profile((mix, mix), even))
    assert found == pytest.approx(wanted)


def _chance_of(game: Any, secret: tuple[int, ...]) -> float:
    chance = 1.0
    for n in range(len(secret)):
        chance /= len(game.next_traps(secret[:n]))
    return chance


def test_it_runs_from_the_command_line() -> None:
    command = [sys.executable, str(EXAMPLES / "self_play.py"), "--minutes", "0.01", "--lanes", "64"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Equilibrium: the first to move gets -0.4340 a match")
    assert "exploitability" in done.stdout
    assert done.stderr == ""
