"""Nothing of what the machine says about models reaches a test."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("TRAPLINE_LLM", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
