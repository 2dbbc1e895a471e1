"""Each game, played to its end in each way, in a real browser against the real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import ENDED, GOALS, SECRETS, TITLES, Visitor, finish_together
from tests.server.browser.secrecy import nothing_shows, nothing_was_heard

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def check_the_end(visitor: Visitor, game: str) -> None:
    """The result in words, every secret on the board, and every seal checked."""
    page = visitor.page
    visitor.expect_status(ENDED)
    seals = page.locator(".seals li")
    if game == "numeric-maze":
        page.wait_for_selector("text=Nothing was hidden")
    else:
        seals.first.wait_for()
        expect(seals.filter(has_not_text="as sealed")).to_have_count(0)
        expect(seals.filter(has_text="did not see")).to_have_count(0)
    if game in ("hidden-path", "trap-builder"):
        for seat in (1, 2):
            expect(page.locator(f".board .trap.seat-{seat}")).to_have_count(3)
    if game == "secret-paths":
        expect(page.locator(".board .flag")).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize("game", TITLES)
def test_against_the_computer(visit: Callable[..., Visitor], game: str) -> None:
    me = visit()
    me.open(game, "computer", level="random", name="Ann")
    me.finish(game, GOALS.get(game))
    check_the_end(me, game)
    if me.coached:
        me.page.locator(".graph").wait_for()
    else:
        me.page.wait_for_selector("text=The coach is not here today.")


@pytest.mark.slow
@pytest.mark.parametrize("game", TITLES)
def test_two_on_one_device(visit: Callable[..., Visitor], game: str, pictures: Path) -> None:
    us = visit(viewport={"width": 360, "height": 740})
    us.open(game, "here")
    us.finish(game, GOALS.get(game))
    check_the_end(us, game)
    us.page.screenshot(path=pictures / f"end-{game}-360.png", full_page=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", TITLES)
def test_by_link(visit: Callable[..., Visitor], game: str) -> None:
    """Two browsers; until the end, neither holds anything that the other hides."""
    ann, bob = visit(), visit(color_scheme="dark")
    ann.open(game, "link", name="Ann")
    bob.join(ann.link(), "Bob")
    if game in SECRETS:
        for visitor, seat in ((ann, 1), (bob, 2)):
            visitor.choose_secret(SECRETS[game][seat])
        for visitor, hidden in ((ann, 2), (bob, 1)):
            visitor.page.wait_for_selector(".plate.turn")
            nothing_shows(visitor, game, hidden)
    finish_together(game, ann, bob, GOALS.get(game))
    for visitor, hidden in ((ann, 2), (bob, 1)):
        check_the_end(visitor, game)
        if game != "numeric-maze":
            nothing_was_heard(visitor, hidden)
    expect(ann.page.locator(".players")).to_contain_text("Bob", use_inner_text=True)


def test_a_rematch_swaps_the_seats(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(), visit()
    ann.open("numeric-maze", "link", name="Ann")
    bob.join(ann.link(), "Bob")
    bob.press("Resign")
    bob.page.locator("dialog").get_by_role("button", name="Resign").click()
    bob.page.wait_for_selector(".verdict")
    ann.page.wait_for_selector(".verdict")
    ann.expect_status("You win!")
    ann.press("Play again")
    bob.page.get_by_role("button", name="Ann wants a rematch").click()
    for visitor, seat in ((ann, 2), (bob, 1)):
        visitor.page.wait_for_selector(f".match.as-{seat}[data-asks]:not([data-asks=over])")


def test_draws_and_refusals_are_said_in_words(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(), visit()
    ann.open("secret-paths", "link", name="Ann", first="1")
    bob.join(ann.link())
    ann.type("Or type your answer", "1,1")
    ann.page.locator(".fault", has_text="row 5").wait_for()
    for visitor, seat in ((ann, 1), (bob, 2)):
        visitor.choose_secret(SECRETS["secret-paths"][seat])
    for _ in range(3):
        ann.page.wait_for_selector(".match[data-asks=move]")
        ann.type("Or type your answer", "1,1")
        ann.page.locator(".fault", has_text="not next to").wait_for()
    bob.press("Let it pass")
    bob.press("Offer a draw")
    ann.press("Accept the draw")
    for visitor in (ann, bob):
        visitor.page.locator(".verdict", has_text="both players agreed.").wait_for()


def test_a_turn_with_nothing_to_decide_takes_an_answer_all_the_same(
    visit: Callable[..., Visitor],
) -> None:
    """Player 1, sent back, leaves a square that holds a trap of their own: only they know it."""
    us = visit()
    us.open("trap-runner", "here", first="1")
    for turn in ("1", "3", "1y", "1y", "1n", "1n", "1", "1n", "1"):
        assert us.wait() == "curtain"
        us.page.locator(".curtain button").click()
        us.page.wait_for_selector(".match[data-asks=move]")
        us.page.keyboard.press(turn[0])
        if turn[1:]:
            us.page.wait_for_selector(".match[data-asks=trap]")
            us.page.keyboard.press(turn[1])
        us.page.wait_for_selector(".match:is([data-asks=pass], [data-asks=trap])")
        if us.asked() == "pass":
            us.press("Pass the device")
    us.page.locator(".prompt", has_text="only one answer").wait_for()
    expect(us.page.locator(".ask .answer")).to_have_text(["No trap"], use_inner_text=True)
    us.press("No trap")
    us.press("Pass the device")
    us.page.locator(".curtain", has_text="Player 1 moves to square 2").wait_for()


def test_a_hint_is_given_against_the_computer(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.open("numeric-maze", "computer", first="1")
    me.press("Ask for a hint")
    me.page.locator(".hint", has_text="Perfect play").wait_for()


def test_a_seal_that_does_not_fit_is_told(visit: Callable[..., Visitor]) -> None:
    """The browser computes the seals itself: a record that was changed afterwards shows."""
    us = visit()
    us.page.route("**/record", _changed_secret)
    us.open("secret-paths", "here")
    us.finish("secret-paths", "5,2")
    us.page.locator(".seals .bad", has_text="does not fit its seal").wait_for()


def _changed_secret(route: object) -> None:
    from playwright.sync_api import Route

    assert isinstance(route, Route)
    record = route.fetch().json()
    record["secrets"]["2"] = [1, 3]
    route.fulfill(json=record)
