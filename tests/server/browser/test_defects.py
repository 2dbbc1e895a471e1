"""What once was wrong with the page, each held by a test of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from tests.server.browser.driver import Visitor

PHONE = {"width": 360, "height": 740}


@pytest.mark.parametrize("path", ["/nowhere", "/m/a/b", "/m/%E0%A4%A", "/rules"])
def test_a_wrong_address_is_answered_by_the_page(visit: Callable[..., Visitor], path: str) -> None:
    me = visit()
    me.go(path)
    me.page.locator("h1", has_text="The trail ends here").wait_for()
    me.page.get_by_role("link", name="Back to the games").click()
    me.page.wait_for_selector(".card")


def test_a_hint_outlives_what_the_computer_does_meanwhile(visit: Callable[..., Visitor]) -> None:
    """Once the computer has chosen, the question is still there, and so is what was asked of it."""
    me = visit()
    held: list[Route] = []
    me.page.route("**/hint?*", lambda route: held.append(route))
    me.page.add_init_script(LATE_STATES)
    me.open("hidden-path", "computer", level="random", first="1")
    me.press("Ask for a hint")
    me.page.evaluate("() => lateStates.release()")
    me.page.locator(".plate.seat-2", has_text="ready").wait_for()
    while not held:
        me.page.wait_for_timeout(20)
    held[0].fulfill(json={"hint": "Hide them where nobody looks."})
    me.page.locator(".hint", has_text="nobody looks").wait_for()


# All states but the first wait until they are let through, as if the computer thought long.
LATE_STATES = """
  const Real = window.WebSocket;
  window.lateStates = { held: [], open: false };
  lateStates.release = () => {
    lateStates.open = true;
    for (const send of lateStates.held.splice(0)) send();
  };
  window.WebSocket = class extends Real {
    set onmessage(listener) {
      let first = true;
      super.onmessage = (message) => {
        const state = JSON.parse(message.data).type === 'state';
        if (!state || first || lateStates.open) listener(message);
        else lateStates.held.push(() => listener(message));
        if (state) first = false;
      };
    }
  };
"""


def test_a_resignation_is_in_sight_and_in_the_account(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=PHONE)
    me.open("numeric-maze", "computer", level="random", first="1", name="Ann")
    me.press("Resign")
    me.page.locator("dialog").get_by_role("button", name="Resign").click()
    me.page.wait_for_selector(".verdict")
    top = me.page.locator(".status").bounding_box()
    assert top is not None
    assert 0 <= top["y"] < PHONE["height"]
    last = me.page.locator(".log-lines li").last
    expect(last).to_have_text("Ann resigns. Computer wins the game!", use_inner_text=True)


def test_a_link_to_a_match_can_be_copied(visit: Callable[..., Visitor]) -> None:
    me = visit(permissions=["clipboard-read", "clipboard-write"])
    match = me.open("numeric-maze", "here")
    me.press("Resign")
    me.page.locator("dialog").get_by_role("button", name="Resign").click()
    me.press("Copy a link to this match")
    me.page.get_by_role("button", name="Copied.").wait_for()
    copied = me.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == f"{me.address}/m/{match}"


@pytest.mark.parametrize(
    ("way", "first"), [("play the computer", "casual"), ("two on this device", "name")]
)
def test_a_dialog_begins_with_its_first_field(
    visit: Callable[..., Visitor], way: str, first: str
) -> None:
    me = visit()
    me.go("/")
    me.press(f"Hidden Path: {way}")
    me.page.wait_for_function(
        "first => [document.activeElement.value, document.activeElement.name].includes(first)",
        arg=first,
    )


def test_an_open_challenge_is_cancelled_and_not_resigned(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(), visit()
    ann.open("numeric-maze", "link", name="Ann")
    link = ann.link()
    expect(ann.page.get_by_role("button", name="Resign")).to_have_count(0)
    ann.press("Cancel the challenge")
    ann.page.locator("dialog").get_by_role("button", name="Cancel the challenge").click()
    ann.page.locator(".status", has_text="The challenge is cancelled.").wait_for()
    bob.page.goto(link)
    bob.page.locator("h1", has_text="The challenge is cancelled").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_browser_without_light_dark_paints_the_board(
    visit: Callable[..., Visitor], theme: str
) -> None:
    me = visit(color_scheme=theme)
    me.page.route(re.compile(r"\.css"), _without_light_dark)
    me.open("numeric-maze", "here")
    painted = me.page.locator(".board .place .body").last.evaluate("e => getComputedStyle(e).fill")
    assert painted == {"light": "rgb(251, 246, 234)", "dark": "rgb(23, 33, 41)"}[theme]


def _without_light_dark(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("light-dark(", "unheard-of("))


def test_who_saw_no_seals_is_not_told_that_they_did(visit: Callable[..., Visitor]) -> None:
    us, later = visit(), visit()
    match = us.open("secret-paths", "here")
    us.finish("secret-paths", "5,2")
    us.page.locator(".seals").wait_for()
    expect(us.page.get_by_text("with what it saw while the match went on")).to_have_count(1)
    later.go(f"/m/{match}")
    later.page.locator(".seals").wait_for()
    expect(later.page.get_by_text("it was not there while the match went on")).to_have_count(1)
    lines = later.page.locator(".seals li").all_inner_texts()
    assert all("did not see the seal" in line for line in lines)


def test_a_wrong_step_is_answered(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("numeric-maze", "here", first="1")
    us.page.locator('.place[data-at="9"]').click()
    us.page.locator(".fault", has_text="not among your answers").wait_for()


def test_news_do_not_take_a_press_away(visit: Callable[..., Visitor]) -> None:
    """Between a finger's coming down and its rising the board may have to be drawn anew."""
    me, friend = visit(), visit()
    me.open("hidden-path", "link")
    me.page.locator('.target[data-at="2"]').hover()
    me.page.mouse.down()
    friend.join(me.link(), "Bob")
    me.page.locator(".plate", has_text="Bob").wait_for()
    me.page.mouse.up()
    expect(me.page.locator(".ask .count")).to_have_text("1 of 3 chosen: 2")
    expect(me.page.locator(".target.pressed")).to_have_count(1)


