"""Games that one test has loaded are unknown to the next one."""

from __future__ import annotations

import pytest

from trapline.games import finding


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_loaded", {})
