"""A hint on the page: the sentence, and on the board what may be believed of each place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.server.browser.driver import Visitor

FIGURES = ".coach-note.suspected text"


def test_a_hint_shows_what_may_be_believed_of_each_place_and_nothing_is_rated(
    visit: Callable[..., Visitor], pictures: Path
) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.open("trap-builder", "computer", level="random", first="1")
    me.choose_secret("4 5 6")
    me.page.locator(".status", has_text="Your turn").wait_for()
    expect(me.page.locator(FIGURES)).to_have_count(0)
    me.press("Ask for a hint")
    me.page.locator(".hint", has_text="How likely something is hidden there").wait_for()
    figures = me.page.locator(FIGURES).all_text_contents()
    assert sum(int(figure.removesuffix("%")) for figure in figures) in range(295, 306)
    me.page.locator(".canvas").scroll_into_view_if_needed()
    me.page.screenshot(path=pictures / "hint.png")
    me.act("trap-builder")
    me.page.wait_for_selector(FIGURES, state="detached")
    me.finish("trap-builder")
    me.go("/matches")
    assert_not_rated(me)


def test_on_a_phone_a_hint_is_not_hidden_by_the_bar_of_answers(
    visit: Callable[..., Visitor],
) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.open("hidden-path", "computer", level="random", first="1")
    me.choose_secret("7 8 10")
    me.page.locator(".status", has_text="Your turn").wait_for()
    me.press("Ask for a hint")
    told = me.page.locator(".hint", has_text="How likely something is hidden there")
    told.wait_for()
    bar = me.page.locator(".ask > .row").first
    above = """([told, bar]) =>
      told.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top"""
    me.page.wait_for_function(above, arg=[told.element_handle(), bar.element_handle()])


def test_in_practice_the_chance_is_told_at_every_question_and_nothing_is_rated(
    visit: Callable[..., Visitor], pictures: Path
) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.go("/")
    me.press("Trap Builder: play the computer")
    me.page.get_by_label("Practice: show my chance").check()
    me.page.get_by_role("radio", name="random").check()
    me.page.get_by_label("Who starts").select_option("1")
    me.press("Start")
    chance = me.page.locator(".chance", has_text="Your chance with the best answer: ")
    chance.wait_for()
    me.choose_secret("4 5 6")
    me.page.locator(".status", has_text="Your turn").wait_for()
    chance.wait_for()
    me.page.wait_for_selector(FIGURES)
    me.page.screenshot(path=pictures / "practice.png", full_page=True)
    me.page.get_by_label("Show my chance").uncheck()
    chance.wait_for(state="hidden")
    expect(me.page.locator(FIGURES)).to_have_count(0)
    me.finish("trap-builder")
    me.go("/matches")
    assert_not_rated(me)


def assert_not_rated(me: Visitor) -> None:
    row = me.page.get_by_role("row", name="Trap Builder computer, in practice")
    expect(row.locator("td").last).to_have_text("–", use_inner_text=True)


def test_between_people_nobody_is_told_a_chance(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.go("/")
    me.page.evaluate("() => localStorage.setItem('trapline.practice', 'true')")
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.open("numeric-maze", "here")
    me.act("numeric-maze")
    me.wait()
    expect(me.page.get_by_label("Show my chance")).to_have_count(0)
    assert not [url for url in asked if "/hint" in url]
