"""Games from outside, played to their end in a real browser, which knows none of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import ENDED
from tests.server.running import Server
from trapline.games import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.server.browser.driver import Visitor


GAMES = sorted(Path("examples/games").glob("[!_]*.py"))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    named = [argument for path in GAMES for argument in ("--game", str(path))]
    with Server(tmp_path_factory.mktemp("server"), *named, opens_per_minute="1000") as server:
        yield server.address


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_against_the_computer(visit: Callable[..., Visitor], path: Path, pictures: Path) -> None:
    me = visit(viewport={"width": 360, "height": 740})
    me.open(find_game(str(path)).title, "computer", level="perfect", name="Ann")
    me.wait()
    me.page.screenshot(path=pictures / f"outside-{path.stem}.png", full_page=True)
    me.finish(path.stem)
    me.expect_status(ENDED)
    me.page.wait_for_selector(".verdict .why:not(:empty)")
    me.page.locator(".seals li").or_(me.page.get_by_text("Nothing was hidden")).first.wait_for()
    expect(me.page.locator(".seals li").filter(has_not_text="as sealed")).to_have_count(0)
    me.page.locator(".graph").wait_for()
    me.page.screenshot(path=pictures / f"outside-{path.stem}-end.png", full_page=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_two_on_one_device(visit: Callable[..., Visitor], path: Path) -> None:
    us = visit()
    us.open(find_game(str(path)).title, "here")
    us.finish(path.stem)
    us.expect_status(ENDED)
