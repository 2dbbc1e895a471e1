"""Language models as players, against a real HTTP endpoint on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests import worlds
from tests.llm_server import Answer, Server, first_legal
from tests.outside import examples
from tests.players.models import KEY, maze, player, saying
from trapline.contest import play_out
from trapline.core import SEATS, Forfeit, Seat
from trapline.fairness import Duel, play_duel
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS, Choose
from trapline.players.llm.settings import Settings
from trapline.referee import Match

if TYPE_CHECKING:
    from pathlib import Path


# --- whole matches ----------------------------------------------------------------------


def secret_or_first(request: dict[str, Any], number: int) -> Answer:
    """The first answer of a list; where a set is wanted, the smallest."""
    asked = request["messages"][1]["content"].rpartition("# Your question")[2]
    return first_legal(request) if "Answer one of" in asked else Answer("ANSWER: 1")


SMALL = [
    *((name, worlds.SMALL[name][0]) for name in GAMES),
    *((str(f), {}) for f in examples.FILES),
]


@pytest.mark.parametrize(("spec", "options"), SMALL, ids=[*GAMES, *examples.IDS])
def test_plays_every_game_to_the_end(
    spec: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(secret_or_first) as server:
        opponent = player(server, monkeypatch)
        for first in SEATS:
            match = Match(make_game(spec, options), first)
            choose: dict[Seat, Choose] = {1: opponent.choose, 2: PLAYERS["random"].choose}
            forfeit = play_out(match, choose, lambda view: Random(f"{view.turn}"))
            assert forfeit is None
            assert match.outcome is not None
    assert all(key == f"Bearer {KEY}" for key in server.keys)
    request = json.loads(server.bodies[0])
    assert request["model"] == "tiny"
    assert request["temperature"] == 1.0
    assert "max_tokens" not in request
    read = request["messages"][1]["content"]
    assert read.startswith(f"# {match.game.title}\n")
    assert ("the usual options" in read) == bool(match.game.options.__struct_fields__)


def test_no_example_nudges_a_model_to_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(make_game("secret-paths"), 1)
    match.play(1, (5, 1))
    match.play(2, (1, 1))
    with Server(first_legal) as server:
        assert player(server, monkeypatch).choose(match.view(1), Random(1)) == (2, 2)
    assert b"e.g." not in server.bodies[0]


@pytest.mark.parametrize("model_seat", SEATS)
def test_the_other_seats_secret_is_in_no_request(
    model_seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap places that appear nowhere else: a long track with traps far beyond the runners."""
    game = make_game("hidden-path", {"length": 99, "traps": 3, "max_step": 1})
    rival: Seat = 2 if model_seat == 1 else 1
    with Server(saying("ANSWER: 1")) as server:
        opponent = player(server, monkeypatch)
        match = Match(game, 1)
        match.play(rival, [77, 83, 91])
        match.play(model_seat, [71, 73, 89])
        for _ in range(12):
            seat = match.to_move
            assert seat is not None
            view = match.view(seat)
            choose = opponent.choose if seat == model_seat else PLAYERS["random"].choose
            match.play(seat, choose(view, Random(1)))
    everything = b"".join(server.bodies)
    assert b"71 73 89" in everything
    for hidden in (b"77", b"83", b"91"):
        assert hidden not in everything


