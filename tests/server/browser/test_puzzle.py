"""The puzzle of the day: the same for everybody, answered once, explained afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.server.browser.test_page import Inspection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.server.browser.driver import Visitor


def open_puzzle(visitor: Visitor) -> dict[str, Any]:
    """Today's puzzle, as the page was sent it."""
    visitor.go("/")
    with visitor.page.expect_response("**/api/puzzles/*") as waiting:
        visitor.page.get_by_role("link", name="Puzzle of the day").click()
    visitor.page.wait_for_selector(".match .board")
    found: dict[str, Any] = waiting.value.json()
    return found


def give(visitor: Visitor, found: dict[str, Any], answer: str) -> None:
    """Type it; where each answer has a button there is nothing to type in."""
    if visitor.page.get_by_label("Or type your answer").count():
        visitor.type("Or type your answer", answer)
    else:
        texts = [one["text"] for one in found["question"]["answers"]]
        visitor.page.locator(".ask .answer").nth(texts.index(answer)).click()
    visitor.page.wait_for_selector(".chances")


def test_the_answer_is_explained_and_days_are_counted(
    visit: Callable[..., Visitor], pictures: Path
) -> None:
    right, wrong = visit(), visit(viewport={"width": 360, "height": 740})
    found = open_puzzle(right)
    assert found == open_puzzle(wrong)
    inspect = Inspection(wrong, pictures)
    inspect("puzzle")
    other = next(text for text in found["chances"] if text != found["best"])
    for visitor, answer, words in (
        (right, found["best"], "That is it."),
        (wrong, other, f"Not the best. The answer is {found['best']}."),
    ):
        give(visitor, found, answer)
        expect(visitor.page.locator(".prompt")).to_have_text(words, use_inner_text=True)
        expect(visitor.page.locator(".panel")).to_contain_text(found["reason"], use_inner_text=True)
        best = f"{round(100 * found['chances'][found['best']])}%"
        expect(visitor.page.locator(".chances li", has_text="best")).to_contain_text(
            best, use_inner_text=True
        )
    inspect("puzzle-told")
    assert not inspect.faults
    right.page.reload()
    right.page.locator(".prompt", has_text="That is it.").wait_for()
    expect(right.page.get_by_text("Solved 1 day in a row.")).to_have_count(2)
    expect(wrong.page.get_by_text("in a row")).to_have_count(0)
    right.go("/")
    right.page.locator(".week .right:last-child").wait_for()
    streak = re.compile(r"Solved 1 day in a row\.$")
    expect(right.page.locator(".days")).to_have_text(streak, use_inner_text=True)
    right.page.screenshot(path=pictures / "home.png")
    wrong.go("/")
    wrong.page.locator(".week .wrong:last-child").wait_for()


def test_board_and_question_are_seen_together(visit: Callable[..., Visitor]) -> None:
    me = visit(viewport={"width": 1280, "height": 800})
    open_puzzle(me)
    for part in (".board", ".posed", ".panel"):
        box = me.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800, part


@pytest.mark.parametrize(
    ("date", "status"),
    [("yesterday", 400), ("2026-13-01", 400), ("2020-01-01", 404), ("9999-12-31", 404)],
)
def test_other_days_are_refused_in_a_sentence(address: str, date: str, status: int) -> None:
    """So nobody can keep the coach busy with days that never come."""
    answer = httpx.get(f"{address}/api/puzzles/{date}")
    assert answer.status_code == status
    assert answer.json()["sentence"].endswith(".")
