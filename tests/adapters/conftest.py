"""Tests of adapters share what is compiled: in a folder of its own each would do it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trapline.simulate import compiled

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def rules_folder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder: Path = request.config.cache.mkdir("compiled_rules")
    monkeypatch.setattr(compiled, "rules_folder", lambda: folder)
    return folder
