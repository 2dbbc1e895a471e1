"""What people do together besides moving: clocks, challenges, series, reactions, takebacks."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.server.browser.driver import finish_together
from tests.server.browser.secrecy import nothing_shows, nothing_was_heard
from tests.server.browser.test_page import Inspection

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor

LEFT = "(3 d 0 h|2 d 23 h) left"


def set_up(visitor: Visitor, title: str, way: str, **choices: str) -> None:
    """Open a match from its card, choosing by the labels of the fields."""
    visitor.coached = False
    visitor.go("/")
    visitor.page.get_by_role("button", name=f"{title}: {way}").click()
    for label, value in choices.items():
        visitor.page.get_by_label(label.replace("_", " ")).select_option(label=value)
    visitor.page.locator(".setup button[type=submit]").click()
    visitor.page.wait_for_selector(".match .board, .curtain")


def test_a_clock_runs_on_the_page_and_ends_the_match(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit(viewport={"width": 360, "height": 740})
    set_up(me, "Numeric Maze", "challenge by link", Who_starts="You", Clock="3 minutes each")
    link = me.link()
    friend.page.goto(link)
    friend.page.get_by_text("With a clock: 3 minutes each.").wait_for()
    friend.join(link, "Ben")
    me.page.wait_for_selector(".seat-1 .clock.running")
    expect(me.page.locator(".seat-2 .clock")).to_have_text("3:00", use_inner_text=True)
    me.page.wait_for_function(
        "() => document.querySelector('.seat-1 .clock').textContent.startsWith('2:5')"
    )
    me.page.locator(".target").last.click()
    for visitor in (me, friend):
        visitor.page.wait_for_selector(".seat-2 .clock.running")
        expect(visitor.page.locator(".seat-1 .clock.running")).to_have_count(0)
    frame = friend.page.locator(".players").bounding_box()
    assert frame
    assert frame["x"] + frame["width"] <= 360


def test_the_server_decides_when_time_is_up(visit: Callable[..., Visitor]) -> None:
    me = visit()
    body = {
        "game": "numeric-maze",
        "against": "casual",
        "first": 1,
        "clock": {"kind": "per move", "seconds": 1},
    }
    match = me.context.request.post(f"{me.address}/api/matches", data=body).json()["match"]
    me.coached = False
    me.go(f"/m/{match}")
    me.page.wait_for_selector(".verdict")
    expect(me.page.locator(".why")).to_contain_text("Player 1's time is up.", use_inner_text=True)


def test_a_match_that_goes_on_for_days_says_whose_turn_it_is(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit()
    set_up(me, "Numeric Maze", "challenge by link", Who_starts="You", Clock="3 days a move")
    friend.join(me.link(), "Ben")
    me.page.wait_for_selector('.match[data-asks="move"]')
    me.go("/matches")
    me.page.get_by_text(re.compile(f"Ben · your turn, {LEFT}")).wait_for()
    friend.go("/matches")
    friend.page.get_by_text(re.compile(f"Player 1 · Player 1’s turn, {LEFT}")).wait_for()
    me.go("/")
    me.page.get_by_role("link", name="Numeric Maze with Ben: your turn").click()
    me.page.locator(".target").last.click()
    me.page.wait_for_selector(".seat-2 .clock.running")
    me.go("/matches")
    me.page.get_by_text(re.compile(f"Ben · Ben’s turn, {LEFT}")).wait_for()


def test_a_challenge_in_the_lobby_is_taken_and_watched(visit: Callable[..., Visitor]) -> None:
    me, friend, stranger = visit(), visit(viewport={"width": 360, "height": 740}), visit()
    me.coached = friend.coached = False
    me.go("/")
    me.press("Hidden Path: challenge by link")
    me.page.get_by_label("Your name").fill("Ann")
    me.page.get_by_label("Put it in the lobby").check()
    me.page.get_by_label("Anybody may watch").check()
    me.press("Make the link")
    me.page.wait_for_selector(".match .board")
    friend.go("/")
    friend.page.get_by_role("link", name="Lobby").click()
    friend.page.get_by_role("link", name="Hidden Path with Ann: take the challenge").click()
    friend.page.get_by_text("Anybody may watch this match").wait_for()
    friend.page.get_by_label("Your name").fill("Ben")
    friend.press("Take the challenge")
    friend.page.wait_for_selector(".match .board")
    me.choose_secret("2 6 8")
    stranger.go("/lobby")
    stranger.page.get_by_role("link", name="Hidden Path, Ann and Ben: watch").click()
    stranger.page.get_by_text("You are watching.").wait_for()
    for visitor in (friend, stranger):
        nothing_shows(visitor, "hidden-path", 1)
        nothing_was_heard(visitor, 1)


def two_friends(visit: Callable[..., Visitor], title: str, **choices: str) -> tuple[Visitor, ...]:
    me, friend = visit(), visit(viewport={"width": 360, "height": 740}, color_scheme="dark")
    set_up(me, title, "challenge by link", **choices)
    friend.join(me.link(), "Ben")
    me.page.wait_for_selector('.match[data-asks="move"], .match[data-asks="secret"]')
    return me, friend


def test_players_say_what_they_may_say_and_can_be_muted(visit: Callable[..., Visitor]) -> None:
    me, friend = two_friends(visit, "Numeric Maze", Who_starts="You")
    watcher = visit()
    watcher.go(f"/m/{me.page.url.rsplit('/', 1)[1]}")
    watcher.page.wait_for_selector(".match .board")
    expect(watcher.page.locator(".reactions")).not_to_be_visible()
    me.page.get_by_text("Say something").click()
    me.press("Good luck!")
    for visitor in (me, friend, watcher):
        visitor.page.locator(".plate.seat-1 .bubble", has_text="Good luck!").wait_for()
    expect(friend.page.locator("#live")).to_contain_text(
        "Player 1: Good luck!", use_inner_text=True
    )
    friend.page.get_by_text("Say something").click()
    friend.press("Hide what the other says")
    me.page.get_by_text("Say something").click()
    me.press("Nice one!")
    watcher.page.locator(".plate.seat-1 .bubble", has_text="Nice one!").wait_for()
    me.page.locator(".target").last.click()
    friend.page.wait_for_selector('.match[data-asks="move"]')  # what was said before it has come
    expect(friend.page.locator("#live")).not_to_contain_text("Nice one!", use_inner_text=True)


def test_a_turn_is_taken_back_on_the_page(visit: Callable[..., Visitor]) -> None:
    me, friend = two_friends(visit, "Numeric Maze", Who_starts="You")
    expect(me.page.get_by_role("button", name="Take a turn back")).to_have_count(0)
    me.page.locator(".target").last.click()
    me.press("Take a turn back")
    me.page.get_by_text("You have asked to take your turn back.").wait_for()
    friend.page.get_by_text("Player 1 would like to take a turn back.").wait_for()
    friend.press("Allow it")
    me.page.wait_for_selector('.match[data-asks="move"]')
    for visitor in (me, friend):
        visitor.expect_told(["Player 1 takes a turn back."])
    expect(me.page.locator(".traces")).to_have_count(0)
    expect(me.page.locator('.target[data-at="3"]')).to_have_count(1)


def test_a_series_is_played_to_its_end(visit: Callable[..., Visitor]) -> None:
    me, friend = two_friends(visit, "Numeric Maze", Who_starts="You", Series="Best of 3")
    expect(me.page.locator(".series")).to_have_text("Game 1 of at most 3", use_inner_text=True)
    for number in (1, 2):
        if number == 2:
            for visitor in (me, friend):
                visitor.page.locator(".verdict .row button.primary").click()
            for visitor in (me, friend):
                visitor.page.get_by_text("Game 2 of at most 3").wait_for()
                visitor.page.wait_for_selector(".match .board")
        friend.page.get_by_role("button", name="Resign").click()
        friend.page.locator("dialog").get_by_role("button", name="Resign").click()
        for visitor in (me, friend):
            visitor.page.wait_for_selector(".verdict")
    # Seats were swapped, so the one who won both sits at seat 2 now.
    me.page.get_by_text("Player 2 wins the series, 2:0.").wait_for()
    expect(me.page.locator(".seat-2 .wins")).to_have_text(re.compile("2$"), use_inner_text=True)
    me.page.get_by_role("button", name="Play again, seats swapped").wait_for()


def test_two_phones_play_on_one_shared_screen(visit: Callable[..., Visitor]) -> None:
    screen = visit(viewport={"width": 1920, "height": 1080})
    phones = [visit(viewport={"width": 360, "height": 740}) for _ in (1, 2)]
    screen.coached = False
    screen.go("/")
    screen.press("Hidden Path: two phones, this screen")
    screen.page.locator(".setup button[type=submit]").click()
    screen.page.wait_for_selector(".door .qr")
    links = screen.page.locator(".door-link").evaluate_all("all => all.map(link => link.href)")
    assert len(links) == 2
    for phone, link in zip(phones, links, strict=True):
        phone.join(link, "")
    screen.page.wait_for_selector(".doors:empty", state="attached")
    finish_together("hidden-path", phones[0], phones[1])
    nothing_was_heard(screen, 1)
    nothing_was_heard(screen, 2)
    assert len(screen.told()) > 3
    for phone in phones:
        phone.page.locator(".verdict .row button.primary").click()
    for phone in phones:
        phone.page.wait_for_selector('.match[data-asks="secret"]')
    screen.page.wait_for_function("() => !document.querySelector('.verdict')")
    assert "/table/" in screen.page.url
    expect(screen.page.locator(".target")).to_have_count(0)


def test_a_finished_match_is_tried_again_from_the_middle(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("numeric-maze", "computer", level="random", first="1")
    me.finish("numeric-maze")
    me.page.wait_for_selector(".replay:not([hidden])")
    expect(me.page.get_by_role("button", name="Try it again from here")).to_be_disabled()
    me.page.get_by_label("Turn", exact=True).fill("2")
    me.press("Try it again from here")
    me.page.wait_for_selector('.match[data-asks="move"]')
    expect(me.page.locator(".log-lines [data-event]", has_text="moves to")).to_have_count(2)
    me.page.locator(".target").last.click()
    me.page.wait_for_function("() => document.querySelectorAll('.log-lines li').length > 6")


def test_a_finished_match_is_saved_as_a_picture(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("trap-builder", "computer", level="random", first="1")
    me.choose_secret("1 2 9")
    me.wait()
    expect(me.page.get_by_role("button", name="Save a picture")).to_have_count(0)
    me.press("Resign")
    me.page.locator("dialog").get_by_role("button", name="Resign").click()
    with me.page.expect_download() as waiting:
        me.press("Save a picture")
    data = Path(waiting.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (1200, 630)
    colours = me.page.evaluate(COLOURS, base64.b64encode(data).decode())
    assert colours > 20  # the board is on it, in colour, and not only letters on paper


COLOURS = """async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {width: 1200, height: 630});
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const pixels = new Uint32Array(pen.getImageData(0, 150, 1200, 400).data.buffer);
  return new Set(pixels).size;
}"""


def test_axe_finds_nothing_where_people_meet(visit: Callable[..., Visitor], pictures: Path) -> None:
    """The screens of this file, in both themes, on a phone; the shared screen at a wall."""
    me, friend, wall = visit(viewport=PHONE), visit(viewport=PHONE), visit(viewport=WALL)
    inspect, inspect_wall = Inspection(me, pictures), Inspection(wall, pictures)
    me.go("/learn/secret-paths")
    me.page.locator(".target").first.wait_for()
    inspect("lesson")
    set_up(me, "Numeric Maze", "challenge by link", Clock="3 minutes each", Series="Best of 3")
    me.press("Copy the link")
    friend.join(me.link(), "A friend with a rather long name indeed")
    me.page.get_by_text("Say something").click()
    friend.page.get_by_text("Say something").click()
    friend.press("Good luck!")
    me.page.locator(".bubble").wait_for()
    inspect("people")
    me.press("Resign")
    me.page.locator("dialog").get_by_role("button", name="Resign").click()
    body = {"game": "hidden-path", "against": "link", "listed": True, "name": "Ann"}
    friend.context.request.post(f"{me.address}/api/matches", data=body)
    me.go("/lobby")
    me.page.locator(".match-list").first.wait_for()
    inspect("lobby")
    wall.go("/")
    wall.press("Hidden Path: two phones, this screen")
    wall.page.locator(".setup button[type=submit]").click()
    wall.page.wait_for_selector(".door .qr")
    inspect_wall("wall")
    assert not inspect.faults + inspect_wall.faults


PHONE = {"width": 360, "height": 740}
WALL = {"width": 1920, "height": 1080}


def test_what_was_likely_is_shown_on_the_board(visit: Callable[..., Visitor]) -> None:
    """After the match, at each position, for the one who had to decide there."""
    me = visit()
    me.open("trap-builder", "computer", level="casual", first="1")
    me.finish("trap-builder")
    me.press("Show what was likely")
    me.page.get_by_label("Turn", exact=True).fill("0")
    me.page.wait_for_selector(".coach-note.suspected")
    caption = me.page.locator(".caption").inner_text()
    assert (
        "How likely Computer had hidden something there, from what Player 1 knew, against"
        in caption
    )
    figures = me.page.locator(".coach-note.suspected text").all_text_contents()
    assert sum(int(figure.removesuffix("%")) for figure in figures) in range(295, 306)
    me.press("Show what was likely")
    me.page.wait_for_selector(".coach-note.suspected", state="detached")
