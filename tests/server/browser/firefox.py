"""Firefox as the distribution has it, driven by what it speaks itself: WebDriver BiDi.

No driver stands between: Firefox opens a socket, and one asks it in JSON.
"""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any, Self

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

if TYPE_CHECKING:
    from pathlib import Path

    from websockets.sync.client import ClientConnection

FIREFOX = shutil.which("firefox") or shutil.which("firefox-esr")
PATIENCE = 60.0


class Firefox:
    """One window of a Firefox that has never been anywhere."""

    def __init__(self, folder: Path, port: int, width: int, height: int) -> None:
        assert FIREFOX, "Firefox is not installed (on Debian: apt install firefox-esr)."
        profile = folder / "profile"
        profile.mkdir()
        self._process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", str(profile),
             "--remote-debugging-port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._numbers = itertools.count(1)
        self.faults: list[str] = []
        self._socket = self._connect(port)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        tree = self.ask("browsingContext.getTree")
        self._window = tree["contexts"][0]["context"]
        self.resize(width, height)

    def _connect(self, port: int) -> ClientConnection:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                opening = connect(f"ws://127.0.0.1:{port}/session", max_size=None)
                return opening.__enter__()  # closed by us, in no block of its own
            except (OSError, WebSocketException):
                assert time.monotonic() < deadline, "Firefox does not answer"
                time.sleep(0.2)

    def ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("method") == "log.entryAdded":
                self._note(message["params"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def _note(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error":
            self.faults.append(str(entry["text"]))

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self._window, viewport=size)

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def run(self, expression: str) -> Any:
        """What an expression is worth in the page."""
        answer = self.ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await {expression}) ?? null))()",
            target={"context": self._window},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def wait(self, expression: str) -> Any:
        deadline = time.monotonic() + PATIENCE
        while not (found := self.run(expression)):
            assert time.monotonic() < deadline, f"it never came to {expression}"
            time.sleep(0.05)
        return found

    def press(self, selector: str) -> None:
        """Press the first thing that fits, as soon as it is there."""
        self.wait(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e?.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));"
            " return Boolean(e); })()"
        )

    def picture(self, path: Path) -> None:
        shot = self.ask("browsingContext.captureScreenshot", context=self._window)
        path.write_bytes(base64.b64decode(shot["data"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
