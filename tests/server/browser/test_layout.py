"""Where things are: the board fills the screen, and what is pressed next is in sight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from trapline.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.server.browser.driver import Visitor

PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1920, "height": 1080}


def in_sight(part: Locator) -> bool:
    """Whether the whole of it is on the screen, and nothing lies over its middle."""
    seen: bool = part.first.evaluate("""e => {
      const box = e.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return box.top >= 0 && box.bottom <= innerHeight && (e === top || e.contains(top));
    }""")
    return seen


def test_on_a_phone_the_next_press_is_in_sight(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=PHONE)
    for way in ("play the computer", "two on this device", "challenge by link"):
        me.go("/")
        me.press(f"Secret Paths: {way}")
        assert in_sight(me.page.locator(".setup button[type=submit]")), way
    me.press("Make the link")
    me.page.wait_for_selector(".match .board")
    assert in_sight(me.page.get_by_role("button", name="Copy the link"))
    assert in_sight(me.page.get_by_label("The link for your friend"))
    me.page.locator(".target").first.click()
    assert in_sight(me.page.get_by_role("button", name="Confirm"))


@pytest.mark.parametrize("game", ["hidden-path", "numeric-maze"])
def test_on_a_phone_board_and_answers_are_seen_together(
    visit: Callable[..., Visitor], game: str
) -> None:
    me = visit(viewport=PHONE)
    me.open(game, "computer", level="random", first="1")
    if game == "hidden-path":
        me.act(game)
    me.page.wait_for_selector(".match[data-asks=move]")
    assert in_sight(me.page.locator(".target").last)
    assert in_sight(me.page.locator(".ask .answer").last)


TOO_SMALL = r"""() => {
  const words = (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.data);
  const inSentence = (one) => one.matches('a') && [...one.parentElement.childNodes].some(words);
  const high = (one) => one?.getBoundingClientRect().height ?? 0;
  return [...document.querySelectorAll('button, a:not(.skip), select, summary, input')]
    .filter((one) => one.checkVisibility() && !inSentence(one))
    .filter((one) => Math.max(high(one), high(one.closest('label'))) < 40)
    .map((one) => one.outerHTML);
}"""


@pytest.mark.parametrize("path", ["/", "/puzzle", "/lobby", "/matches", "/proof", "/nowhere"])
def test_a_finger_finds_whatever_can_be_pressed(visit: Callable[..., Visitor], path: str) -> None:
    """All but links in the middle of a sentence is 40 pixels high or more."""
    me = visit(viewport=PHONE)
    me.go(path)
    me.page.locator("main :is(a, button):visible").first.wait_for()
    assert me.page.evaluate(TOO_SMALL) == []


def test_a_finger_finds_whatever_can_be_pressed_in_a_match(visit: Callable[..., Visitor]) -> None:
    us = visit(viewport=PHONE)
    us.open("trap-builder", "here", first="1")
    assert us.wait() == "curtain"
    assert us.page.evaluate(TOO_SMALL) == []
    us.finish("trap-builder")
    us.page.locator(".graph").wait_for()
    us.page.get_by_text("Every choice").click()
    assert us.page.evaluate(TOO_SMALL) == []


@pytest.mark.parametrize(("game", "least"), [("hidden-path", 800), ("secret-paths", 550)])
def test_on_a_wide_screen_the_board_fills_it(
    visit: Callable[..., Visitor], game: str, least: int
) -> None:
    """And the question stands beside it, so that nothing has to be scrolled."""
    me = visit(viewport=WIDE)
    me.open(game, "computer", level="random", first="1")
    board = me.page.locator(".match-board").bounding_box()
    panel = me.page.locator(".panel").bounding_box()
    places = me.page.locator(".board .place")
    spots = [box for index in range(places.count()) if (box := places.nth(index).bounding_box())]
    assert board is not None
    assert panel is not None
    assert panel["x"] >= board["x"] + board["width"]
    assert board["height"] > 800
    assert max(box["x"] for box in spots) - min(box["x"] for box in spots) > least
    assert min(box["width"] for box in spots) > 80
    assert in_sight(me.page.get_by_role("button", name="Resign"))


def test_each_game_lies_in_a_land_of_its_own(visit: Callable[..., Visitor]) -> None:
    """The page is told which by the picture: it knows lands, and no game."""
    me = visit()
    me.go("/")
    me.page.wait_for_selector(".card")
    lands = me.page.locator(".card .scenery").evaluate_all(
        "all => all.map(e => e.className.baseVal)"
    )
    assert len(set(lands)) == len(lands) == len(GAMES)
    ground = "all => all.map(e => getComputedStyle(e).backgroundColor)"
    assert len(set(me.page.locator(".card-map").evaluate_all(ground))) == len(GAMES)


def test_the_board_shows_where_everybody_has_been(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("numeric-maze", "here", first="1")
    for seat, step in ((1, "3"), (2, "2"), (1, "1")):
        us.page.wait_for_selector(f".match.as-{seat}[data-asks=move]")
        us.page.keyboard.press(step)
    us.page.wait_for_selector(".match.as-2[data-asks=move]")
    for marks, number in (
        (".print.seat-1", 2),
        (".print.seat-2", 1),
        (".last.to.seat-1", 1),
        (".last.from.seat-1", 1),
    ):
        expect(us.page.locator(marks)).to_have_count(number)


def test_the_board_stays_in_sight_beside_the_coach(visit: Callable[..., Visitor]) -> None:
    """A turn that the coach speaks of is shown on a board that one sees."""
    for viewport in (PHONE, {"width": 1280, "height": 800}):
        me = visit(viewport=viewport)
        me.open("numeric-maze", "computer", level="random", first="1")
        me.finish("numeric-maze")
        me.page.locator(".graph").wait_for()
        me.page.locator(".comments button").last.evaluate("e => e.closest('details').open = true")
        me.page.locator(".comments button").last.click()
        me.page.locator(".caption", has_text="Turn").wait_for()
        box = me.page.locator(".board").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < viewport["height"] / 2


def test_the_coach_points_at_places(visit: Callable[..., Visitor], pictures: Path) -> None:
    """A choice that he explains by places is shown as it stood, with what he found at each."""
    us = visit()
    us.open("trap-builder", "here", first="1")
    for _ in range(5):
        if us.wait() == "move":
            break
        us.act("trap-builder")
    for seat, step in ((1, "3"), (2, "2"), (1, "1")):
        us.page.wait_for_selector(f".match.as-{seat}[data-asks=move]")
        us.page.keyboard.press(step)
    us.page.locator(".graph").wait_for()
    us.page.get_by_text("Every choice").click()
    us.page.get_by_role("button", name="Show turn 1 on the board").last.click()
    us.page.locator(".coach-note.given", has_text="▸100%").wait_for()
    said = re.compile(r"^Before turn 1\. Position 3 was a trap")
    expect(us.page.locator(".caption")).to_have_text(said, use_inner_text=True)
    us.page.locator(".finish h2").first.evaluate("e => e.scrollIntoView()")
    us.page.screenshot(path=pictures / "coach.png")
    us.page.locator(".graph .jump").last.click()
    us.page.locator(".caption", has_text="Turn 3 of 3.").wait_for()
    expect(us.page.locator(".coach-note")).to_have_count(0)


LAPTOP = {"width": 1280, "height": 800}
LARGER_PHONE = {"width": 390, "height": 844}


def top_and_bottom(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def test_the_button_to_peek_stands_apart(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("hidden-path", "here", first="1")
    us.hide_in_turn("hidden-path")
    us.page.wait_for_selector(".match[data-asks=move]")
    answers = top_and_bottom(us.page.locator(".ask .row.few"))
    assert top_and_bottom(us.page.locator(".peek"))[0] - answers[1] >= 8


def test_on_a_phone_ones_name_is_in_sight(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=LARGER_PHONE)
    me.go("/")
    me.press("Hidden Path: play the computer")
    assert in_sight(me.page.get_by_label("Your name"))


def test_on_a_phone_the_line_of_a_lesson_is_in_sight(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=LARGER_PHONE)
    me.go("/learn/hidden-path")
    line = me.page.get_by_label("Or type your answer")
    assert in_sight(line)
    bar = me.page.locator(".ask > .row.confirm")
    assert top_and_bottom(line)[1] <= top_and_bottom(bar)[0]


def test_all_that_can_be_done_is_in_sight(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=LAPTOP)
    me.open("hidden-path", "computer", level="random", first="1")
    for asked in ("secret", "move"):
        me.page.wait_for_selector(f".match[data-asks={asked}]")
        for button in me.page.locator(".actions button").all():
            assert in_sight(button), asked
        me.act("hidden-path")


@pytest.mark.parametrize("viewport", [LAPTOP, LARGER_PHONE])
def test_no_line_of_the_account_is_cut(
    visit: Callable[..., Visitor], viewport: dict[str, int]
) -> None:
    me = visit(viewport=viewport)
    me.open("numeric-maze", "computer", level="random", first="1")
    me.finish("numeric-maze")
    cut = me.page.locator(".log-box").evaluate("""box => {
      const seen = box.getBoundingClientRect();
      return [...box.querySelectorAll('li')].filter((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return [seen.top, seen.bottom].some((edge) => top < edge - 1 && bottom > edge + 1);
      }).length;
    }""")
    assert cut == 0


def test_whoever_watches_sees_no_empty_panel(visit: Callable[..., Visitor]) -> None:
    me, watcher = visit(), visit(viewport=LARGER_PHONE)
    me.open("numeric-maze", "computer", level="random", first="1")
    watcher.page.goto(me.page.url)
    watcher.page.get_by_text("You are watching.").wait_for()
    top, bottom = top_and_bottom(watcher.page.locator(".panel"))
    assert bottom - top < 100


def test_a_single_choice_has_a_line_as_the_legend_says(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("trap-builder", "computer", level="random", first="1")
    me.act("trap-builder")
    me.page.wait_for_selector(".match[data-asks=move]")
    me.press("Resign")
    me.page.locator("dialog").get_by_role("button", name="Resign").click()
    for seat in (1, 2):
        drawn = me.page.locator(f".graph .hope.seat-{seat}")
        drawn.wait_for(state="attached")
        assert drawn.evaluate("path => path.getTotalLength()") > 10


def test_nothing_is_left_out_beside_a_dialog(visit: Callable[..., Visitor]) -> None:
    """Where room was kept for a scroll bar, the page stayed bright beside the dimmed rest."""
    me = visit(viewport=LAPTOP)
    me.go("/")
    me.press("Hidden Path: play the computer")
    assert me.page.evaluate("() => getComputedStyle(document.documentElement).scrollbarGutter") == (
        "auto"
    )
