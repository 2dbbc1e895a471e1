"""The page in another browser: Firefox plays a match to its end, and shows every other screen."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from tests.server.browser.firefox import Firefox
from tests.server.browser.program import Program
from trapline.referee import parse_record, verify

if TYPE_CHECKING:
    from pathlib import Path

ASKS = "document.querySelector('.match')?.dataset.asks"
MOST_TURNS = 100
SCREENS = {
    "learn/hidden-path": ".lesson-says",
    "rules/secret-paths": ".scenes svg",
    "puzzle": ".match .board",
    "matches": ".match-list",
    "lobby": ".match-list, .matches .sheet",
    "proof": ".claims li",
}
"""Addresses, and what stands there once they are shown."""
LOOKS = (("light", 1280, 800), ("dark", 360, 740))
CUT = """[...document.querySelectorAll('button, .chip, h1, h2, label, .plate b')].filter(
  e => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"""
"""Words that do not fit into what holds them."""
STILL = (
    """document.getAnimations().filter(a => a instanceof CSSTransition).forEach(a => a.finish())"""
)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.slow
def test_a_whole_match_and_every_other_screen(address: str, tmp_path: Path, pictures: Path) -> None:
    with Firefox(tmp_path, free_port(), 1280, 800) as me:
        me.go(address)
        me.wait("document.querySelectorAll('.card .scenery').length === 5")
        me.picture(pictures / "firefox-home.png")
        me.press("[aria-label='Trap Runner: play the computer']")
        me.press(".setup [value=random]")
        me.press(".setup [type=submit]")
        for turn in range(MOST_TURNS):
            asks = me.wait(f"(document.querySelector('.playing .canvas')?.click(), {ASKS})")
            if turn == 6:
                me.picture(pictures / "firefox-match.png")
            if asks == "over":
                break
            me.press(".ask .answer:last-child")
        assert me.run("document.querySelector('.status').textContent") in (
            "You win!", "Computer wins.", "A draw."
        )  # fmt: skip
        me.wait("document.querySelectorAll('.seals .ok').length > 0")
        assert me.run("document.querySelectorAll('.seals .bad').length") == 0
        me.picture(pictures / "firefox-end.png")
        wide = me.run("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        me.wait("document.querySelectorAll('.graph').length")
        look(me, pictures, "coach")
        for path, shown in SCREENS.items():
            me.go(f"{address}/{path}")
            me.wait(f"document.querySelectorAll({shown!r}).length")
            look(me, pictures, path.split("/")[0])
        me.go(address)
        me.press("[aria-label='Hidden Path: play the computer']")
        me.wait("document.querySelectorAll('.setup [type=submit]').length")
        look(me, pictures, "setup")
        me.go(address)
        me.press("[aria-label='Hidden Path: two phones, this screen']")
        me.press(".setup [type=submit]")
        me.wait(
            "[...document.querySelectorAll('.door .qr')].filter(e => e.naturalWidth).length === 2"
        )
        look(me, pictures, "display")
        assert not me.faults


def test_a_locked_match_against_a_device_in_python(
    address: str, tmp_path: Path, pictures: Path
) -> None:
    """What one hides in Firefox and the other in Python, each can check of the other."""
    passing = {"length": 6, "traps": 1, "trigger": "passing"}
    with (
        Firefox(tmp_path, free_port(), 1280, 800) as me,
        Program(address, "trap-builder", passing, [1]) as program,
    ):
        me.go(program.link)
        me.press("button[type=submit]")
        me.press('[data-asks=secret] .target[data-at="5"]')
        me.press(".ask button.primary:enabled")
        me.wait(f"{ASKS} === 'move'")
        me.picture(pictures / "firefox-locked.png")
        for _ in range(MOST_TURNS):
            asks = me.wait(f"(document.querySelector('.playing .canvas')?.click(), {ASKS})")
            if asks == "over":
                break
            me.press(".target")
        me.wait("document.querySelectorAll('.seals .ok').length > 0")
        assert me.run("document.querySelectorAll('.seals .bad').length") == 0
        me.picture(pictures / "firefox-locked-end.png")
        assert not me.faults
        record = parse_record(program.record())
    assert [check.fault for check in verify(record) if check.fault] == []
    assert record.secrets == {"1": [1], "2": [5]}


def look(me: Firefox, pictures: Path, name: str) -> None:
    """Light and wide, dark and narrow: nothing is wider than the screen, and no word is cut."""
    for theme, width, height in LOOKS:
        me.resize(width, height)
        me.run(f"(document.documentElement.dataset.theme = {theme!r})")
        me.run(STILL)
        me.picture(pictures / f"firefox-{name}-{theme}.png")
        assert me.run("document.documentElement.scrollWidth - innerWidth") <= 0, (name, width)
        assert me.run(CUT) == [], (name, width)
