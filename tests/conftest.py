"""Every test keeps its matches in a folder of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from trapline.games import finding

# Machines differ in speed, and a slow one must not make a true property fail. On CI the same
# examples are drawn every time, so that a change is blamed for what it did; by hand, new ones.
settings.register_profile(
    "trapline",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("trapline")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for others begins first, so that nothing waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("early") is None)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("TRAPLINE_HOME", str(folder))
    # Compiling takes seconds for each game: all tests share the result, and the next run does.
    # A file there is named by what it was compiled from; `pytest --cache-clear` empties the folder.
    assert pytestconfig.cache is not None
    monkeypatch.setenv("TRAPLINE_COMPILED", str(pytestconfig.cache.mkdir("compiled")))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder


@pytest.fixture(autouse=True)
def _games_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test loads is gone with it: another may call its own game by the same name."""
    monkeypatch.setattr(finding, "_loaded", dict(finding._loaded))


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where screenshots go: a folder of the test, or the one that the environment names."""
    folder = Path(os.environ.get("TRAPLINE_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
