"""MaskablePPO of sb3-contrib learns by the standard wrappers."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib", reason="bench/trainers.py installs it")

from bench.maskable_ppo import exploitabilities


def test_two_parts_of_its_training_leave_less_than_a_quarter_to_gain() -> None:
    before, _, after = exploitabilities(parts=2)
    assert after < before / 4
