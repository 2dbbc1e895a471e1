"""Every preset to its end: by touch, by keys alone, by link, and as a screen reader reads it.

What is read aloud in the quick ones stands in `read_aloud`, one script a game. To write the scripts
anew: `python -m tests.server.browser.test_presets`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.browser.driver import ENDED, MOST_STEPS, TITLES, Visitor, finish_together
from tests.server.browser.hands import finger, keys
from trapline.games import make_game

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPTS = Path(__file__).parent / "read_aloud"
PHONE = {"width": 360, "height": 740}
SEAL = re.compile(r"\b[0-9a-f]{32,}\b")


def presets(*names: str) -> list[tuple[str, str]]:
    """The presets of all games that are called so."""
    return [
        (game, preset.name)
        for game in TITLES
        for preset in make_game(game).presets
        if preset.name in names
    ]


def goal_of(game: str, preset: str) -> str | None:
    """Where Player 1 brings a piece that both move: to the first cell that may be a goal."""
    if game != "secret-paths":
        return None
    (size,) = [one.options.get("size", 5) for one in make_game(game).presets if one.name == preset]
    return f"{size},1"


def finish(visitor: Visitor, game: str, preset: str) -> None:
    visitor.finish(f"{game}, {preset}", goal_of(game, preset))
    visitor.expect_status(ENDED)


def test_none_is_left_out() -> None:
    every = {(game, preset.name) for game in TITLES for preset in make_game(game).presets}
    assert every == {*presets("rulebook", "deep", "brutal", "fair", "quick")}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), presets("deep"))
def test_by_touch(visit: Callable[..., Visitor], game: str, preset: str) -> None:
    me = visit(finger, viewport=PHONE, has_touch=True, is_mobile=True)
    me.open(game, "computer", preset=preset, level="random")
    finish(me, game, preset)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), presets("brutal"))
def test_by_keys_alone(visit: Callable[..., Visitor], game: str, preset: str) -> None:
    us = visit(keys)
    us.open(game, "here", preset=preset)
    finish(us, game, preset)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), presets("fair"))
def test_by_link(visit: Callable[..., Visitor], game: str, preset: str) -> None:
    ann, bob = visit(keys), visit(finger, viewport=PHONE, has_touch=True, is_mobile=True)
    ann.open(game, "link", preset=preset)
    bob.join(ann.link(), "Bob")
    finish_together(f"{game}, {preset}", ann, bob, goal_of(game, preset))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), presets("quick"))
def test_as_it_is_read_aloud(visit: Callable[..., Visitor], game: str, preset: str) -> None:
    assert read_aloud(visit(), game, preset) == (SCRIPTS / f"{game}.txt").read_text("utf-8")


def read_aloud(us: Visitor, game: str, preset: str) -> str:
    """A whole match of two on one device, as its accessibility tree has it at every question."""
    us.open(game, "here", preset=preset, first="1")
    told: list[str] = []
    for _ in range(MOST_STEPS):
        asks = us.wait()
        us.page.wait_for_function("() => !document.querySelector('.playing')")
        told.append(heard(us, asks))
        if us.act(f"{game}, {preset}", goal_of(game, preset)) == "over":
            return SEAL.sub("…", "\n\n".join(told)) + "\n"
    raise AssertionError(f"{game} did not end: {us.log()[-6:]}")


def heard(us: Visitor, asks: str) -> str:
    parts = (".curtain",) if asks == "curtain" else (".status", ".frame .unseen", ".canvas", ".ask")
    found = [us.page.locator(part).first for part in parts]
    return "\n".join(one.aria_snapshot() for one in found if one.count())


def rewrite() -> None:
    import tempfile

    from playwright.sync_api import sync_playwright

    from tests.server.browser.conftest import ARGUMENTS, CHROMIUM
    from tests.server.running import Server

    SCRIPTS.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game, preset in presets("quick"):
            us = Visitor(browser, server.address, {})
            (SCRIPTS / f"{game}.txt").write_text(read_aloud(us, game, preset), "utf-8")
            us.leave()


if __name__ == "__main__":
    rewrite()
