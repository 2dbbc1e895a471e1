"""MaskablePPO of sb3-contrib learns by the standard wrappers."""

from __future__ import annotations

import os

import pytest
from bench.maskable_ppo import STEPS, exploitabilities

if "CI" not in os.environ:  # where `scripts/test` installs it, so that it is missing by a fault
    pytest.importorskip("sb3_contrib", reason="bench/trainers.py installs it")


@pytest.mark.filterwarnings("default")  # what others warn of is their own affair
def test_half_of_its_training_leaves_less_than_a_quarter_to_gain() -> None:
    before, after = exploitabilities(parts=1, steps=2 * STEPS)
    assert after < before / 4
