"""The server as clients meet it: matches by link, keys and seats, records, refusals."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.running import Game, Refused, Seat, Server, finish
from trapline.games import GAMES
from trapline.players import PLAYERS
from trapline.referee import parse_record, verify

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", GAMES)
def test_a_match_by_link_is_played_to_its_end(server: Server, name: str) -> None:
    game = Game(server.address, name)
    game.watcher.wait_until(lambda _: True)
    finish(game, Random(1))
    for seat in (game.one, game.two, game.watcher):
        seat.wait_until(lambda seat: seat.view["outcome"] is not None)
    with server.client() as anybody:
        record = parse_record(anybody.get(f"/api/matches/{game.match}/record").content)
    assert [check for check in verify(record) if check.fault] == []
    assert game.one.state["table"]["commitments"] == record.commitments
    with server.client() as anybody:
        frames = anybody.get(f"/api/matches/{game.match}/frames").json()["frames"]
    assert [frame["turn"] for frame in frames] == list(range(len(record.moves) + 1))
    assert [frame["by"] for frame in frames[:2]] == [None, 1]
    assert frames[0]["told"] == []
    assert all(frame["told"] for frame in frames[1:])
    assert frames[-1]["board"] == game.watcher.state["words"]["board"]
    assert frames[-1]["picture"] == game.watcher.state["picture"]
    game.close()


@pytest.mark.parametrize("level", PLAYERS)
def test_the_computer_plays_to_the_end(server: Server, level: str) -> None:
    with server.client() as ann:
        body = {"game": "numeric-maze", "against": level, "first": 2}
        opened = ann.post("/api/matches", json=body).json()
        seat = Seat(server.address, opened["match"], 1, ann.cookies["trapline"])
        while True:
            seat.wait_until(lambda seat: seat.view["asks"] or seat.view["outcome"])
            if seat.view["outcome"]:
                break
            seat.play(str(seat.view["legal"][0]))
        analysis = ann.get(f"/api/matches/{opened['match']}/analysis")
        assert analysis.status_code == 200
        assert analysis.json()["judgements"]
    seat.close()


def test_hints_are_for_games_against_the_computer(server: Server) -> None:
    with server.client() as ann:
        opened = ann.post("/api/matches", json={"game": "numeric-maze", "against": "random"}).json()
        seat = Seat(server.address, opened["match"], 1, ann.cookies["trapline"])
        seat.wait_until(lambda seat: seat.view["asks"])
        hint = ann.get(f"/api/matches/{opened['match']}/hint?seat=1").json()
        assert hint["hint"]
        seat.close()
    game = Game(server.address, "numeric-maze")
    with server.client() as ann:
        headers = {"Authorization": f"Bearer {game.keys[0]}"}
        answer = ann.get(f"/api/matches/{game.match}/hint?seat=1", headers=headers)
        assert answer.status_code == 409


# --- keys and seats ---------------------------------------------------------------------


def test_nobody_acts_or_looks_for_another_seat(server: Server) -> None:
    game = Game(server.address, "hidden-path")
    for key in (None, game.keys[1], "x" * 43, "'; drop table log; --"):
        stranger = Seat(server.address, game.match, 1, key)
        with pytest.raises(ConnectionClosed) as closed:
            stranger.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert "not yours" in closed.value.rcvd.reason
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        with server.client() as http:
            path = f"/api/matches/{game.match}"
            command = {"key": "k", "version": 1, "command": {"do": "resign"}}
            answer = http.post(path + "/commands?seat=1", json=command, headers=headers)
            assert (answer.status_code, answer.json()["reason"]) == (403, "not yours")
            assert http.get(path + "/stream?seat=1", headers=headers).status_code == 403
            assert http.get(path + "/qr", headers=headers).status_code == 403
            assert http.get(path + "/hint?seat=1", headers=headers).status_code == 403
    game.close()


def test_a_spectator_cannot_act(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    with pytest.raises(Refused, match="watching"):
        game.watcher.do("resign")
    game.close()


def test_a_link_admits_one(server: Server) -> None:
    game = Game(server.address, "hidden-path")
    with server.client() as late:
        answer = late.post(f"/api/matches/{game.match}/join", json={"code": game.code})
        assert (answer.status_code, answer.json()["reason"]) == (409, "full")
        assert "trapline" not in late.cookies


def test_the_picture_of_a_link_is_drawn_only_so_often(tmp_path: Path) -> None:
    """It takes longer to draw than to ask for, and anybody can open a match that has one."""
    with Server(tmp_path, asks_per_minute="2") as server, server.client() as ann:
        match = ann.post("/api/matches", json={"game": "trap-runner", "against": "link"}).json()
        seen = [ann.get(f"/api/matches/{match['match']}/qr").status_code for _ in range(4)]
        assert ann.get("/api/lobby").status_code == 429
    assert seen[0] == 200
    assert seen[-1] == 429


def test_the_picture_of_the_link_is_for_the_one_who_opened(server: Server) -> None:
    with server.client() as ann:
        opened = ann.post("/api/matches", json={"game": "hidden-path", "against": "link"}).json()
        picture = ann.get(f"/api/matches/{opened['match']}/qr")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")


def test_keys_are_kept_from_scripts_addresses_and_logs(server: Server) -> None:
    with server.client() as ann:
        opened = ann.post("/api/matches", json={"game": "hidden-path", "against": "link"})
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        key = ann.cookies["trapline"]
        code = opened.json()["link"].partition("#")[2]
        seat = Seat(server.address, opened.json()["match"], 1, key)
        seat.choose("2 4 6")
        seat.close()
        path = f"/api/matches/{opened.json()['match']}"
        assert ann.get(path, params={"key": key, "code": code}).status_code == 200
        assert ann.post(path + "/join", json={"code": code}).status_code == 409
        assert ann.get(path + f"/{code}").status_code == 404
        assert key not in opened.text
        assert not any(key in path or code in path for path in map(str, [opened.url]))
    written = server.log
    assert "/api/matches/{match}/join" in written
    for secret in (key, code, "2 4 6", opened.json()["match"]):
        assert secret not in written


def test_behind_a_proxy_with_tls_the_cookie_is_for_tls_alone(server: Server) -> None:
    body = {"game": "numeric-maze", "against": "here"}
    for scheme in ("http", "https"):
        with server.client() as http:
            headers = {"X-Forwarded-Proto": scheme}
            cookie = http.post("/api/matches", json=body, headers=headers).headers["set-cookie"]
        assert ("; Secure" in cookie) == (scheme == "https")
        assert cookie.startswith("__Host-trapline=") == (scheme == "https")


def test_a_page_from_elsewhere_gets_nothing(server: Server) -> None:
    game = Game(server.address, "hidden-path")
    elsewhere = {"Origin": "https://elsewhere.example", "Cookie": f"trapline={game.keys[0]}"}
    address = server.address.replace("http", "ws")
    with (
        connect(
            f"{address}/api/matches/{game.match}/socket?seat=1", additional_headers=elsewhere
        ) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(5)
    assert closed.value.rcvd is not None
    assert "not from here" in closed.value.rcvd.reason
    with server.client() as http:
        body = {"game": "hidden-path", "against": "here"}
        answer = http.post("/api/matches", json=body, headers=elsewhere)
        assert answer.status_code == 403
        own = {"Origin": server.address}
        assert http.post("/api/matches", json=body, headers=own).status_code == 201


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    with server.client() as http:
        for path in ("/", "/api/games", "/api/nothing", "/static/js/main.js", "/rules/hidden-path"):
            headers = http.get(path).headers
            assert "default-src 'none'" in headers["content-security-policy"], path
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "server" not in headers
            page = headers["content-type"].startswith("text/html")
            assert ("sha256-" in headers["content-security-policy"]) is page, path
            assert ("permissions-policy" in headers) is page, path
            if path == "/api/games":
                assert headers["cache-control"] == "no-store"


def test_frames_are_never_compressed(server: Server) -> None:
    """Compressed, their size would tell whether something hidden repeats something shown."""
    game = Game(server.address, "hidden-path")
    address = f"{server.address.replace('http', 'ws')}/api/matches/{game.match}/socket"
    with connect(address, compression="deflate") as wire:
        assert wire.response is not None
        assert "sec-websocket-extensions" not in wire.response.headers


# --- what is hidden stays hidden --------------------------------------------------------


@pytest.mark.parametrize("name", ["hidden-path", "trap-builder", "secret-paths"])
def test_no_byte_before_the_end_holds_the_others_secret(server: Server, name: str) -> None:
    """All frames of a seat and a spectator, the list of the match, streams and refusals."""
    game = Game(server.address, name)
    secret = {"secret-paths": ("5,4", "1,2")}.get(name, ("4 6 7", "3 5 8"))
    field = {"secret-paths": '"goals":[null,[1,2]]'}.get(name, "[3,5,8]")
    game.one.choose(secret[0])
    game.two.choose(secret[1])
    game.watcher.listen()
    for _ in range(2):
        game.one.listen()
        game.two.listen()
        mover = game.one if game.one.view["asks"] else game.two
        move = mover.view["legal"][0]
        mover.play(str(move) if isinstance(move, int) else f"{move[0]},{move[1]}")
    again = Seat(server.address, game.match, 1, game.keys[0])
    again.version = 2  # as one who had seen an old version
    again.listen()
    game.one.listen()
    game.watcher.listen()
    with server.client() as http:
        path = f"/api/matches/{game.match}"
        answers = [http.get(path + rest) for rest in ("", "/record", "/frames", "/analysis")]
    assert [answer.status_code for answer in answers] == [200, 409, 409, 409]
    open_bytes = [answer.content for answer in answers]
    for frames in (game.one.frames, game.watcher.frames, again.frames, open_bytes):
        assert frames
        for frame in frames:
            assert field.encode() not in frame.replace(b" ", b"")
    assert any(field.encode() in frame for frame in game.two.frames)
    for seat in (game.one, game.watcher, again):
        assert seat.view["secrets"] is None
        assert seat.view["board"].get("goals", [0, None])[1] in (None, 0, 10)
    game.close()
    again.close()


# --- bots over plain HTTP ---------------------------------------------------------------


def test_the_example_bot_plays_a_whole_match(server: Server, tmp_path: Path) -> None:
    import subprocess
    import sys

    run = subprocess.run(
        [sys.executable, "examples/bot.py", server.address, "hidden-path", "casual"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"(won|lost|drew)", run.stdout)


def test_a_stream_tells_the_same_as_a_socket(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    game.one.play("2")
    game.one.listen()
    headers = {"Authorization": f"Bearer {game.keys[0]}"}
    with server.client() as http:
        path = f"/api/matches/{game.match}/stream?seat=1"
        with http.stream("GET", path, headers=headers) as stream:
            assert stream.headers["content-type"] == "application/x-ndjson"
            line = next(stream.iter_lines())
    state: dict[str, Any] = httpx.Response(200, content=line).json()
    assert state["view"]["events"] == game.one.events
    game.close()


def test_programs_can_do_without_words_and_pictures(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    headers = {"Authorization": f"Bearer {game.keys[0]}"}
    path = f"/api/matches/{game.match}/commands?seat=1"
    states = []
    with server.client() as http:
        for query in ("", "&plain=0", "&plain=1"):
            body = {"key": "k", "version": 2, "command": {"do": "play", "turn": "2"}}
            states.append(http.post(path + query, json=body, headers=headers).json())
        with http.stream(
            "GET", f"/api/matches/{game.match}/stream?seat=1&plain=1", headers=headers
        ) as stream:
            states.append(msgspec.json.decode(next(stream.iter_lines())))
    assert states[0]["words"]["told"] == [["Player 1 moves to position 2."]]
    assert states[0]["picture"]["shapes"]
    assert states[1] == states[0]
    assert states[2] == {**states[0], "words": None, "picture": None}
    assert states[3] == {**states[2], "answers": []}
    game.two.wait_until(lambda seat: seat.version == states[0]["version"])
    assert game.two.state["words"]["told"][-1] == ["Player 1 moves to position 2."]
    assert game.two.state["picture"]["shapes"]
    game.close()


def test_whoever_leaves_a_stream_is_gone(server: Server) -> None:
    game = Game(server.address, "numeric-maze")

    def hear_of(*here: bool) -> None:
        game.two.wait_until(lambda seat: seat.presence.get("here") == [*here])

    headers = {"Authorization": f"Bearer {game.keys[0]}"}
    with (
        server.client() as http,
        http.stream("GET", f"/api/matches/{game.match}/stream?seat=1", headers=headers),
    ):
        hear_of(True, True)
    hear_of(False, True)
    game.close()


def test_refusals_over_http_have_their_status_and_the_state(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    headers = {"Authorization": f"Bearer {game.keys[0]}"}
    path = f"/api/matches/{game.match}/commands?seat=1"

    def send(command: dict[str, Any], version: int) -> httpx.Response:
        body = {"key": f"{command}{version}"[:64], "version": version, "command": command}
        return http.post(path, json=body, headers=headers)

    with server.client() as http:
        assert send({"do": "play", "turn": "1"}, 2).status_code == 200
        game.two.play("1")
        for command, version, status, reason in [
            ({"do": "play", "turn": "9"}, 4, 422, "illegal"),
            ({"do": "play", "turn": "two"}, 4, 422, "invalid"),
            ({"do": "secret", "secret": "1"}, 4, 409, "not now"),
            ({"do": "play", "turn": "1"}, 3, 409, "stale"),
            ({"do": "play", "turn": "1"}, 5, 409, "stale"),
            ({"do": "dance"}, 4, 400, "unreadable"),
        ]:
            answer = send(command, version)
            assert (answer.status_code, answer.json()["reason"]) == (status, reason)
            if status != 400:
                assert answer.json()["state"]["version"] == 4
    game.close()


def test_presence_is_told(server: Server) -> None:
    game = Game(server.address, "numeric-maze")

    def hear_of(*here: bool) -> None:
        game.one.wait_until(lambda seat: seat.presence.get("here") == [*here])

    hear_of(True, False)
    game.two.wait_until(lambda _: True)
    hear_of(True, True)
    game.two.close()
    hear_of(True, False)
    game.close()
