"""Keys and names: who somebody is, and what they may call themselves."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.running import Server
from trapline.core import OptionsError
from trapline.server.guard import HEADERS, Keys, SafeHeaders
from trapline.server.names import Names, printable
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from pathlib import Path

CHOSEN = "x" * 43
BODY: dict[str, Any] = {"game": "numeric-maze", "against": "link"}


def test_a_server_knows_the_keys_it_made() -> None:
    keys, others = Keys(b"1" * 32), Keys(b"2" * 32)
    made = keys.new()
    assert len(made) == 43
    assert keys.is_ours(made)
    assert Keys(b"1" * 32).is_ours(made), "also after a restart"
    assert not others.is_ours(made)
    turned = made[:5] + ("A" if made[5] != "A" else "B") + made[6:]
    for key in (CHOSEN, turned, made[:-2] + "==", "", made + "A", "é" * 43):
        assert not keys.is_ours(key)


def test_nobody_takes_a_seat_with_a_key_of_their_own_choice(server: Server) -> None:
    with server.client() as http:
        headers = {"Authorization": f"Bearer {CHOSEN}"}
        answer = http.post("/api/matches", json=BODY, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (403, "not yours")
        opened = http.post("/api/matches", json=BODY).json()
        code = opened["link"].partition("#")[2]
        path = f"/api/matches/{opened['match']}/join"
        assert http.post(path, json={"code": code}, headers=headers).status_code == 403
        key = http.post("/api/keys").json()["key"]
        ours = {"Authorization": f"Bearer {key}"}
        assert http.post(path, json={"code": code}, headers=ours).status_code == 200


def test_a_browser_with_such_a_key_gets_another_and_keeps_the_old_one(server: Server) -> None:
    """It may have seats from before keys were made to be known."""
    with server.client() as http:
        http.cookies.set("trapline", CHOSEN, domain="127.0.0.1")
        answer = http.post("/api/matches", json=BODY)
        cookies = [value.partition(";")[0] for value in answer.headers.get_list("set-cookie")]
        assert f"trapline-former={CHOSEN}" in cookies
        (new,) = (cookie for cookie in cookies if cookie.startswith("trapline="))
        assert CHOSEN not in new


def test_behind_tls_a_cookie_that_a_neighbour_could_set_takes_no_seat(server: Server) -> None:
    safe = {"X-Forwarded-Proto": "https"}
    with server.client() as http:
        key = http.post("/api/keys").json()["key"]
        planted = {**safe, "Cookie": f"trapline={key}"}
        cookie = http.post("/api/matches", json=BODY, headers=planted).headers["set-cookie"]
        assert cookie.startswith("__Host-trapline=")
        assert key not in cookie
        mine = {**safe, "Cookie": cookie.partition(";")[0]}
        assert "set-cookie" not in http.post("/api/matches", json=BODY, headers=mine).headers


# --- names ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("\u3164", ""),
        ("\u2800\u2800", ""),
        ("\u115fAnn\u1160", "Ann"),
        ("Z" + "\u0351" * 30, "Z\u0351\u0351"),
        ("\u0301\u0301", ""),
        ("Zoe\u0308", "Zoë"),
        ("नमस्ते", "नमस्ते"),
        ("A\ufe0f\U000e0041B", "AB"),
        ("\u200f \u00ad", ""),
        ("\U0001d159", ""),
        ("A\u180b\u180fB", "AB"),
        ("\ud7b0A\u1161\u11a8\ud7fb", "A"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("\U00013441\U00013442", ""),
    ],
)
def test_a_name_can_be_seen_and_covers_nothing(name: str, shown: str) -> None:
    assert printable(name) == shown


def test_an_operator_says_which_names_are_not_wanted(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("# one a line\nBadword\n\nmoderator\n")
    names = Names(str(file))
    assert names.clean("Ann") == "Ann"
    assert names.clean("One a Line") == "One a Line"
    for name in ("badword", "xBaDwórdx", "b a d-w.o r d", "ＭＯＤＥＲＡＴＯＲ"):
        with pytest.raises(Refusal, match="not wanted"):
            names.clean(name)
    file.write_text("ann\n")
    os.utime(file, ns=(1, 1))
    with pytest.raises(Refusal):
        names.clean("Ann")
    assert names.clean("Badword") == "Badword"
    file.write_text("badword\n")
    os.utime(file, ns=(1, 1))
    assert names.clean("Badword") == "Badword", "a file that has not changed is not read again"
    file.write_bytes(b"\xff")
    with pytest.raises(Refusal):
        names.clean("Ann")
    file.unlink()
    with pytest.raises(Refusal):
        names.clean("Ann")
    with pytest.raises(OptionsError, match="There is no file"):
        Names(str(file))


def test_a_name_that_is_not_wanted_opens_and_joins_nothing(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("moderator\n")
    with Server(tmp_path, names=str(tmp_path / "words.txt")) as server, server.client() as http:
        refused = http.post("/api/matches", json={**BODY, "name": "The Moderator"})
        assert (refused.status_code, refused.json()["reason"]) == (422, "invalid")
        opened = http.post("/api/matches", json=BODY).json()
        code = opened["link"].partition("#")[2]
        with server.client() as ben:
            path = f"/api/matches/{opened['match']}/join"
            joining = {"code": code, "name": "moderator"}
            assert ben.post(path, json=joining).status_code == 422
            assert ben.post(path, json={"code": code, "name": "Ben"}).status_code == 200


def test_an_answer_that_does_not_say_what_it_is_counts_as_a_page() -> None:
    """Browsers guess what it is, so it carries all that keeps a page safe."""
    heard: list[Any] = []

    async def silent(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def hear(message: Any) -> None:
        heard.append(message)

    asyncio.run(SafeHeaders(silent)({"type": "http"}, silent, hear))  # type: ignore[arg-type]  # nobody receives
    assert {name.decode(): value.decode() for name, value in heard[0]["headers"]} == HEADERS
