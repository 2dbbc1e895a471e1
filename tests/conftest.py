"""Every test keeps its matches in a folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pathlib import Path

# Machines differ in speed, and a slow one must not make a true property fail.
settings.register_profile(
    "trapline", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("trapline")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("TRAPLINE_HOME", str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder
