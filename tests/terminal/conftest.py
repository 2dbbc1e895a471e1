"""What all tests of the terminal have in common."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves, unless a test is about motion."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
