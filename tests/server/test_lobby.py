"""The lobby: only what its players put there, and nothing of what happens in a match."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.server.rooms import opened as opening_of
from tests.server.running import Server
from tests.server.stores import in_loop, opened, put
from trapline.server import lobby
from trapline.server.messages import NewMatch, TimeLimit
from trapline.server.seating import Seating

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import httpx

LINK: dict[str, Any] = {"game": "hidden-path", "against": "link", "first": 1, "name": "Ann"}


def opened_here(client: httpx.Client, **wanted: Any) -> str:
    answer = client.post("/api/matches", json={**LINK, **wanted})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["match"])


def take(client: httpx.Client, match: str) -> None:
    """Take a challenge from the lobby, without its link."""
    answer = client.post(f"/api/matches/{match}/join", json={"code": "", "name": "Ben"})
    assert answer.is_success, answer.text


def listed(client: httpx.Client) -> dict[str, dict[str, Any]]:
    """Each match in the lobby: as what it is shown, and how."""
    found = client.get("/api/lobby").json()
    return {line["match"]: {**line, "as": kind} for kind, lines in found.items() for line in lines}


def test_only_what_its_players_want_to_be_seen_is_in_the_lobby(server: Server) -> None:
    with server.client() as ann, server.client() as ben:
        private, public = opened_here(ann), opened_here(ann, listed=True)
        shown = opened_here(ann, listed=True, watched=True)
        here = listed(ben)
        assert private not in here
        assert (here[public]["as"], here[public]["yours"]) == ("challenges", False)
        assert (here[public]["title"], here[public]["players"][0]["name"]) == ("Hidden Path", "Ann")
        assert listed(ann)[public]["yours"] is True
        # Anybody may take what is listed; what is not still needs its link.
        answer = ben.post(f"/api/matches/{private}/join", json={"code": "", "name": "Ben"})
        assert (answer.status_code, answer.json()["reason"]) == (403, "not yours")
        for match in (public, shown):
            take(ben, match)
        late = ben.post(f"/api/matches/{public}/join", json={"code": "", "name": "Carl"})
        assert late.json()["reason"] == "not now"
        here = listed(ben)
        assert public not in here
        assert here[shown]["as"] == "watched"
        assert [player["name"] for player in here[shown]["players"]] == ["Ann", "Ben"]
        resign = {"key": "k", "version": 2, "command": {"do": "resign"}}
        assert ann.post(f"/api/matches/{shown}/commands?seat=1", json=resign).is_success
        assert shown not in listed(ben)


def test_nothing_that_is_secret_reaches_the_lobby(server: Server) -> None:
    """Neither keys nor the code of the link, nor anything that depends on what was hidden."""
    answers = []
    for secret in ("1 2 3", "8 9 10"):
        with server.client() as ann, server.client() as ben, server.client() as stranger:
            match = opened_here(ann, listed=True, watched=True)
            waiting = stranger.get("/api/lobby").text
            take(ben, match)
            play = {"key": "k", "version": 2, "command": {"do": "play", "turn": secret}}
            assert ann.post(f"/api/matches/{match}/commands?seat=1", json=play).is_success
            playing = listed(stranger)[match]
            assert not re.search(r"[0-9a-f]{20}|code|key", waiting + str(playing))
            del playing["match"], playing["opened"]
            answers.append(playing)
    assert answers[0] == answers[1]


def test_only_a_challenge_can_be_listed(server: Server) -> None:
    with server.client() as client:
        for against in ("here", "casual"):
            answer = client.post("/api/matches", json={**LINK, "against": against, "listed": True})
            assert (answer.status_code, answer.json()["reason"]) == (422, "invalid")


@in_loop
async def test_a_store_finds_what_is_listed(make_url: Callable[[], str]) -> None:
    async with opened(make_url()) as store:
        await put(store, "a", 1, listing="challenge", at="2026-01-01T00:00:00.000Z")
        await put(store, "b", 1, listing="challenge", at="2026-01-02T00:00:00.000Z")
        await put(store, "c", 1, at="2026-01-03T00:00:00.000Z")
        assert await store.listed("challenge", 10) == ["b", "a"]
        assert await store.listed("challenge", 1) == ["b"]
        assert await store.listed("watch", 10) == []
        await put(store, "b", 2, listing="watch", at="2026-01-02T00:00:00.000Z")
        assert await store.listed("challenge", 10) == ["a"]
        assert await store.listed("watch", 10) == ["b"]
        assert await store.listed("", 10) == []


@pytest.mark.parametrize(
    ("clock", "waited", "gone"),
    [
        (None, "2020-01-01T00:00:00.000+00:00", True),
        (TimeLimit("per move", 60), "2020-01-01T00:00:00.000+00:00", True),
        (TimeLimit("per move", 86_400), "2020-01-01T00:00:00.000+00:00", False),
        (None, "2999-01-01T00:00:00.000+00:00", False),
    ],
)
def test_who_wants_to_play_at_once_is_not_listed_for_days(
    clock: TimeLimit | None, waited: str, gone: bool
) -> None:
    opening = opening_of(NewMatch("numeric-maze", "link", clock=clock, listed=True))
    old = msgspec.structs.replace(opening, at=waited)
    assert lobby._has_waited_long(old) is gone
    assert Seating("m", old).listing(over=False) == "challenge"


def test_a_damaged_match_takes_nothing_else_out_of_the_lobby(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with server.client() as ann:
            damaged, whole = (opened_here(ann, listed=True) for _ in range(2))
        server.stop()
        with closing(sqlite3.connect(tmp_path / "server.sqlite3")) as log:
            log.execute("UPDATE entries SET entry = x'7b' WHERE match_id = ?", (damaged,))
            log.commit()
        server.start()
        with server.client() as ben:
            assert [*listed(ben)] == [whole]
