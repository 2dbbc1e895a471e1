"""What a link to a match looks like where it is sent: nothing in it that anybody hides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx

from tests.server.running import Game

if TYPE_CHECKING:
    from tests.server.running import Server

TAG = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')


def card(address: str, path: str) -> dict[str, str]:
    answer = httpx.get(address + path, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert "content-encoding" not in answer.headers or not TAG.search(answer.text)
    return dict(TAG.findall(answer.text))


def test_a_challenge_says_whose_it_is(server: Server) -> None:
    with server.client() as client:
        body = {"game": "hidden-path", "against": "link", "name": '<b>"Ann"'}
        opened = client.post("/api/matches", json=body).json()
    shown = card(server.address, f"/join/{opened['match']}")
    assert shown["title"] == "&lt;b&gt;&quot;Ann&quot; challenges you to Hidden Path"
    assert shown["image"].endswith("/static/icon-512.png")
    code = opened["link"].partition("#")[2]
    page = httpx.get(f"{server.address}/join/{opened['match']}").text
    assert code not in page
    assert "<b>" not in page


def test_the_card_of_a_running_match_tells_no_secret(server: Server) -> None:
    shown = []
    for secret in ("1 2 3", "8 9 10"):
        match = Game(server.address, "hidden-path")
        match.one.choose(secret)
        match.two.choose("4 5 6")
        facts = card(server.address, f"/m/{match.match}")
        match.close()
        del facts["url"]
        shown.append(facts)
    assert shown[0] == shown[1]
    assert "being played" in shown[0]["description"]


def test_the_card_of_a_finished_match_says_who_won(server: Server) -> None:
    match = Game(server.address, "numeric-maze")
    match.one.do({"do": "resign"})
    match.close()
    shown = card(server.address, f"/m/{match.match}")
    assert shown["title"] == "Numeric Maze: Player 1 and Player 2"
    assert shown["description"].startswith("Player 1 resigns. Player 2 wins the game!")


def test_an_address_without_a_match_has_no_card(server: Server) -> None:
    assert card(server.address, "/m/ffffffffffffffff") == {}
    assert card(server.address, "/") == {}
