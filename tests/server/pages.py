"""The devices of the page, in a browser with several tabs, without the browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import trapline.server

if TYPE_CHECKING:
    from types import TracebackType

    from trapline.core import Seat

DRIVER = Path(__file__).resolve().parent / "drive_devices.mjs"
SCRIPTS = Path(trapline.server.__file__).parent / "static" / "js"
NODE = shutil.which("node")


class Browser:
    def __enter__(self) -> Self:
        assert NODE is not None, "Node.js is not installed (on Debian: apt install nodejs)."
        self._node = subprocess.Popen(
            [NODE, DRIVER, SCRIPTS / "trails.js"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._node.communicate()

    def happens(self, what: str, tab: int, *more: Any) -> dict[str, Any]:
        """Let something happen in a tab; what it says to the server and to its player."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps([what, tab, *more]) + "\n")
        self._node.stdin.flush()
        return dict(json.loads(self._node.stdout.readline()))


class Tab:
    """A page of somebody whose turns leave something behind."""

    def __init__(self, browser: Browser, number: int, match: str, seat: Seat) -> None:
        self._browser = browser
        self._number = number
        browser.happens("open", number, match, seat)

    def hear(self, state: dict[str, Any]) -> dict[str, Any]:
        return self._browser.happens("hear", self._number, state)

    def say(self, turn: str) -> dict[str, Any]:
        return self._browser.happens("say", self._number, {"do": "play", "turn": turn})
