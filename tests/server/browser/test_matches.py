"""A place to come back to: all matches of a browser, to be opened, taken along and taken away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor


def resign(visitor: Visitor) -> None:
    visitor.press("Resign")
    visitor.page.locator("dialog").get_by_role("button", name="Resign").click()
    visitor.page.wait_for_selector(".verdict")


def test_finished_matches_are_kept_with_their_results(visit: Callable[..., Visitor]) -> None:
    me = visit()
    for _ in range(2):
        me.open("numeric-maze", "computer", level="casual", first="1")
        resign(me)
    running = me.open("trap-runner", "here")
    me.go("/")
    me.page.get_by_role("link", name="All your matches").click()
    me.page.locator("h1", has_text="Your matches").wait_for()
    row = me.page.locator("tbody tr")
    expect(row).to_have_text(
        ["Numeric Maze\tcomputer, casual\t0\t0\t2\t0%\tafter 5 matches"], use_inner_text=True
    )
    expect(me.page.locator(".match-list .lost")).to_have_count(2)
    going = me.page.get_by_role("link", name="Trap Runner, two on this device: go on")
    expect(going).to_have_attribute("href", f"/m/{running}")
    replay = me.page.get_by_role("link", name="Numeric Maze, casual: replay and analysis")
    replay.first.click()
    me.page.locator(".graph, .verdict").first.wait_for()
    me.expect_status("Computer wins.")


def test_matches_are_taken_along_and_taken_away(visit: Callable[..., Visitor]) -> None:
    me, friend = visit(), visit()
    alone = me.open("numeric-maze", "computer", level="random", first="1")
    resign(me)
    shared = me.open("numeric-maze", "link", first="1")
    friend.join(me.link(), "Bob")
    resign(me)
    me.go("/matches")
    with me.page.expect_download() as waiting:
        me.press("Download all records")
    lines = Path(waiting.value.path()).read_text("utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {alone, shared}
    me.press("Delete all matches")
    me.page.locator("dialog").get_by_role("button", name="Delete").click()
    me.page.get_by_text("None yet.").wait_for()
    stored = me.stored()["local"]
    assert (stored["trapline.matches"], stored["trapline.results"]) == ("[]", "{}")
    known = [
        httpx.get(f"{me.address}/api/matches/{match}").status_code for match in (alone, shared)
    ]
    assert known == [404, 200]  # the other's match stays the other's


def test_nobody_deletes_what_is_not_theirs(visit: Callable[..., Visitor]) -> None:
    me = visit()
    match = me.open("numeric-maze", "computer", level="random", first="1")
    address = f"{me.address}/api/matches/{match}"
    assert httpx.delete(address).status_code == 403
    key = next(cookie for cookie in me.context.cookies() if cookie["name"] == "trapline")
    mine = {"cookie": f"trapline={key['value']}"}
    elsewhere = {**mine, "origin": "https://elsewhere.example"}
    assert httpx.delete(address, headers=elsewhere).status_code == 403
    assert httpx.get(address).status_code == 200
    assert httpx.delete(address, headers=mine).json() == {"match": match}
    me.page.locator("h1", has_text="No seat at this table").wait_for()


def test_a_newcomer_is_shown_how_and_then_plays(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.go("/")
    me.page.get_by_role("link", name="See Hidden Path in three pictures").click()
    me.page.locator("h1", has_text="How to play Hidden Path").wait_for()
    expect(me.page.locator(".scenes svg")).to_have_count(3)
    expect(me.page.locator(".scenes")).to_contain_text("Trap triggered!", use_inner_text=True)
    expect(me.page.get_by_role("heading", name="The aim")).not_to_be_visible()
    me.page.get_by_text("All the rules").click()
    expect(me.page.get_by_role("heading", name="The aim")).to_be_visible()
    me.press("Play Hidden Path")
    me.press("Start")
    me.page.wait_for_selector(".match .board")
    me.go("/")
    me.page.wait_for_selector(".card")
    me.page.get_by_text("New here?").wait_for(state="hidden")


def test_the_lesson_is_offered_once(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.go("/")
    me.press("Skip")
    me.page.get_by_text("New here?").wait_for(state="hidden")
    me.page.reload()
    me.page.wait_for_selector(".card")
    me.page.get_by_text("New here?").wait_for(state="hidden")


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "said"),
    [
        (4, 0, 0, "after 5 matches"),
        (50, 0, 50, "0 (−68 to +68)"),
        (75, 0, 25, "+182 (+113 to +269)"),
        (0, 0, 5, "−223 (at most −46)"),
        (9, 0, 0, "+302 (at least +148)"),
        (0, 8, 0, "0 (−225 to +225)"),
    ],
)
def test_a_rating_says_how_sure_it_is(
    visit: Callable[..., Visitor], won: int, drawn: int, lost: int, said: str
) -> None:
    """Three points of four are 191 more; Wilson's range pulls a little towards the middle."""
    me = visit()
    me.go("/")
    ask = "async (sums) => (await import('/static/js/rating.js')).sayRating(sums)"
    assert me.page.evaluate(ask, {"won": won, "drawn": drawn, "lost": lost}) == said
