"""Language models in a tournament: away, without an answer, or there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.arena.tournaments import hold, lines
from tests.llm_server import Answer, Server, first_legal
from trapline.core import TraplineError
from trapline.report import arena_page
from trapline.terminal import arena as screen

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-this-key-is-nobody-elses-business"
MODELS = """
players = ["random", "llm:tiny"]
matches = 6
samples = 2
[llm]
retries = 0
backoff = 0.001
corrections = 1
prices = { tiny = [1.0, 1.0] }
[[games]]
game = "numeric-maze"
options = { length = 4, traps = [], turn_limit = 8 }
"""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("TRAPLINE_LLM_KEY", KEY)
    return monkeypatch


def test_a_model_that_was_away_is_asked_by_the_next_run(
    tmp_path: Path,
    endpoint: pytest.MonkeyPatch,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    text = MODELS.replace('"random",', '"random", "casual",')
    with Server(lambda *_: Answer(status=500)) as away:
        endpoint.setenv("TRAPLINE_LLM_URL", away.url)
        report = hold(text, out)
    assert report.played == 6  # random against casual
    assert len(report.unfinished) == 12 + 2
    whys = [missing.why for missing in report.unfinished]
    assert "llm:tiny cannot be asked: its endpoint answered with status 500" in whys[0]
    assert "Not tried: llm:tiny could not be asked before." in whys
    assert len(away.bodies) < 10
    page = arena_page.page(report)
    assert "Not finished" in page
    assert whys[0] in page
    screen.tell(report)
    told = capsys.readouterr().out
    assert "the same command tries these again" in told
    assert "and 4 more" in told
    before = out.read_bytes()

    with Server(first_legal) as there:
        endpoint.setenv("TRAPLINE_LLM_URL", there.url)
        report = hold(text, out)
        assert report.unfinished == []
        assert report.played == 18
        asked = len(there.bodies)
        assert hold(text, out) == report
        assert hold(text, tmp_path / "again").played == 18
        assert len(there.bodies) == asked > 0  # all of it was kept
    assert out.read_bytes().startswith(before)
    spent = next(s.spent for s in report.standings if s.player == "llm:tiny")
    assert spent is not None
    assert spent.replies >= asked
    assert spent.cost == pytest.approx(spent.replies * 1010 / 1e6)
    for path in (*tmp_path.rglob("*"), *home.rglob("*")):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_a_forfeit_is_a_loss_and_no_strategy(tmp_path: Path, endpoint: pytest.MonkeyPatch) -> None:
    with Server(lambda *_: Answer("I pass.")) as server:
        endpoint.setenv("TRAPLINE_LLM_URL", server.url)
        report = hold(MODELS, tmp_path / "out")
    by_name = {standing.player: standing for standing in report.standings}
    assert by_name["llm:tiny"].forfeits == by_name["random"].score.won == 6
    assert by_name["random"].forfeits == 0
    assert [missing.why for missing in report.unfinished] == [
        "llm:tiny gave no usable answer at one of its decisions."
    ] * 2
    assert {line["reason"] for line in lines(tmp_path / "out") if line["type"] == "match"} == {
        "resigned"
    }


def test_answers_that_cannot_be_used_are_counted_in_a_strategy(
    tmp_path: Path, endpoint: pytest.MonkeyPatch
) -> None:
    def moody(request: dict[str, Any], number: int) -> Answer:
        return Answer("I pass.") if number % 7 < 2 else first_legal(request)

    with Server(moody) as server:
        endpoint.setenv("TRAPLINE_LLM_URL", server.url)
        text = MODELS.replace("samples = 2", "samples = 40").replace("matches = 6", "matches = 1")
        report = hold(text.replace("corrections = 1", "corrections = 0"), tmp_path / "out")
    (found,) = next(s for s in report.standings if s.player == "llm:tiny").exploitabilities.values()
    assert found.unusable > 0
    assert found.claimed == 1.0  # always one step: whoever knows it wins from either seat


def test_a_model_without_an_endpoint_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TRAPLINE_LLM_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(TraplineError, match="TRAPLINE_LLM_URL"):
        hold(MODELS, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b""


def test_a_name_is_text_on_the_page(tmp_path: Path, endpoint: pytest.MonkeyPatch) -> None:
    with Server(first_legal) as server:
        endpoint.setenv("TRAPLINE_LLM_URL", server.url)
        report = hold(MODELS.replace("llm:tiny", "llm:<b>x</b>"), tmp_path / "out")
    page = arena_page.page(report)
    assert "<b>x</b>" not in page
    assert "llm:&lt;b&gt;x" in page
    assert "price" not in page.lower() or "not known" in page