def test_equal_views_give_equal_requests_in_trap_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trap set, declined, or failed by the other leaves no trace in what a model is asked."""
    bodies = []
    for answer in ("t", "n"):
        match = Match(make_game("trap-runner"), 1)
        for turn in ((2,), (1,), (3, answer)):
            assert match.to_move is not None
            match.play(match.to_move, *turn)
        with Server(first_legal) as server:
            player(server, monkeypatch).choose(match.view(2), Random(3))
        bodies.append(server.bodies)
    assert bodies[0] == bodies[1]
    assert bodies[0]


# --- answers ----------------------------------------------------------------------------


def test_an_unusable_reply_is_sent_back_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(saying("I move 2.", "ANSWER: 9", "ANSWER: two", "So:\nANSWER: 2")) as server:
        assert player(server, monkeypatch).choose(maze().view(1), Random(1)) == 2
    said = [message["content"] for message in json.loads(server.bodies[-1])["messages"]]
    assert "The last line must be ANSWER:" in said[3]
    assert "9 is not legal here; the legal answers are 1, 2, 3." in said[5]
    assert "'two' is not a number of steps" in said[7]
    assert said[2::2] == ["I move 2.", "ANSWER: 9", "ANSWER: two"]


@pytest.mark.parametrize("text", ["", "ANSWER:", "ANSWER: 2\nGood luck!", "ANSWER: 2 or 3", "2"])
def test_a_model_that_never_answers_forfeits(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(saying(text)) as server:
        opponent = player(server, monkeypatch)
        match = maze()
        choose: dict[Seat, Choose] = {1: opponent.choose, 2: PLAYERS["random"].choose}
        forfeit = play_out(match, choose, lambda _view: Random(1))
    assert isinstance(forfeit, Forfeit)
    assert "llm:tiny forfeits: no answer of 4" in str(forfeit)
    assert len(server.bodies) == 4
    assert match.outcome is not None
    assert match.outcome.winner == 2


def test_both_questions_of_a_trap_runner_turn_are_asked_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(make_game("trap-runner"), 1)
    match.play(1, 2)
    match.play(2, 1)
    with Server(saying("ANSWER: 2t", "ANSWER: 2", "ANSWER: y")) as server:
        opponent = player(server, monkeypatch)
        assert opponent.choose(match.view(1), Random(1)) == 2
        match.play(1, 2)
        assert opponent.choose(match.view(1), Random(1)) == "t"
    assert b"Answer this question alone" in server.bodies[1]
    assert b"Set a trap on square 2, which you just left?" in server.bodies[2]


# --- the cache and the bill -------------------------------------------------------------


def test_a_rerun_asks_nothing_and_another_sample_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(lambda _request, number: Answer(f"ANSWER: {number % 3 + 1}")) as server:
        opponent = player(server, monkeypatch)
        view = maze().view(1)
        sampled = [opponent.choose(view, Random(sample)) for sample in range(3)]
        again = player(server, monkeypatch)
        assert [again.choose(view, Random(sample)) for sample in range(3)] == sampled == [1, 2, 3]
    assert len(server.bodies) == 3
    assert opponent.spent is not None
    assert again.spent is not None
    spent = opponent.spent()
    assert (spent.replies, spent.tokens_in, spent.tokens_out) == (3, 3000, 30)
    assert (spent.requests, spent.cached) == (3, 0)
    assert spent.cost == pytest.approx(3 * (1000 * 2.0 + 10 * 50.0) / 1e6)
    assert (again.spent().requests, again.spent().cached) == (0, 3)
    assert again.spent().cost == spent.cost


def test_the_temperature_and_a_correction_are_other_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = maze().view(1)
    with Server(saying("ANSWER: 1", "ANSWER: 2", "nothing", "ANSWER: 3")) as server:
        assert player(server, monkeypatch).choose(view, Random(1)) == 1
        cool = Settings(temperature=None, backoff=0.001)
        assert player(server, monkeypatch, cool).choose(view, Random(1)) == 2
        assert player(server, monkeypatch).choose(view, Random(2)) == 3
        assert player(server, monkeypatch).choose(view, Random(2)) == 3
    assert len(server.bodies) == 4
    assert b"temperature" not in server.bodies[1]


def test_a_damaged_entry_is_asked_again(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with Server(saying("ANSWER: 1", "ANSWER: 2")) as server:
        opponent = player(server, monkeypatch)
        opponent.choose(maze().view(1), Random(1))
        (kept,) = (home / "cache" / "llm").rglob("*.json")
        kept.write_bytes(kept.read_bytes()[:20])
        assert opponent.choose(maze().view(1), Random(1)) == 2


# --- at the table -----------------------------------------------------------------------


def test_a_model_can_be_a_level_of_the_fairness_report(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"length": 4, "traps": [], "turn_limit": 8}
    with Server(first_legal) as server:
        player(server, monkeypatch)
        score = play_duel(Duel("numeric-maze", options, "casual", "llm:tiny", 1, matches=4))
    assert score.matches == 4
    assert score.won > 0
    assert server.bodies


def at_the_table(server_url: str, given: str, *more: str) -> subprocess.CompletedProcess[str]:
    address = {"TRAPLINE_LLM_URL": server_url, "TRAPLINE_LLM_KEY": KEY}
    quick = {"TRAPLINE_LLM_BACKOFF": "0.01", "TRAPLINE_LLM_RETRIES": "1"}
    return subprocess.run(
        [sys.executable, "-m", "trapline", "play", *more, "--vs", "llm:tiny", "--seed", "1"],
        input=given, capture_output=True, text=True, check=False,
        env={**os.environ, **address, **quick},
    )  # fmt: skip


def test_a_person_against_a_model(home: Path) -> None:
    with Server(secret_or_first) as server:
        done = at_the_table(
            server.url, "2\n2\n3\n3\n", "hidden-path", "--plain", "--first", "1",
            "--set", "length=3", "--set", "traps=1", "--set", "max_step=2",
        )  # fmt: skip
    assert done.stderr == ""
    assert "Hidden Path: Player 1 against llm:tiny" in done.stdout
    kept = [path for path in home.rglob("*") if path.is_file()]
    assert kept
    assert not any(KEY.encode() in path.read_bytes() for path in kept)
    assert KEY not in done.stdout


def test_a_model_without_an_answer_loses_and_one_that_is_away_can_come_back(home: Path) -> None:
    with Server(saying("I would rather not.")) as server:
        done = at_the_table(server.url, "3\n", "numeric-maze", "--plain", "--first", "1")
    assert "llm:tiny resigns. Player 1 wins the game!" in done.stdout
    with Server(lambda *_: Answer(status=500)) as server:
        done = at_the_table(server.url, "3\n", "numeric-maze", "--plain", "--first", "1")
    assert done.returncode == 1
    assert "endpoint answered with status 500" in done.stderr
    assert "goes on with it" in done.stderr
    assert "Traceback" not in done.stderr
