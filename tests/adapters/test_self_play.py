"""The example of self-play learns, and says rightly how well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from trapline.adapters.vector import VectorGame
from trapline.simulate.encoding import Encoding
from trapline.solve import best_response, tree
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from trapline.core import Question

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
    game = example.make_game(example.GAME, example.OPTIONS)
    found = judge.certify(example.Learner(Encoding(game).actions), example.Memory)
    built = tree.build(GameModel(game), to_the_end=True)
    hiding = game.question(game.start(1), 1)
    assert hiding is not None
    mix = np.array([_chance_of(hiding, secret) for secret in hiding.values()])
    assert mix.sum() == pytest.approx(1)
    profile = best_response.Profile((mix, mix), best_response.uniform(built).table)
    assert found == pytest.approx(best_response.certify(built, profile))


def _chance_of(hiding: Question, secret: int) -> float:
    chance, chosen = 1.0, 0
    for place in range(secret.bit_length()):
        if secret >> place & 1:
            chance /= len(hiding.next_parts(chosen))
            chosen |= 1 << place
    return chance


def test_it_runs_from_the_command_line() -> None:
    command = [sys.executable, str(EXAMPLES / "self_play.py"), "--minutes", "0.01", "--lanes", "64"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Equilibrium: the first to move gets -0.4340 a match")
    assert "exploitability" in done.stdout
    assert done.stderr == ""
