"""A shared screen and two phones: the screen sits nowhere, and sees nothing that is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from tests.server.running import Server


@pytest.fixture
def table(server: Server) -> Any:
    """The screen's browser, the match, and the codes of both seats."""
    with server.client() as screen:
        body = {"game": "hidden-path", "against": "table", "first": 1}
        opened = screen.post("/api/matches", json=body).json()
        assert (opened["seats"], opened["link"]) == ([], None)
        links = screen.get(f"/api/matches/{opened['match']}/links").json()["links"]
        yield screen, opened["match"], [link.partition("#")[2] for link in links]


def join(client: httpx.Client, match: str, code: str) -> Any:
    return client.post(f"/api/matches/{match}/join", json={"code": code}).json()


def test_each_code_admits_to_its_own_seat(server: Server, table: Any) -> None:
    screen, match, codes = table
    with server.client() as ann, server.client() as ben:
        assert join(ben, match, codes[1])["seats"] == [2]
        assert join(ben, match, codes[0])["reason"] == "not now"
        assert join(ann, match, codes[1])["reason"] == "full"
        assert join(ann, match, "")["reason"] == "not yours"
        links = screen.get(f"/api/matches/{match}/links").json()["links"]
        assert [link is None for link in links] == [False, True]
        assert join(ann, match, codes[0])["seats"] == [1]
        assert screen.get(f"/api/matches/{match}/links").json()["links"] == [None, None]
        info = screen.get(f"/api/matches/{match}").json()
        assert (info["open"], info["seats"], info["waits"]) == (False, [], [1, 2])


def test_only_the_screen_hands_out_the_links(server: Server, table: Any) -> None:
    screen, match, codes = table
    with server.client() as ann, server.client() as stranger:
        join(ann, match, codes[0])
        for client in (ann, stranger):
            for address in ("links", "qr?seat=1", "qr?seat=2"):
                answer = client.get(f"/api/matches/{match}/{address}")
                assert (answer.status_code, answer.json()["reason"]) == (403, "not yours")
        assert screen.get(f"/api/matches/{match}/qr?seat=2").headers["content-type"] == (
            "image/svg+xml"
        )
        assert screen.get(f"/api/matches/{match}/qr?seat=1").json()["reason"] == "full"


def test_the_screen_takes_no_seat_and_is_told_no_secret(server: Server, table: Any) -> None:
    screen, match, codes = table
    answers = []
    with server.client() as ann, server.client() as ben:
        join(ann, match, codes[0])
        join(ben, match, codes[1])
        play = {"key": "k", "version": 3, "command": {"do": "play", "turn": "4 7 9"}}
        assert screen.post(f"/api/matches/{match}/commands?seat=1", json=play).status_code == 403
        assert ann.post(f"/api/matches/{match}/commands?seat=1", json=play).is_success
        with screen.stream("GET", f"/api/matches/{match}/stream?seat=0") as stream:
            answers.append(next(stream.iter_lines()))
        assert screen.get(f"/api/matches/{match}/stream?seat=1").status_code == 403
    assert '"secret":null' in answers[0]
    assert not any(text in answers[0] for text in ("4,7,9", "4 7 9", codes[0], codes[1]))
