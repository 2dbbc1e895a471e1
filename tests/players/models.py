"""Models that tests make up, at a real HTTP endpoint on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.llm_server import Answer
from trapline.games import make_game
from trapline.players import Opponent, find_player
from trapline.players.llm.settings import Settings
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tests.llm_server import Server

KEY = "sk-this-key-is-nobody-elses-business"
QUICK = Settings(timeout=5.0, retries=2, backoff=0.001, prices={"tiny": (2.0, 50.0)})


def player(server: Server, monkeypatch: pytest.MonkeyPatch, settings: Settings = QUICK) -> Opponent:
    monkeypatch.setenv("TRAPLINE_LLM_URL", server.url)
    monkeypatch.setenv("TRAPLINE_LLM_KEY", KEY)
    return find_player("llm:tiny", settings)


def maze() -> Match:
    return Match(make_game("numeric-maze"), 1)


def saying(*texts: str) -> Callable[[dict[str, Any], int], Answer]:
    """One text after the other, and the last for ever."""
    return lambda _request, number: Answer(texts[min(number, len(texts) - 1)])
