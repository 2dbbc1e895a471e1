"""Games from outside: offered by the operator alone, and a danger to nobody else's match."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from tests.server.bad_game import FAULTS
from tests.server.rooms import Spied, play_at_random, read_again
from tests.server.running import PATIENCE, Game, Refused, Seat, Server, finish
from tests.server.test_thinking import children_of
from trapline.games import find_game, make_game
from trapline.referee import parse_record, verify
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples" / "games"
KUHN, GOOFSPIEL = str(EXAMPLES / "kuhn.py"), str(EXAMPLES / "goofspiel.py")
BAD = str(HERE / "bad_game.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("outside")
    arguments = [word for spec in (KUHN, GOOFSPIEL, BAD) for word in ("--game", spec)]
    with Server(home, *arguments, rule_seconds="3", opens_per_minute="100000") as running:
        yield running


# --- good ones ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn", "goofspiel"])
def test_a_match_is_played_kept_and_proven(server: Server, name: str) -> None:
    game = Game(server.address, name)
    game.watcher.wait_until(lambda _: True)
    finish(game, Random(2))
    for seat in (game.one, game.two, game.watcher):
        seat.wait_until(lambda seat: seat.view["outcome"] is not None)
    find_game(str(EXAMPLES / f"{name}.py"))
    with server.client() as anybody:
        record = parse_record(anybody.get(f"/api/matches/{game.match}/record").content)
        frames = anybody.get(f"/api/matches/{game.match}/frames").json()["frames"]
    assert [check for check in verify(record) if check.fault] == []
    assert [frame["turn"] for frame in frames] == list(range(len(record.moves) + 1))
    assert all(frame["told"] for frame in frames[1:])
    game.close()


@pytest.mark.parametrize("level", ["random", "casual", "sharp"])
def test_the_computer_plays_it(server: Server, level: str) -> None:
    with server.client() as ann:
        opened = ann.post("/api/matches", json={"game": "goofspiel", "against": level}).json()
        seat = Seat(server.address, opened["match"], 1, ann.cookies["trapline"])
        while True:
            seat.wait_until(lambda seat: seat.view["asks"] or seat.view["outcome"])
            if seat.view["outcome"]:
                break
            seat.play(str(seat.view["legal"][0]))
        seat.close()


def test_both_answer_at_once_and_see_nothing_of_each_other(server: Server) -> None:
    game = Game(server.address, "goofspiel")
    game.one.play("4")
    game.two.wait_until(lambda seat: seat.view["ready"] == [True, False])
    game.watcher.wait_until(lambda seat: seat.view["ready"] == [True, False])
    assert "{1}'s bid" in str(game.one.view["board"])
    for seat in (game.two, game.watcher):
        facts = {fact["name"]: fact for fact in seat.view["board"]["facts"]}
        assert facts["{1}'s bid"]["value"] == 0
        assert seat.events == []
    game.two.play("1")
    game.one.wait_until(lambda seat: seat.view["turn"] == 1)
    assert game.one.state["words"]["told"] == [
        ["Player 1 bids 4, Player 2 bids 1 for the prize of 4."]
    ]
    game.close()


@pytest.mark.parametrize("path", [KUHN, GOOFSPIEL])
def test_chance_is_in_the_log(path: str) -> None:
    """A log read twice is the same match to everybody, deals included."""
    game = make_game(path)
    deals = set()
    for seed in range(20):
        spied = Spied(game, {})
        play_at_random(spied, Random(seed))
        again = read_again(spied.room, spied.log)
        for viewer in VIEWERS:
            states = [room.state(viewer) for room in (spied.room, again)]
            assert msgspec.json.encode(states[0]) == msgspec.json.encode(states[1])
        assert again.match.sealed_record() == spied.room.match.sealed_record()
        deals.add(tuple(spied.room.match.sealed_record().chance))
    assert len(deals) > 3 or not game.draws


def test_a_rematch_is_dealt_anew_and_nobody_can_work_it_out() -> None:
    from trapline.server.messages import Rematch, Resign

    game = make_game(KUHN)
    seeds = set()
    for _ in range(5):
        spied = Spied(game, {})
        for seat, command in ((1, Resign()), (1, Rematch()), (2, Rematch())):
            spied.act(seat, command)  # type: ignore[arg-type]
        following = spied.room.next_match()
        assert following is not None
        assert read_again(spied.room, spied.log).next_match() == following
        seed = following[1].chance
        assert len(seed) == 64
        shown = b"".join(message for sent in spied.sent.values() for message in sent)
        assert seed.encode() not in shown + spied.room.record()
        assert not any(salt.encode() in spied.room.record() for salt in _rematch_salts(spied))
        seeds.add(seed)
    assert len(seeds) == 5


def _rematch_salts(spied: Spied) -> list[str]:
    salts = [entry.salt for entry in spied.log[-2:]]  # type: ignore[union-attr]
    assert all(len(salt) == 64 for salt in salts)
    return salts


def test_an_operator_exports_its_matches(tmp_path: Path) -> None:
    with Server(tmp_path, "--game", KUHN) as server:
        game = Game(server.address, "kuhn")
        finish(game, Random(2))
        game.close()
        server.stop()
    database = f"sqlite:{tmp_path / 'server.sqlite3'}"
    for known, written in (([], 0), (["--game", KUHN], 1)):
        run = subprocess.run(
            [sys.executable, "-m", "trapline", "admin", "export", "--database", database, *known],
            capture_output=True,
            text=True,
            check=False,
        )
        assert len(run.stdout.splitlines()) == written, run.stderr
        assert ("There is no game called" in run.stderr) == (not written)


def test_the_computer_is_prepared_and_nothing_is_amiss(server: Server) -> None:
    deadline = time.monotonic() + PATIENCE
    while "the computer is prepared" not in server.log:
        assert time.monotonic() < deadline, server.log
        assert "the computer is not prepared" not in server.log
        time.sleep(0.1)


# --- who offers them ----------------------------------------------------------------------


def test_the_list_says_where_a_game_came_from(server: Server) -> None:
    with server.client() as http:
        games = {game["name"]: game for game in http.get("/api/games").json()["games"]}
        assert games["hidden-path"]["origin"] == "rulebook"
        assert games["kuhn"]["origin"] == "kuhn.py"
        assert str(EXAMPLES) not in str(games)
        assert "Kuhn" in http.get("/api/games/kuhn/rules").json()["html"]


def test_a_request_brings_no_game_of_its_own(server: Server, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(mark)!r}, 'w')")
    names = [str(file), KUHN, "./kuhn.py", "kuhn.py", "os:path", "tests.server.bad_game:BadGame"]
    with server.client() as http:
        for name in names:
            answer = http.post("/api/matches", json={"game": name[-40:], "against": "here"})
            assert answer.status_code == 422
            assert "There is no game called" in answer.json()["sentence"]
            assert http.get(f"/api/games/{name}/rules").status_code == 404
    assert not mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("def (", "line 1"),
        ("while True: pass", "stopped after 6 seconds"),
        ("import sys; sys.exit(1)", "evil.py"),
        ("import os; os._exit(1)", "ended their process"),
        ("x = 1", "evil.py"),
    ],
)
def test_a_game_that_cannot_be_offered_is_named_at_the_start(
    tmp_path: Path, text: str, part: str
) -> None:
    file = tmp_path / "evil.py"
    file.write_text(text)
    run = subprocess.run(
        [sys.executable, "-m", "trapline", "serve", "--port", "0", "--game", str(file)],
        env={**os.environ, "TRAPLINE_HOME": str(tmp_path), "TRAPLINE_RULE_SECONDS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert "Traceback" not in run.stderr
    assert str(file) in run.stderr
    assert part in run.stderr


def test_games_by_environment(tmp_path: Path) -> None:
    with Server(tmp_path, games=f"'{KUHN}' {GOOFSPIEL}") as server, server.client() as http:
        names = [game["name"] for game in http.get("/api/games").json()["games"]]
        assert names[-2:] == ["kuhn", "goofspiel"]


# --- bad ones -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_takes_nothing_with_it(server: Server, fault: str) -> None:
    game = Game(server.address, "bad-game")
    game.one.play("fine")
    game.two.wait_until(lambda seat: seat.view["turn"] == 1)
    before = game.two.state
    with pytest.raises(Refused) as refused:
        game.two.play(fault)
    message = refused.value.message
    assert message["reason"] == "broken"
    assert "Nothing has changed" in message["sentence"]
    if fault not in ("loop", "stubborn", "count", "die"):  # these are stopped from outside
        assert "bad_game.py, line" in message["sentence"]
    assert message["state"]["view"] == {**before["view"], "events": []}
    game.two.play("fine")
    game.one.wait_until(lambda seat: seat.view["turn"] == 2)
    game.one.play("win")
    assert game.one.view["outcome"]["winner"] == 1
    game.close()


@pytest.mark.parametrize("fault", ["loop", "stubborn", "count"])
def test_others_play_on_while_a_rule_loops(tmp_path: Path, fault: str) -> None:
    with Server(tmp_path, "--game", BAD, "--game", GOOFSPIEL, rule_seconds="60") as server:
        bad = Game(server.address, "bad-game")
        bad.one.wait_until(lambda _: True)
        command = {"key": "k", "version": bad.one.version, "command": {"do": "play", "turn": fault}}
        bad.one.open().send(msgspec.json.encode(command).decode())
        begun = time.monotonic()
        for name in ("numeric-maze", "goofspiel"):
            other = Game(server.address, name)
            finish(other, Random(1))
            other.close()
        assert time.monotonic() - begun < 30, "somebody waited for the loop to be stopped"
        bad.close()


def test_a_loop_does_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    """It holds on to its process so that Python hears nothing; the system ends it."""
    with Server(tmp_path, "--game", BAD, rule_seconds="1") as server:
        bad = Game(server.address, "bad-game")
        bad.one.wait_until(lambda _: True)
        before = children_of(server.process.pid)
        command = {
            "key": "k",
            "version": bad.one.version,
            "command": {"do": "play", "turn": "count"},
        }
        bad.one.open().send(msgspec.json.encode(command).decode())
        time.sleep(0.3)
        server.process.kill()
        server.process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while any(Path(f"/proc/{child}").exists() for child in before):
            assert time.monotonic() < deadline, "somebody is left behind"
            time.sleep(0.1)


def test_who_hangs_up_leaves_no_trace(server: Server) -> None:
    """The process is busy with what was asked for; the match is as it was, or went on."""
    game = Game(server.address, "bad-game")
    for number in range(10):
        seat = Seat(server.address, game.match, 1, game.keys[0])
        seat.wait_until(lambda _: True)
        body = {"key": f"k{number}", "version": seat.version}
        command = {**body, "command": {"do": "play", "turn": "fine"}}
        seat.open().send(msgspec.json.encode(command).decode())
        seat.cut()
    game.one.wait_until(lambda seat: seat.view["turn"] == 1)
    game.two.play("win")
    game.close()


def test_a_computer_that_cannot_answer_says_so(server: Server) -> None:
    """The game's own hint to the `casual` player fails; the match stays, and can be ended."""
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as ann:
        opened = ann.post("/api/matches", json={"game": "bad-game", "against": "casual"}).json()
        seat = Seat(server.address, opened["match"], 1, ann.cookies["trapline"])
        seat.play("fine")
        heard: dict[str, Any] = {}
        while heard.get("type") != "refused":
            heard = seat.hear()
        assert (heard["reason"], heard["key"]) == ("unavailable", None)
        assert "The computer could not answer" in heard["sentence"]
        seat.do("resign")
        seat.close()
