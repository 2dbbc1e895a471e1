"""Lessons on the page: every game's, by hand and by keyboard, with wrong answers on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from trapline.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.server.browser.driver import Visitor


def give(me: Visitor, stage: dict[str, Any], text: str) -> None:
    """Type an answer; where there is nothing to type in, press its button."""
    line = me.page.get_by_label("Or type your answer")
    if line.count():
        line.fill(text)
        me.page.keyboard.press("Enter")
    else:
        texts = [one["text"] for one in stage["question"]["answers"]]
        me.page.locator(".ask .answer").nth(texts.index(text)).click()


def wait(me: Visitor) -> None:
    """Until what was answered has been seen; a tap hurries it."""
    me.page.wait_for_function(
        "() => { document.querySelector('.playing .canvas')?.click();"
        " return document.querySelector('.ask')?.children.length > 0; }"
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_lesson_is_played_to_its_end(visit: Callable[..., Visitor], name: str) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    course: dict[str, Any] = httpx.get(f"{me.address}/api/games/{name}/lesson").json()
    assert len(course["stages"]) > 2
    me.go(f"/learn/{name}")
    me.page.locator("h1", has_text=f"Learn {course['title']}").wait_for()
    for stage in course["stages"]:
        wait(me)
        if stage.get("says"):
            expect(me.page.locator(".lesson-says")).to_have_text(stage["says"], use_inner_text=True)
        wrong = [one["text"] for one in stage["question"]["answers"]]
        wrong = [text for text in wrong if text != stage["answer"]]
        if wrong and stage["question"].get("choose", 1) == 1:
            give(me, stage, wrong[0])
            told = stage["hint"] if stage.get("finds") else f"answer {stage['answer']}"
            me.page.locator(".fault", has_text=told).wait_for()
        give(me, stage, stage["answer"])
    me.page.get_by_role("button", name=f"Play {course['title']}").wait_for()
    expect(me.page.locator(".lesson-says")).to_contain_text(course["closing"], use_inner_text=True)
    me.go("/")
    me.page.wait_for_selector(".card")
    me.page.get_by_text("New here?").wait_for(state="hidden")


def test_a_newcomer_begins_with_the_lesson(visit: Callable[..., Visitor]) -> None:
    """By touch: what is to be pressed is on the board."""
    me = visit()
    me.go("/")
    me.page.get_by_role("link", name="Learn Hidden Path in two minutes").click()
    me.page.locator('.target[data-at="4"]').click()
    me.page.locator(".ask button.primary").click()
    wait(me)
    me.page.locator(".lesson-says", has_text="take 2").wait_for()
    me.page.locator('.target[data-at="2"]').click()
    me.page.locator(".lesson-says", has_text="That was the trap").wait_for()
    me.page.locator(".board .trap").first.wait_for()
    me.page.get_by_role("link", name="Skip the lesson").click()
    me.page.locator("h1", has_text="How to play Hidden Path").wait_for()
    me.page.get_by_role("link", name="Play the lesson").wait_for()


def test_a_game_without_a_lesson_says_so(address: str) -> None:
    answer = httpx.get(f"{address}/api/games/no-such-game/lesson")
    assert (answer.status_code, answer.json()["reason"]) == (404, "unknown")
