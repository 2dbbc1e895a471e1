"""What a link to a match looks like where it is sent: nothing in it that anybody hides."""

from __future__ import annotations

import gzip
import re
import struct
from typing import TYPE_CHECKING

import httpx

from tests.server.running import Game
from trapline.core import Picture, Shape
from trapline.server.alphabet import ALPHABET, ROWS, spelled
from trapline.server.cards import HEIGHT, WIDTH, draw_card

if TYPE_CHECKING:
    from tests.server.running import Server

TAG = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')


def card(address: str, path: str) -> dict[str, str]:
    """What a page says of its match; it stands there letter by letter, whatever is compressed."""
    with httpx.stream("GET", address + path, headers={"accept-encoding": "gzip"}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-encoding"] == "gzip"
        sent = b"".join(answer.iter_raw())
    text = gzip.decompress(sent).decode()
    assert text == httpx.get(address + path, headers={"accept-encoding": "identity"}).text
    facts = text.partition('  <meta property="og:')[1:]
    told = "".join(facts).partition("  <title>")[0].rstrip()
    assert told.encode() in sent
    return dict(TAG.findall(told))


def test_a_challenge_says_whose_it_is(server: Server) -> None:
    with server.client() as client:
        body = {"game": "hidden-path", "against": "link", "name": '<b>"Ann"'}
        opened = client.post("/api/matches", json=body).json()
    shown = card(server.address, f"/join/{opened['match']}")
    assert shown["title"] == "&lt;b&gt;&quot;Ann&quot; challenges you to Hidden Path"
    assert shown["image"].endswith(f"/m/{opened['match']}/card.png")
    code = opened["link"].partition("#")[2]
    page = httpx.get(f"{server.address}/join/{opened['match']}").text
    assert code not in page
    assert "<b>" not in page


def test_the_card_of_a_running_match_tells_no_secret(server: Server) -> None:
    shown, boards = [], []
    for secret in ("1 2 3", "8 9 10"):
        match = Game(server.address, "hidden-path")
        match.one.choose(secret)
        match.two.choose("4 5 6")
        facts = card(server.address, f"/m/{match.match}")
        board = httpx.get(facts.pop("image"))
        match.close()
        del facts["url"]
        shown.append(facts)
        boards.append(board.content)
    assert shown[0] == shown[1]
    assert boards[0] == boards[1], "not a dot of it depends on what is hidden"
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


def test_the_board_on_the_card_is_that_of_the_match(server: Server) -> None:
    """A picture of the size it says, which changes with the match; at the end all is open."""
    match = Game(server.address, "hidden-path")
    match.one.choose("1 2 3")
    match.two.choose("4 5 6")
    address = card(server.address, f"/m/{match.match}")["image"]
    before = httpx.get(address)
    assert before.headers["content-type"] == "image/png"
    assert before.headers["cache-control"] == "no-store"
    assert struct.unpack(">II", before.content[16:24]) == (WIDTH, HEIGHT)
    match.one.wait_until(lambda seat: seat.view["asks"] == "move")
    match.one.do({"do": "resign"})
    match.close()
    assert httpx.get(address).content != before.content


def test_there_is_no_picture_of_no_match(server: Server) -> None:
    answer = httpx.get(f"{server.address}/m/ffffffffffffffff/card.png")
    assert answer.status_code == 404
    assert answer.json()["type"] == "refused"


def test_what_cannot_be_written_in_dots_is_left_out() -> None:
    shapes = [Shape("circle", 20, 20, 40, 40, text=text) for text in ("", "²", "S", "7")]
    drawn = [draw_card(Picture(40, 40, (shape,))) for shape in shapes]
    assert drawn[0] == drawn[1]
    assert len({*drawn}) == 3


def test_every_letter_is_drawn_with_its_own_dots() -> None:
    assert len(set(ALPHABET.values())) == len(ALPHABET)
    assert {len(rows) for rows in ALPHABET.values()} == {ROWS}
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") < ALPHABET.keys()


def test_any_name_can_be_written() -> None:
    assert spelled("Zoë & José") == "ZOE & JOSE"
    assert spelled("Strauß") == "STRAUSS"
    assert spelled("名") == "·"


def test_the_card_says_what_it_shows() -> None:
    board = Picture(40, 40, (Shape("circle", 20, 20, 40, 40),))
    drawn = [
        draw_card(board, head)
        for head in ((), ("Hidden Path",), ("Hidden Path", "Ann and Ben"), ("x" * 500,))
    ]
    assert len({*drawn}) == len(drawn)
