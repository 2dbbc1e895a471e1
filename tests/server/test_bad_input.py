"""Bad input: every message that makes no sense gets a clear answer, and other matches go on."""

from __future__ import annotations

import json
import socket
import time
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.running import Game, Seat, Server, finish
from trapline.server.openapi import description

if TYPE_CHECKING:
    from pathlib import Path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def test_random_and_mutated_frames_are_answered_in_words(server: Server) -> None:
    game = Game(server.address, "hidden-path")
    game.one.wait_until(lambda _: True)
    good = json.dumps(
        {"key": "k", "version": 1, "command": {"do": "secret", "secret": "1 2 3"}}
    ).encode()

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(frame=_frames(good))
    def send(frame: bytes | str) -> None:
        game.one.open().send(frame)
        while (heard := game.one.hear())["type"] == "presence":
            pass
        assert heard["type"] == "refused", heard
        assert heard["reason"] in ("unreadable", "stale", "secret", "not now", "invalid")
        assert heard["sentence"].endswith(".")
        assert heard["state"]["version"] == game.one.version

    send()
    game.one.choose("1 2 3")
    game.close()


def _frames(good: bytes) -> st.SearchStrategy[bytes | str]:
    """Bytes, text and JSON of all kinds, and a good frame with something changed."""
    cut = st.integers(0, len(good) - 2).map(lambda n: good[:n])
    twisted = st.tuples(st.integers(0, len(good) - 1), st.integers(0, 255)).map(
        lambda change: good[: change[0]] + bytes([change[1]]) + good[change[0] + 1 :]
    )
    commands = st.fixed_dictionaries({"key": JSON, "version": JSON, "command": JSON})
    plain = JSON.map(lambda value: json.dumps(value))
    unlike = twisted.filter(lambda frame: b'"secret": "1 2 3"' not in frame)
    return (
        st.binary(max_size=300)
        | st.text(max_size=300)
        | cut
        | unlike
        | plain
        | commands.map(json.dumps)
    )


def hear_the_end(seat: Seat, frames: list[str]) -> ConnectionClosed:
    """Send frames, and listen until the server hangs up."""
    try:
        for frame in frames:
            seat.open().send(frame)
        while True:
            seat.hear()
    except ConnectionClosed as closed:
        return closed


@pytest.mark.parametrize("size", [5_000, 10_000_000])
def test_frames_that_are_too_large_close_the_connection(server: Server, size: int) -> None:
    game = Game(server.address, "numeric-maze")
    game.one.wait_until(lambda _: True)
    closed = hear_the_end(game.one, ["x" * size])
    # Whoever is still sending when the server hangs up may miss the reason.
    assert closed.rcvd is None or closed.rcvd.code == 1009
    assert closed.rcvd is not None or size > 100_000
    game.one.cut()
    game.one.play("2")
    game.close()


def test_large_bodies_are_refused(server: Server) -> None:
    with server.client() as http:
        answer = http.post("/api/matches", content=b"[" * 20_000)
        assert (answer.status_code, answer.json()["reason"]) == (413, "too large")
        deep = http.post("/api/matches", content=b"[" * 10_000)
        assert (deep.status_code, deep.json()["reason"]) == (400, "unreadable")


def test_who_sends_too_fast_is_told_and_then_cut_off(tmp_path: Path) -> None:
    with Server(tmp_path, commands_per_second="5", opens_per_minute="6") as server:
        game = Game(server.address, "numeric-maze")
        closed = hear_the_end(game.one, ["{}"] * 60)
        assert closed.rcvd is not None
        assert (closed.rcvd.code, "slow down" in closed.rcvd.reason) == (1008, True)
        assert any(b'"too fast"' in frame for frame in game.one.frames)
        game.two.listen()
        assert game.two.view["outcome"] is None
        with server.client() as http:
            body = {"game": "numeric-maze", "against": "here"}
            statuses = [http.post("/api/matches", json=body).status_code for _ in range(8)]
            assert statuses[-1] == 429
            assert http.post("/api/keys").status_code == 429
            path = f"/api/matches/{game.match}"
            assert http.post(path + "/join", json={"code": "guess"}).status_code == 429
            headers = {"Authorization": f"Bearer {game.keys[1]}"}
            command = {"key": "k", "version": 0, "command": {"do": "resign"}}
            for _ in range(40):
                answer = http.post(path + "/commands?seat=2", json=command, headers=headers)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
            assert answer.json()["key"] == "k"
        game.close()