def test_the_seeker_covers_no_flag(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("secret-paths", "here")
    us.finish("secret-paths", "5,2")
    over = us.page.evaluate("""() => {
      const order = [...document.querySelectorAll('.board .shape')];
      const seeker = order.findLastIndex((e) => e.matches('.seeker, .rose'));
      return [...document.querySelectorAll('.board .flag')].every((e) => order.indexOf(e) > seeker);
    }""")
    assert over


def test_every_column_of_a_large_grid_is_in_sight_on_a_phone(visit: Callable[..., Visitor]) -> None:
    us = visit(viewport=PHONE)
    us.go("/")
    us.press("Secret Paths: two on this device")
    us.page.locator("summary").click()
    us.page.get_by_label("Cells on each side").fill("9")
    us.press("Start")
    us.page.locator(".curtain button").click()
    us.page.wait_for_selector(".place.target")
    hidden = us.page.locator(".canvas").evaluate("e => e.scrollWidth - e.clientWidth")
    assert hidden == 0
    across = us.page.locator(".place .body").first.bounding_box()
    assert across is not None
    assert across["width"] >= 30


def test_words_of_the_graph_can_be_read_on_a_phone(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport=PHONE)
    me.open("numeric-maze", "computer", level="random")
    me.finish("numeric-maze")
    word = me.page.locator(".axis-word").first
    word.wait_for()
    box = word.bounding_box()
    assert box is not None
    assert box["height"] >= 12


def test_scrollbars_have_the_colours_of_the_page(visit: Callable[..., Visitor]) -> None:
    me = visit(color_scheme="dark")
    me.open("numeric-maze", "here")
    for part in ("html", ".log-box"):
        colours = me.page.locator(part).evaluate("e => getComputedStyle(e).scrollbarColor")
        assert colours != "auto"


def test_one_tap_a_turn_where_only_secrets_are_hidden(visit: Callable[..., Visitor]) -> None:
    """Both look at one board. What they hid shows only while the one to move holds the button."""
    us = visit(viewport=PHONE)
    us.open("hidden-path", "here", first="1")
    us.hide_in_turn("hidden-path")
    for seat in (1, 2, 1):
        us.page.wait_for_selector(f".match.as-{seat}[data-asks=move]")
        expect(us.page.locator(".board .trap")).to_have_count(0)
        us.page.locator(".target").first.click()
    us.page.wait_for_selector(".match.as-2[data-asks=move]")
    for held in (False, True):  # also with the other's finger on the board all the time
        us.page.get_by_role("button", name="Hold to peek").hover()
        us.page.mouse.down()
        expect(us.page.locator(".board .trap.seat-2")).to_have_count(3)
        expect(us.page.locator(".board .trap.seat-1")).to_have_count(0)
        if held:
            us.page.locator(".canvas").dispatch_event("pointerdown")
        us.page.mouse.up()
        expect(us.page.locator(".board .trap")).to_have_count(0)


def test_a_level_that_cannot_be_had_is_not_claimed(visit: Callable[..., Visitor]) -> None:
    """A variant that is too large to be solved has no perfect player: the setup says so, and the
    plate who plays."""
    me = visit()
    me.go("/")
    me.press("Trap Builder: play the computer")
    me.page.get_by_role("radio", name="perfect").check()
    me.page.locator("summary").click()
    me.page.get_by_label("Positions to the other end").fill("60")
    me.page.get_by_label("Traps that each player hides").fill("12")
    me.page.get_by_text("perfect and the coach have to work this variant out first").wait_for()
    me.press("Start")
    me.page.wait_for_selector(".match .board")
    me.page.locator(".plate.seat-2", has_text="sharp for perfect").wait_for()
    me.page.locator(".stand-in", has_text="This variant is").or_(
        me.page.locator(".stand-in", has_text="too large to be solved")
    ).wait_for()


def test_a_link_that_works_on_this_machine_only_says_so(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("numeric-maze", "link")
    expect(me.page.locator(".invite .beware")).to_contain_text("on this computer only")


def test_who_is_alone_is_not_told_that_both_decide(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit()
    me.open("hidden-path", "link", first="1")
    me.expect_status("Your turn. Waiting for the other player to join.")
    friend.join(me.link(), "Bob")
    me.expect_status("Both of you decide now.")


def test_what_a_hint_costs_is_said_before_it_is_given(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("numeric-maze", "computer", level="random", first="1")
    rated = me.page.locator(".rated")
    expect(rated).to_have_text(re.compile("becomes practice and is not rated"))
    assert "trapline.practised" not in me.stored()["local"]
    me.press("Ask for a hint")
    expect(rated).to_have_text("The coach has helped: this match is practice, and not rated.")


RESULTS = """(sums) => {
  const one = { game: 'g', title: 'Numeric Maze', against: 'casual', bot: true, turns: 9 };
  const results = {};
  for (const [result, count, practised] of sums)
    for (let number = 0; number < count; number += 1)
      results[`${result}${practised}${number}`] = { ...one, result, practised };
  localStorage.setItem('trapline.matches', JSON.stringify(Object.keys(results)));
  localStorage.setItem('trapline.results', JSON.stringify(results));
}"""


def results(me: Visitor, *sums: tuple[str, int, bool]) -> None:
    me.go("/")
    me.page.evaluate(RESULTS, sums)
    me.go("/matches")
    me.page.wait_for_selector(".results table")


def test_a_rating_is_explained_where_there_is_one(visit: Callable[..., Visitor]) -> None:
    me = visit()
    note = me.page.locator(".results .note")
    results(me, ("won", 2, False))
    expect(note).to_have_text("")
    results(me, ("won", 2, True))
    expect(note).to_have_text("In practice the coach has helped: what is played so is not rated.")
    results(me, ("won", 4, False), ("lost", 3, False))
    expect(note).to_contain_text("A rating above 0 is stronger than that level")


@pytest.mark.parametrize("width", [390, 360])
def test_the_results_fit_on_a_phone(visit: Callable[..., Visitor], width: int) -> None:
    me = visit(viewport={"width": width, "height": 844})
    results(me, ("won", 40, False), ("lost", 31, False), ("drawn", 12, False), ("won", 2, True))
    hidden = me.page.locator(".results .scroll").evaluate("e => e.scrollWidth - e.clientWidth")
    assert hidden == 0
