"""A hint on the page: the sentence, and on the board what may be believed of each place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.server.browser.driver import Visitor

FIGURES = ".coach-note.suspected text"


def test_a_hint_shows_what_may_be_believed_of_each_place(
    visit: Callable[..., Visitor], pictures: Path
) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.open("trap-builder", "computer", level="random", first="1")
    me.choose_secret("4 5 6")
    me.page.locator(".status", has_text="Your turn").wait_for()
    assert not me.page.locator(FIGURES).count()
    me.press("Ask for a hint")
    me.page.locator(".hint", has_text="How likely something is hidden there").wait_for()
    figures = me.page.locator(FIGURES).all_text_contents()
    assert sum(int(figure.removesuffix(" %")) for figure in figures) in range(295, 306)
    me.page.locator(".canvas").scroll_into_view_if_needed()
    me.page.screenshot(path=pictures / "hint.png")
    me.act("trap-builder")
    me.page.wait_for_selector(FIGURES, state="detached")