def test_moves_that_come_too_fast_are_told_so_and_hold_up_nobody(tmp_path: Path) -> None:
    """A move in a frame of its own is heard at once, which is no way past the limit."""
    with Server(tmp_path, commands_per_second="0.4") as server:
        game = Game(server.address, "numeric-maze")
        game.one.wait_until(lambda _: True)
        reasons = set()
        for number in range(12):
            move = {"do": "play", "turn": "9"}
            request = {"key": f"k{number}", "version": game.one.version, "command": move}
            game.one.open().send(json.dumps(request))
            while (heard := game.one.hear())["type"] != "refused":
                pass
            assert heard["key"] == f"k{number}"
            reasons.add(heard["reason"])
        assert "too fast" in reasons
        game.two.do("resign")
        game.close()


def test_a_thousand_idle_sockets_and_slow_readers_disturb_nobody(tmp_path: Path) -> None:
    with Server(tmp_path, watchers="1100", per_address="1100") as server:
        game = Game(server.address, "hidden-path")
        host, port = server.address.removeprefix("http://").split(":")
        request = (
            f"GET /api/matches/{game.match}/socket?seat=0 HTTP/1.1\r\nHost: localhost\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        idle = []
        for _ in range(1000):
            plain = socket.create_connection((host, int(port)))
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plain.sendall(request)  # and never read a byte
            idle.append(plain)
        other = Game(server.address, "numeric-maze")
        begun = time.monotonic()
        finish(other, Random(1))
        finish(game, Random(2))
        assert time.monotonic() - begun < 60
        for plain in idle:
            plain.close()
        game.close()
        other.close()


@pytest.mark.parametrize(
    ("limit", "most"), [("watchers", "3"), ("connections", "4"), ("per_address", "3")]
)
def test_more_connections_than_allowed_are_told_so(tmp_path: Path, limit: str, most: str) -> None:
    with Server(tmp_path, **{limit: most}) as server:
        game = Game(server.address, "numeric-maze")
        seats = [Seat(server.address, game.match, 0, None) for _ in range(3)]
        for seat in seats:
            seat.hear()
        late = Seat(server.address, game.match, 0, None)
        with pytest.raises(ConnectionClosed) as closed:
            late.hear()
        assert closed.value.rcvd is not None
        assert "as many connections" in closed.value.rcvd.reason
        for seat in seats:
            seat.close()


def test_matches_that_do_not_exist(server: Server) -> None:
    ghost = Seat(server.address, "0123456789abcdef", 0, None)
    with pytest.raises(ConnectionClosed) as closed:
        ghost.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404
    with server.client() as http:
        for match in ("0123456789abcdef", "x", "%00", "../../etc", "'" * 300):
            answer = http.get(f"/api/matches/{match}")
            assert answer.status_code == 404
            assert answer.json()["sentence"].endswith(".")


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"game": "chess", "against": "here"}, "There is no game called 'chess'"),
        ({"game": "hidden-path", "against": "genius"}, "against must be one of link, here"),
        ({"game": "hidden-path", "against": "here", "options": {"length": 0}}, "length must be"),
        ({"game": "hidden-path", "against": "here", "options": {"colour": 1}}, "has no option"),
        ({"game": "hidden-path", "against": "here", "first": 3}, "cannot be read"),
        ({"game": "hidden-path", "against": "here", "name": "x" * 41}, "cannot be read"),
        ({"against": "here"}, "cannot be read"),
        ([], "cannot be read"),
    ],
)
def test_a_match_that_cannot_be_opened_says_why(server: Server, body: Any, part: str) -> None:
    with server.client() as http:
        answer = http.post("/api/matches", json=body)
        assert answer.status_code in (400, 422)
        assert part in answer.json()["sentence"]


