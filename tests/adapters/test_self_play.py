"""The example of self-play learns, and says rightly how well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.adapters.encoding import Encoding
from trapline.adapters.vector import VectorGame
from trapline.arena.decisions import Decisions, best_response, evenly, plan, worth
from trapline.core import SEATS, Seat

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
    learner = example.Learner(Encoding(game).actions)
    found = judge.certify(learner, example.Memory)
    one, two = (_square_by_square(game, judge.decisions, seat) for seat in SEATS)
    lower = worth(judge.decisions, one, best_response(judge.decisions, 2, one))
    upper = worth(judge.decisions, best_response(judge.decisions, 1, two), two)
    assert (found.lower, found.upper) == pytest.approx((lower, upper))
    assert lower < upper


def _square_by_square(game: Any, decisions: Decisions, seat: Seat) -> Any:
    chances = evenly(decisions, seat)
    hiding = game.question(game.start(1), seat)
    (first,) = [decision for decision in decisions.of(seat) if decision.before == 0]
    chances[first.sequences] = [_chance_of(hiding, secret) for secret in first.answers]
    assert chances[first.sequences].sum() == pytest.approx(1)
    return plan(decisions, seat, chances)


def _chance_of(hiding: Any, secret: Any) -> float:
    chance, chosen = 1.0, 0
    for square in secret:
        chance /= len(hiding.next_parts(chosen))
        chosen |= 1 << square
    return chance


def test_it_runs_from_the_command_line() -> None:
    command = [sys.executable, str(EXAMPLES / "self_play.py"), "--minutes", "0.01", "--lanes", "64"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Equilibrium: the first to move gets -0.4340 a match")
    assert "exploitability" in done.stdout
    assert done.stderr == ""
