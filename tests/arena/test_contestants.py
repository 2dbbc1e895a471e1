"""Whoever may take part: agents of one's own, several endpoints; estimates, caps, transcripts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.arena.own_agents import first_legal as agent
from tests.arena.tournaments import CUP, hold, lines
from tests.llm_server import Answer, Server, first_legal
from trapline.arena import config as configs
from trapline.arena.estimate import estimate
from trapline.arena.results import Results
from trapline.arena.run import tasks
from trapline.core import TraplineError
from trapline.players import is_own, is_player
from trapline.report import arena_page
from trapline.terminal import arena as screen

PROGRAM = Path(__file__).with_name("own_agents.py")
MAZE = """
matches = 4
[llm]
retries = 0
corrections = 1
prices = { tiny = [1.0, 1.0] }
[[games]]
game = "numeric-maze"
options = { length = 6, traps = [3], turn_limit = 12 }
"""


def cup(*players: str, more: str = "") -> str:
    return f"players = {json.dumps(players)}\n{more}{MAZE}"


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


# --- agents of one's own ----------------------------------------------------------------


def test_a_function_a_program_and_a_bot_behind_an_address_play_alike(tmp_path: Path) -> None:
    def bot(asked: dict[str, Any], _number: int) -> Answer:
        return Answer(raw=agent(asked).encode())

    with Server(bot) as server:
        names = (
            "tests.arena.own_agents:first_legal",
            f"command:{sys.executable} {PROGRAM}",
            f"{server.url}/move",
        )
        for number, name in enumerate(names):
            report = hold(cup("random", name), tmp_path / str(number))
            assert report.unfinished == []
            assert report.played == 4
    told = [line["said"] for line in lines(tmp_path / "0.transcripts.jsonl")]
    questions = [exchange for match in told for said in match.values() for exchange in said]
    assert all("# Your question" in question["prompt"] for question in questions)
    assert {question["reply"][:18] for question in questions} == {"I take the first. "}
    assert all("said" not in line or not line["said"] for line in lines(tmp_path / "0"))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("python:tests.arena.own_agents:broken", "it raised RuntimeError: out of ideas."),
        (f"command:{sys.executable} {PROGRAM} die", "its program ended, or gave no line in time."),
        ("command:/no/such/program", "No such file or directory."),
        ("http://127.0.0.1:9/move", "Connection refused"),
    ],
)
def test_an_agent_that_is_not_there_costs_nobody_else_a_match(
    name: str, why: str, tmp_path: Path
) -> None:
    report = hold(cup("random", "casual", name), tmp_path / "out")
    assert report.played == 4
    assert len(report.unfinished) == 8
    assert why in report.unfinished[0].why
    (away,) = [s for s in report.standings if s.rating is None]
    assert away is report.standings[-1]
    assert away.player == name
    assert "no match yet" in arena_page.page(report)


def test_an_address_that_does_not_speak_http_is_one_that_cannot_be_asked(tmp_path: Path) -> None:
    with Server(lambda *_: Answer(status=99)) as server:
        report = hold(cup("random", f"{server.url}/move"), tmp_path / "out")
    whys = [left.why for left in report.unfinished]
    assert len(whys) == 4
    assert "cannot be asked: 'HTTP/1.0 99'." in whys[0]
    assert all("asked" in why for why in whys)


def test_half_a_character_in_a_reply_ends_no_tournament(tmp_path: Path) -> None:
    report = hold(cup("random", "tests.arena.own_agents:halved"), tmp_path / "out")
    assert report.unfinished == []
    told = [line["said"] for line in lines(tmp_path / "out.transcripts.jsonl")]
    replies = [exchange["reply"] for said in told for each in said.values() for exchange in each]
    assert {reply[:9] for reply in replies} == {"? I take "}


@pytest.mark.parametrize("name", ["python:tests:nobody", "command:'./my_bot --fast"])
def test_an_agent_that_cannot_be_is_refused_before_anything_is_played(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(TraplineError, match=f"There is no agent {name}: "):
        hold(cup("random", name), tmp_path / "out")


def test_names_that_run_programs_are_no_players_elsewhere() -> None:
    """A server or a saved match must not start what a name says."""
    for name in ("a:b", "a.b:c", "python:a:b", "command:true", "http://127.0.0.1/x"):
        assert is_own(name)
        assert not is_player(name)
    for name in ("llm:a", "llm@a:b", "strength:50", "a:", ":b", "a b:c"):
        assert not is_own(name)


# --- forfeits ---------------------------------------------------------------------------


def test_a_forfeit_counts_as_all_that_could_still_be_had(tmp_path: Path) -> None:
    mute = "python:tests.arena.own_agents:mute"
    report = hold(cup("random", "perfect", mute), tmp_path / "out")
    by_name = {standing.player: standing for standing in report.standings}
    assert by_name[mute].forfeits == 8
    silent, random = by_name[mute].regret, by_name["random"].regret
    assert silent is not None
    assert random is not None
    assert silent.choices == 8
    assert silent.mean > random.mean
    forfeits = [line["forfeited"] for line in lines(tmp_path / "out") if line["forfeit"]]
    assert sorted(set(forfeits)) == [0.0, 2.0]  # from the lost seat, and from the won one


# --- endpoints, estimates, caps ---------------------------------------------------------


def test_models_of_several_endpoints_each_with_its_own_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(first_legal) as one, Server(first_legal) as two:
        monkeypatch.setenv("TRAPLINE_LLM_URL", one.url)
        monkeypatch.setenv("TRAPLINE_LLM_KEY", "key-one")
        monkeypatch.setenv("TRAPLINE_LLM_URL_OTHER", two.url)
        monkeypatch.setenv("TRAPLINE_LLM_KEY_OTHER", "key-two")
        report = hold(cup("llm:tiny", "llm@other:tiny"), tmp_path / "out")
        assert report.unfinished == []
        assert set(one.keys) == {"Bearer key-one"}
        assert set(two.keys) == {"Bearer key-two"}
        with pytest.raises(TraplineError, match="an endpoint called third: set TRAPLINE_LLM_URL_T"):
            hold(cup("llm:tiny", "llm@third:tiny"), tmp_path / "out")


def test_an_estimate_is_near_what_is_asked_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = cup("random", "llm:tiny", more="samples = 2\n").replace("matches = 4", "matches = 20")
    text = text.replace(
        "length = 6, traps = [3], turn_limit = 12", "length = 4, traps = [], turn_limit = 6"
    )
    found = estimate(tasks(configs.parse(text)))
    (demand,) = found.demands
    assert (found.matches, found.strategies) == (20, 4)
    assert demand.cost == pytest.approx((demand.tokens_in + demand.tokens_out) / 1e6, rel=1e-3)
    with Server(first_legal) as server:
        monkeypatch.setenv("TRAPLINE_LLM_URL", server.url)
        config = tmp_path / "cup.toml"
        config.write_text(text, "utf-8")
        screen.tell_estimate(screen.foresee(config))
        assert server.bodies == []
        hold(text, tmp_path / "cup.jsonl")
        # Habits come to fewer decisions, and small steps make longer matches.
        assert found.requests / 6 < len(server.bodies) < found.requests * 3
        assert screen.foresee(config).requests == 0
    told = capsys.readouterr().out
    assert "20 matches and 4 strategies are left" in told
    assert "llm:tiny" in told


def test_a_cap_stops_asking_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = cup("random", "casual", "llm:tiny", more="most_requests = 3\n")
    with Server(first_legal) as server:
        monkeypatch.setenv("TRAPLINE_LLM_URL", server.url)
        report = hold(text.replace("matches = 4", "matches = 12"), tmp_path / "out")
        whys = {missing.why for missing in report.unfinished}
        assert whys == {"Not tried: this run was to send at most 3 requests."}
        assert 12 < report.played < 36
        again = hold(text.replace("matches = 4", "matches = 12"), tmp_path / "out")
        assert again.played > report.played


def test_results_of_two_machines_are_merged(tmp_path: Path) -> None:
    hold(CUP, tmp_path / "mine")
    hold(CUP.replace("matches = 4", "matches = 6"), tmp_path / "theirs")
    before = (tmp_path / "mine").read_bytes()
    with Results(tmp_path / "mine") as results:
        assert results.merge(tmp_path / "theirs") == 6
        assert results.merge(tmp_path / "theirs") == 0
        with pytest.raises(TraplineError, match="cannot be read"):
            results.merge(tmp_path / "nobody")
    after = (tmp_path / "mine").read_bytes()
    assert after.startswith(before)
    (tmp_path / "ours.toml").write_text(CUP.replace("matches = 4", "matches = 8"), "utf-8")
    foreseen = screen.foresee(tmp_path / "ours.toml", [tmp_path / "theirs"])
    assert foreseen.matches == 3 * (8 - 6)
    assert (tmp_path / "ours.jsonl").read_bytes() == b""
    (tmp_path / "torn").write_bytes(b"garbage\n")
    with pytest.raises(TraplineError, match="no result of a tournament; take it out, or leave"):
        screen.foresee(tmp_path / "ours.toml", [tmp_path / "torn"])
    assert hold(CUP.replace("matches = 4", "matches = 6"), tmp_path / "mine").played == 24
    assert (tmp_path / "mine").read_bytes() == after


def test_it_is_said_how_many_results_of_others_are_taken_over(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Else a file with nothing in it, or nothing but a torn line, would be one like any other."""
    hold(CUP, tmp_path / "theirs.jsonl")
    (tmp_path / "torn.jsonl").write_bytes((tmp_path / "theirs.jsonl").read_bytes()[:99])
    (tmp_path / "ours.toml").write_text(CUP, "utf-8")
    others = [tmp_path / "theirs.jsonl", tmp_path / "torn.jsonl"]
    screen.hold(tmp_path / "ours.toml", None, quiet=True, merge=others)
    told = capfd.readouterr().err
    count = (tmp_path / "theirs.jsonl").read_bytes().count(b"\n")
    assert told.splitlines() == [
        f"Results taken over from theirs.jsonl: {count}.",
        "Results taken over from torn.jsonl: 0.",
    ]