def test_http_upgrade_without_websocket_is_answered(server: Server) -> None:
    with server.client() as http:
        answer = http.get("/api/matches/0123456789abcdef/socket")
        assert answer.status_code == 404
        assert http.delete("/api/matches").status_code == 405


def test_sockets_with_nonsense_in_the_address(server: Server) -> None:
    game = Game(server.address, "numeric-maze")
    address = server.address.replace("http", "ws")
    for query in ("seat=3", "seat=one", "seat=1&after=-1", "after=1e9", "after=" + "9" * 50):
        path = f"{address}/api/matches/{game.match}/socket?{query}"
        headers = {"Cookie": f"trapline={game.keys[0]}"}
        with (
            connect(path, additional_headers=headers) as wire,
            pytest.raises(ConnectionClosed) as closed,
        ):
            wire.recv(5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        assert closed.value.rcvd.reason


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://", "[", "x" * 1000])
def test_an_origin_that_is_no_address_is_from_elsewhere(server: Server, origin: str) -> None:
    with server.client() as http:
        assert http.post("/api/keys", headers={"Origin": origin}).status_code == 403
    address = server.address.replace("http", "ws")
    with (
        connect(
            f"{address}/api/matches/0123456789abcdef/socket", additional_headers={"Origin": origin}
        ) as wire,
        pytest.raises(ConnectionClosed) as closed,
    ):
        wire.recv(5)
    assert closed.value.rcvd is not None
    assert "not from here" in closed.value.rcvd.reason


def test_names_hold_nothing_that_a_screen_would_obey(server: Server) -> None:
    """Escape sequences, line breaks and marks that turn the text around."""
    for name, kept in [
        ("\x1b[31mAnn\n", "[31mAnn"),
        ("A\u202enn\x00", "Ann"),
        ("\u200b\x07", "Player 1"),
        (" Ünal 王 <b> ", "Ünal 王 <b>"),
    ]:
        body = {"game": "numeric-maze", "against": "link", "name": name}
        with server.client() as ann, server.client() as ben:
            opened = ann.post("/api/matches", json=body).json()
            path = f"/api/matches/{opened['match']}"
            code = opened["link"].partition("#")[2]
            ben.post(path + "/join", json={"code": code, "name": name})
            players = ben.get(path).json()["players"]
        assert [player["name"] for player in players] == [kept, kept.replace("r 1", "r 2")]


def test_headers_without_end_are_cut_off(server: Server) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as wire:
        wire.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 40_000)
        heard = b""
        try:
            for _ in range(100):
                wire.sendall(b"a" * 40_000)
            heard = wire.recv(1000)
        except ConnectionError:  # it has hung up while we were still sending
            return
    assert heard.startswith(b"HTTP/1.1 4"), heard


# --- the description of the HTTP side, and the server that should keep to it ------------


DESCRIBED = json.loads(description())
OPERATIONS = [
    (path, method)
    for path, methods in DESCRIBED["paths"].items()
    for method in methods
    if not path.endswith("/stream")
]


@pytest.fixture(scope="module")
def schema() -> Any:
    return schemathesis.openapi.from_dict(DESCRIBED)


# Cases are drawn by whoever runs the test, not by every process that collects it: it takes long.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # of schemathesis
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_http_keeps_to_its_description(schema: Any, server: Server, path: str, method: str) -> None:
    operation = schema[path][method.upper()]
    good, bad = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=good | bad)
    def call(case: Any) -> None:
        # Which options make a game is for the rules to say; no schema can.
        case.call_and_validate(base_url=server.address, excluded_checks=[positive_data_acceptance])

    call()
