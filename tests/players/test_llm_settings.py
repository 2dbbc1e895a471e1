"""Where a language model is found, and how it is asked: the environment says."""

from __future__ import annotations

import pytest

from tests.players.models import KEY
from trapline.core import OptionsError, TraplineError
from trapline.players import PLAYERS, find_player
from trapline.players.llm.settings import Address, Settings, find_address, settings_from_environment


def test_a_model_without_an_endpoint_is_refused_with_the_variables_name() -> None:
    with pytest.raises(TraplineError, match="TRAPLINE_LLM_URL"):
        find_player("llm:tiny")


@pytest.mark.parametrize("name", ["god", "llm:", "LLM:x", "", "llm:\x1b[31m"])
def test_a_player_that_is_not_there_is_refused_with_the_list(name: str) -> None:
    listed = f"{', '.join(PLAYERS)}, strength:N .* and llm:NAME"
    with pytest.raises(OptionsError, match=listed):
        find_player(name)


def test_a_key_goes_only_where_it_was_meant_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1/")
    assert find_address() == Address("http://127.0.0.1:1/v1", KEY)
    monkeypatch.setenv("TRAPLINE_LLM_URL", "http://127.0.0.1:2/v1")
    assert find_address() == Address("http://127.0.0.1:2/v1", None)
    monkeypatch.setenv("TRAPLINE_LLM_KEY", "mine")
    assert find_address() == Address("http://127.0.0.1:2/v1", "mine")
    assert "mine" not in repr(find_address())


@pytest.mark.parametrize("url", ["file:///etc/passwd", "127.0.0.1:80", "http:nowhere"])
def test_an_address_that_is_none_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_LLM_URL", url)
    with pytest.raises(TraplineError, match="begins with http or https"):
        find_address()


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_LLM_TIMEOUT", "7.5")
    monkeypatch.setenv("TRAPLINE_LLM_TEMPERATURE", "null")
    monkeypatch.setenv("TRAPLINE_LLM_PRICES", '{"tiny": [1, 2]}')
    assert settings_from_environment() == Settings(
        timeout=7.5, temperature=None, prices={"tiny": (1.0, 2.0)}
    )
    monkeypatch.setenv("TRAPLINE_LLM_RETRIES", "-1")
    with pytest.raises(TraplineError, match="TRAPLINE_LLM_RETRIES cannot be '-1'"):
        settings_from_environment()
