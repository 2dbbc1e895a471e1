"""A value is told only where players can know where they are: best play is a guess elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit import heaps
from tests.audit.looks import looked

if TYPE_CHECKING:
    from pathlib import Path

GUESSING = """
import gymnasium
import numpy as np
from gymnasium import spaces


class GuessingEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-1, 9, (4,), np.int64)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.chosen, self.mover, self.turn = [], 0, 0
        return self.seen(), {}

    def seen(self):
        mine = self.chosen[self.mover] if self.mover < len(self.chosen) else -1
        theirs = -1
        return np.array([self.mover, self.turn, mine, theirs])

    def valid_moves(self):
        return [0, 1, 2]

    def step(self, action):
        if self.turn < 2:
            self.chosen.append(action)
        elif action == self.chosen[1 - self.mover]:
            return self.seen(), 1, True, False, {}
        elif self.turn == 5:
            return self.seen(), 0, True, False, {}
        self.turn += 1
        self.mover = 1 - self.mover
        return self.seen(), 0, False, False, {}
"""
"""Each chooses a number, and wins by naming the other's."""
THEIRS = "theirs = -1\n"
ALWAYS = "theirs = self.chosen[1 - self.mover] if self.turn > 0 else -1\n"
ONCE = "theirs = self.chosen[1 - self.mover] if self.turn in (1, 2) else -1\n"
"""Whoever has seen it remembers it."""


def test_what_one_has_to_guess_has_no_value(tmp_path: Path) -> None:
    report = looked(heaps.written(tmp_path, GUESSING))
    assert report.exhaustive
    assert report.figures.value is None
    assert report.certificate is None
    assert not report.findings


@pytest.mark.parametrize("shown", [ALWAYS, ONCE])
def test_what_was_shown_once_is_known(tmp_path: Path, shown: str) -> None:
    report = looked(heaps.written(tmp_path, GUESSING, (THEIRS, shown)))
    assert report.figures.value == 1.0
    assert [finding.check for finding in report.findings] == ["decided"]


def test_what_makes_no_difference_need_not_be_seen(tmp_path: Path) -> None:
    """It keeps the whole past, by which no more happens than by the heap."""
    kept = "        self.past = [*getattr(self, 'past', []), action][: 7 - self.heap]\n"
    anew = (heaps.HEAP, f"        self.past = []\n{heaps.HEAP}")
    report = looked(heaps.written(tmp_path, heaps.TEXT, (heaps.MOVE, kept + heaps.MOVE), anew))
    assert report.exhaustive
    assert report.figures.value == 1.0


def test_a_game_with_a_dead_end_has_no_value(tmp_path: Path) -> None:
    """It was called a draw: what nobody can go on from was taken for play without end."""
    stuck = ("if move <= self.heap]", "if move <= self.heap and self.heap != 2]")
    report = looked(heaps.written(tmp_path, heaps.TEXT, stuck))
    assert report.exhaustive
    assert "deadlock" in [finding.check for finding in report.findings]
    assert report.figures.value is None
    assert report.certificate is None