def test_lines_that_a_kill_has_torn_harm_no_transcript_and_no_merge(tmp_path: Path) -> None:
    own = "python:tests.arena.own_agents:first_legal"
    hold(cup("random", own), tmp_path / "mine")
    transcripts = tmp_path / "mine.transcripts.jsonl"
    whole = transcripts.read_bytes()
    transcripts.write_bytes(whole + b'{"key": "ab')
    hold(cup("random", own).replace("matches = 4", "matches = 5"), tmp_path / "mine")
    assert transcripts.read_bytes().startswith(whole)
    assert len(lines(transcripts)) == 5
    # The words are on the disk before the match counts: killed in between, it is played again.
    kept = (tmp_path / "mine").read_bytes()
    (tmp_path / "mine").write_bytes(b"".join(kept.splitlines(keepends=True)[:-1]))
    hold(cup("random", own).replace("matches = 4", "matches = 5"), tmp_path / "mine")
    assert len({line["key"] for line in lines(transcripts)}) == len(lines(transcripts)) == 5
    theirs = tmp_path / "theirs"
    theirs.write_bytes((tmp_path / "mine").read_bytes() + b'{"type": "match", "key": "ab')
    with Results(tmp_path / "fresh") as results:
        assert results.merge(theirs) == 5


@pytest.mark.parametrize(
    ("what", "value", "why"),
    [
        ("winner", "casual", "its winner and its record differ"),
        ("score", 5, "its score and its record differ"),
        ("key", "ab" * 12, "its key and its record differ"),
        ("one", "perfect", "its players and its record differ"),
        ("record", {}, "record"),
    ],
)
def test_a_match_that_is_not_what_its_record_says_is_not_merged(
    what: str, value: Any, why: str, tmp_path: Path
) -> None:
    hold(cup("random", "casual"), tmp_path / "theirs")
    first, *others = lines(tmp_path / "theirs")
    changed = first | {what: value if first[what] != value else "random"}
    told = [json.dumps(line) for line in (*others, changed)]
    (tmp_path / "theirs").write_text("\n".join(told) + "\n", "utf-8")
    with Results(tmp_path / "mine") as results:
        with pytest.raises(
            TraplineError, match=f"Line {len(told)} of .* cannot be believed.*{why}"
        ):
            results.merge(tmp_path / "theirs")
        assert not results.done


def test_matches_of_a_game_that_is_not_known_here_are_left_out(tmp_path: Path) -> None:
    hold(cup("random", "casual"), tmp_path / "theirs")
    first, *others = lines(tmp_path / "theirs")
    told = [json.dumps(line) for line in (first | {"game": "never-heard-of"}, *others)]
    (tmp_path / "theirs").write_text("\n".join(told) + "\n", "utf-8")
    with Results(tmp_path / "mine") as results:
        assert results.merge(tmp_path / "theirs") == len(others)


def test_long_names_that_begin_alike_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"llm:{'a-very-long-name-of-a-model-' * 3}{end}" for end in ("one", "two")]
    with Server(first_legal) as server:
        monkeypatch.setenv("TRAPLINE_LLM_URL", server.url)
        report = hold(cup(*names), tmp_path / "out")
    screen.tell(report)
    told = "".join(capsys.readouterr().out.split())
    assert "…" not in told
