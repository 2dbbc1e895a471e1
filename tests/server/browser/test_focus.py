"""Whoever works by keys stays where they are when what they pressed rests, or goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.server.browser.hands import keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor


def test_a_hint_leaves_the_focus_where_it_was_asked_for(visit: Callable[..., Visitor]) -> None:
    me = visit(hand=keys)
    me.open("numeric-maze", "computer", level="random", first="1")
    me.press("Ask for a hint")
    me.page.locator(".hint", has_text="Perfect play").wait_for()
    expect(me.page.get_by_role("button", name="Ask for a hint")).to_be_focused()


def test_an_offer_leaves_the_focus_beside_the_answer_to_it(visit: Callable[..., Visitor]) -> None:
    """Not on another button: whoever presses twice would give up, or move."""
    me = visit(hand=keys)
    me.open("numeric-maze", "computer", level="random", first="1")
    me.press("Offer a draw")
    me.page.get_by_role("button", name="Offer a draw").wait_for(state="detached")
    expect(me.page.locator(".ask")).to_be_focused()


def test_at_the_first_turn_of_a_replay_the_focus_stays(visit: Callable[..., Visitor]) -> None:
    me = visit(hand=keys)
    me.open("numeric-maze", "computer", level="random", first="1")
    me.page.wait_for_selector(".match[data-asks=move]")
    me.page.keyboard.press("3")
    me.page.wait_for_selector(".match[data-asks=move]")
    me.press("Resign")
    keys(me.page.locator("dialog").get_by_role("button", name="Resign"))
    me.page.wait_for_selector(".replay:not([hidden])")
    for _ in range(3):  # once more than there are turns
        me.press("Back")
    expect(me.page.locator(".caption")).to_have_text("Before the first turn.", use_inner_text=True)
    expect(me.page.get_by_role("button", name="Back")).to_be_focused()


def test_a_proof_that_was_checked_leaves_the_focus(visit: Callable[..., Visitor]) -> None:
    me = visit(hand=keys)
    me.go("/proof")
    first = me.page.locator(".claims li").nth(1).get_by_role("button")
    keys(first)
    me.page.locator(".verdict-line.ok").wait_for()
    expect(first).to_be_focused()
