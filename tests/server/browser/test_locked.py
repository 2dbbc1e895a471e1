"""Matches of two browsers whose secrets never reach the server."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import GOALS, SECRETS, TITLES, finish_together
from trapline.referee import parse_record, verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor

SWITCH = "Not even the server sees what you hide"


def challenge(
    me: Visitor, friend: Visitor, game: str, *, passing: bool = False, far: bool = False
) -> tuple[str, list[str]]:
    """A locked match that is about to begin, and everything that both will say to the server."""
    said: list[str] = []
    for visitor in (me, friend):
        visitor.coached = False
        visitor.page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda frame: said.append(str(frame))),
        )
    me.go("/")
    me.page.get_by_role("button", name=f"{TITLES[game]}: challenge by link").click()
    me.page.get_by_label("Who starts").select_option("1")
    me.page.get_by_label(re.compile(SWITCH)).check()
    if passing:
        me.page.locator(".setup summary").click()
        me.page.get_by_label("or also passing it").select_option("passing")
    if far:
        me.page.locator(".setup summary").click()
        me.page.get_by_label("Squares to the goal").fill("60")
        me.page.get_by_label("Longest move, in squares").fill("40")
    expect(me.page.get_by_label("Clock")).not_to_have_value("null")
    me.page.locator(".setup button[type=submit]").click()
    me.page.wait_for_selector(".match .board")
    link = me.link()
    friend.page.goto(link)
    friend.page.get_by_text("Not even this server sees what you hide").wait_for()
    friend.join(link, "Ben")
    return me.page.url.rsplit("/", 1)[1], said


def record_of(visitor: Visitor, match: str) -> bytes:
    body: bytes = visitor.context.request.get(
        f"{visitor.address}/api/matches/{match}/record"
    ).body()
    return body


def commands(said: list[str], do: str) -> list[dict[str, Any]]:
    sent = [json.loads(frame)["command"] for frame in said]
    return [command for command in sent if command["do"] == do]


def test_a_match_is_played_to_its_end_although_one_page_was_killed(
    visit: Callable[..., Visitor],
) -> None:
    me, friend = visit(), visit()
    match, said = challenge(me, friend, "hidden-path")
    me.act("hidden-path")
    me.page.locator('.board [data-id="trap 1 6"], .board .trap').nth(2).wait_for()  # one's own
    friend.page.wait_for_selector('.match[data-asks="secret"]')
    expect(friend.page.locator(".board .trap")).to_have_count(0)
    friend.act("hidden-path")
    me.wait()
    # The friend's page dies; the next move waits for it, and goes on when it is opened again.
    friend.page.goto("about:blank")
    me.page.locator('.target[data-at="2"]').click()
    me.page.locator(".status", has_text="Ben’s device opens 2.").wait_for()
    friend.go(f"/m/{match}")
    friend.page.wait_for_selector('.match[data-asks="move"]')
    expect(friend.page.locator(".board .trap")).to_have_count(3)
    finish_together("hidden-path", me, friend)
    for visitor in (me, friend):
        visitor.page.get_by_text("20 places on both devices: as committed to").wait_for()
        assert not [key for key in visitor.stored()["local"] if "locked" in key]
    record = parse_record(record_of(me, match))
    assert [check.fault for check in verify(record) if check.fault] == []
    secrets = SECRETS["hidden-path"]
    assert record.secrets == {
        str(seat): [int(step) for step in secret.split()] for seat, secret in secrets.items()
    }
    assert all(turn["turn"] not in secrets.values() for turn in commands(said, "play"))
    assert len(commands(said, "lock")) == 2


@pytest.mark.parametrize("game", ["trap-builder", "secret-paths"])
def test_other_games_are_played_so_too(visit: Callable[..., Visitor], game: str) -> None:
    me, friend = visit(), visit()
    match, said = challenge(me, friend, game)
    finish_together(game, me, friend, GOALS.get(game))
    record = parse_record(record_of(friend, match))
    assert [check.fault for check in verify(record) if check.fault] == []
    assert [len(commands(said, do)) for do in ("lock", "open rest")] == [2, 2]


def test_traps_that_turns_leave_stay_on_the_devices(visit: Callable[..., Visitor]) -> None:
    """Both stand on 2; both want a trap there, and only who comes second learns of the first."""
    me, friend = visit(), visit()
    match, said = challenge(me, friend, "trap-runner")
    for visitor in (me, friend):
        visitor.wait()
        visitor.page.locator('.target[data-at="2"]').click()
    me.wait()
    me.page.locator('.target[data-at="3"]').click()
    me.page.wait_for_selector('.match[data-asks="trap"]')
    me.page.get_by_role("button", name="Set a trap").click()
    friend.wait()
    expect(me.page.locator(".board .trap")).to_have_count(1)
    expect(friend.page.locator(".board .trap")).to_have_count(0)
    friend.page.locator('.target[data-at="4"]').click()
    friend.page.wait_for_selector('.match[data-asks="trap"]')
    friend.page.get_by_role("button", name="Set a trap").click()
    me.page.wait_for_selector('.match[data-asks="move"]')
    expect(friend.page.locator(".board .trap")).to_have_count(1)
    expect(me.page.locator(".board .trap")).to_have_count(1)
    friend.page.reload()  # all that a device needs is on it
    friend.page.wait_for_selector(".match .board")
    expect(friend.page.locator(".board .trap")).to_have_count(1)
    finish_together("trap-runner", me, friend)
    for visitor in (me, friend):
        visitor.page.get_by_text(re.compile("What was hidden in .* turns?: as sealed")).wait_for()
        assert not [key for key in visitor.stored()["local"] if "locked" in key]
    record = parse_record(record_of(me, match))
    assert [check.fault for check in verify(record) if check.fault] == []
    assert record.moves[2:4] == ["1t", "2t"]
    assert not any("t" in turn["turn"] for turn in commands(said, "play"))
    assert len(commands(said, "give")) >= 1
    assert len(commands(said, "open seed")) == 2


def test_a_move_and_its_trap_are_typed_at_once(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit()
    _, said = challenge(me, friend, "trap-runner", far=True)
    for visitor, turn in ((me, "5"), (friend, "4"), (me, "6t")):
        visitor.wait()
        visitor.page.locator(".typed input").fill(turn)
        visitor.page.locator(".typed input").press("Enter")
    friend.page.wait_for_selector('.match[data-asks="move"]')
    expect(me.page.locator(".board .trap")).to_have_count(1)
    assert [turn["turn"] for turn in commands(said, "play")] == ["5", "4", "6"]
    assert len(commands(said, "lock")) == 1


def test_traps_that_act_on_passing_are_opened_on_the_way(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit()
    match, said = challenge(me, friend, "trap-builder", passing=True)
    me.choose_secret("3 5 7")
    friend.page.wait_for_selector('.match[data-asks="secret"]')
    friend.choose_secret("2 6 8")
    me.page.locator('.target[data-at="3"]').click()
    for visitor in (me, friend):
        visitor.page.wait_for_selector('.match[data-asks="over"]')
    opened = [(command["place"], command["holds"]) for command in commands(said, "open")]
    assert opened == [("1", False), ("2", True)]
    record = parse_record(record_of(friend, match))
    assert [check.fault for check in verify(record) if check.fault] == []


def test_a_browser_that_remembers_nothing_hides_nothing(visit: Callable[..., Visitor]) -> None:
    """Else whoever reloads the page could not open what was hidden, and would lose."""
    me, friend = visit(), visit()
    me.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    _, said = challenge(me, friend, "hidden-path")
    me.choose_secret("2 6 8")
    me.page.locator(".fault", has_text="cannot keep what you hide").wait_for()
    assert commands(said, "lock") == []


def test_a_device_opens_nothing_that_no_move_depends_on(visit: Callable[..., Visitor]) -> None:
    """A server that asks for a second place in the same turn gets none, and its player is told."""
    me, friend = visit(), visit()
    asked: list[dict[str, Any]] = []
    said: list[str] = []

    def greedy(frame: str | bytes) -> str | bytes:
        state = json.loads(frame)
        locked = (state.get("table") or {}).get("locked")
        if locked and locked["awaited"] and locked["awaited"]["seat"] == 2:
            asked.append(dict(locked["awaited"]))
            if len(asked) > 1:
                locked["awaited"].update(place="9", turn=asked[0]["turn"])
        return json.dumps(state)

    friend.page.route_web_socket(
        re.compile("/socket"),
        lambda socket: _listen_in(socket, greedy, said),
    )
    challenge(me, friend, "hidden-path")
    me.act("hidden-path")
    friend.act("hidden-path")
    me.wait()
    me.page.locator('.target[data-at="1"]').click()
    friend.wait()
    friend.page.locator('.target[data-at="1"]').click()
    me.page.wait_for_selector('.match[data-asks="move"]')
    me.page.locator('.target[data-at="2"]').click()
    friend.page.locator(".status", has_text="More is asked for than moves").wait_for()
    assert [command["place"] for command in commands(said, "open")] == ["1"]


def _listen_in(socket: Any, change: Callable[[str | bytes], str | bytes], said: list[str]) -> None:
    server = socket.connect_to_server()
    server.on_message(lambda frame: socket.send(change(frame)))

    def pass_on(frame: str) -> None:
        said.append(frame)
        server.send(frame)

    socket.on_message(pass_on)
