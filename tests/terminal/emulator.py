"""The real program in a pseudo-terminal, read as a terminal would show it."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any, Self

import pexpect
import pyte

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 60.0
TRAPS = r"[▲▼]"
"""As the board shows them."""


class AnsweringScreen(pyte.HistoryScreen):
    """pyte's terminal, which says what it is when it is asked, as real ones do."""

    tell: Callable[[str], Any] | None = None

    def write_process_input(self, data: str) -> None:
        if self.tell is not None:
            self.tell(data)


class AlternateScreen(AnsweringScreen):
    """One with the alternate screen that real ones have: no scrollback there."""

    kept: Any = None

    def set_mode(self, *modes: int, **options: Any) -> None:
        super().set_mode(*modes, **options)
        if options.get("private") and 1049 in modes:
            self.kept = (self.buffer.copy(), self.cursor.x, self.cursor.y)
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **options: Any) -> None:
        super().reset_mode(*modes, **options)
        if options.get("private") and 1049 in modes and self.kept is not None:
            self.erase_in_display(2)
            buffer, self.cursor.x, self.cursor.y = self.kept
            self.buffer.update(buffer)
            self.kept = None

    def index(self) -> None:
        """Scroll; on the alternate screen what leaves at the top is gone."""
        before = len(self.history.top)
        super().index()
        if self.kept is not None and len(self.history.top) > before:
            self.history.top.pop()


def shown(screen: pyte.Screen) -> str:
    return "\n".join(line.rstrip() for line in screen.display).rstrip()


class Terminal:
    """One run of `trapline` with a person at the keyboard.

    With `in_shell` it is a shell instead, to type the command into.

    `alternate` False is a terminal that knows no alternate screen, so that everything which
    ever scrolls off the top stays in its scrollback.
    """

    def __init__(
        self,
        *arguments: str,
        home: Path,
        columns: int = 80,
        lines: int = 24,
        alternate: bool = True,
        environment: dict[str, str] | None = None,
        in_shell: bool = False,
    ) -> None:
        kind = AlternateScreen if alternate else AnsweringScreen
        self.screen = kind(columns, lines, history=5000, ratio=0.5)
        self.stream = pyte.ByteStream(self.screen)
        self.answer = pyte.Screen(columns, lines)
        self.answers = pyte.ByteStream(self.answer)
        self.bytes = b""
        self.seen: list[str] = []
        environ = {**os.environ, "TERM": "xterm-256color", "TRAPLINE_HOME": str(home)}
        environ["TRAPLINE_SCREEN"] = "typed"
        for variable in ("NO_COLOR", "COLUMNS", "LINES"):
            environ.pop(variable, None)
        command = [sys.executable, "-m", "trapline", *arguments]
        if in_shell:
            command = ["bash", "--norc", "--noprofile", "-i"]
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            env={**environ, **(environment or {})},
            dimensions=(lines, columns),
            timeout=PATIENCE,
            # As in any terminal, even where the tests themselves run in the background.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.screen.tell = self.child.send

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.child.close(force=True)
        except pexpect.ExceptionPexpect:
            self.child.wait()  # it is killed; a busy machine takes a while to see to it

    # --- the keyboard -------------------------------------------------------------------

    def type(self, text: str, *, expect: str) -> str:
        """Type a line and wait until the program has printed `expect` in answer to it."""
        self.answer.reset()
        self.child.send(text + "\r")
        return self.wait_for(expect, within=self.answer)

    def press(self, control: str) -> None:
        self.child.sendcontrol(control)

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        self.answer.resize(lines, columns)
        self.child.setwinsize(lines, columns)  # which tells the program, as a terminal does

    def kill(self) -> None:
        self.child.kill(signal.SIGKILL)
        self.child.wait()

    # --- the eyes -----------------------------------------------------------------------

    def wait_for(
        self, text: str, *, changed: bool = False, within: pyte.Screen | None = None
    ) -> str:
        """The screen, as soon as it shows `text` and has come to rest."""
        deadline = time.monotonic() + PATIENCE
        before = self.bytes if changed else None
        while time.monotonic() < deadline:
            quiet = not self.read()
            if quiet and text in shown(within or self.screen) and self.bytes != before:
                return self.text
            if quiet and not self.child.isalive():
                break
        raise AssertionError(f"never showed {text!r}; last screen:\n{self.text}")

    def read(self) -> bool:
        """Take in what the program has printed; whether there was anything."""
        try:
            data = self.child.read_nonblocking(65536, timeout=0.12)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.bytes += data
        self.stream.feed(data)
        self.answers.feed(data)
        self.seen.append(self.text)
        return True

    @property
    def text(self) -> str:
        return shown(self.screen)

    @property
    def scrollback(self) -> str:
        """What a person could still scroll up to, and the screen."""
        columns = range(self.screen.columns)
        rows = ["".join(row[x].data for x in columns).rstrip() for row in self.screen.history.top]
        return "\n".join([*rows, self.text])

    def end(self) -> int:
        """Wait for the program to end by itself; its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < deadline:
            self.read()
        while self.read():
            pass
        self.child.close()
        status = self.child.exitstatus
        assert status is not None, f"ended by signal {self.child.signalstatus}"
        return int(status)
