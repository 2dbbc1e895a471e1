"""The page in another browser: Firefox plays a match to its end and shows what Chromium shows."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from tests.server.browser.firefox import Firefox

if TYPE_CHECKING:
    from pathlib import Path

ASKS = "document.querySelector('.match')?.dataset.asks"
MOST_TURNS = 100


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_whole_match(address: str, tmp_path: Path, pictures: Path) -> None:
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
        assert not me.faults
