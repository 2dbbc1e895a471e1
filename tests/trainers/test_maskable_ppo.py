"""MaskablePPO of sb3-contrib learns by the standard wrappers."""

from __future__ import annotations

import os

import pytest
from bench.maskable_ppo import exploitabilities

if "CI" not in os.environ:  # where `scripts/test` installs it, so that it is missing by a fault
    pytest.importorskip("sb3_contrib", reason="bench/trainers.py installs it")


@pytest.mark.filterwarnings("default")  # what others warn of is their own affair
def test_two_parts_of_its_training_leave_less_than_a_quarter_to_gain() -> None:
    before, _, after = exploitabilities(parts=2)
    assert after < before / 4
