"""Lines: what is new is printed, and what is printed stays."""

from __future__ import annotations

import getpass
import signal
import sys
import textwrap
from typing import TYPE_CHECKING

from trapline.terminal.screen import knows_only_ascii, terminal_size

if TYPE_CHECKING:
    from types import FrameType

    from rich.text import Text

    from trapline.terminal.screen import Asked, Page

ENDLESS = 10_000
"""Lines that a page may have where it is not drawn on a screen."""


class LineScreen:
    wipes = False
    shows_answers = False
    lively = False

    def __init__(self) -> None:
        self.people = sys.stdin.isatty()
        self.ascii_only = knows_only_ascii()
        self._told: list[str] = []
        self._last_board: list[Text] = []
        self._last_heading: list[str] = []
        self._title = ""

    @property
    def width(self) -> int:
        return terminal_size().columns

    def ask(self, page: Page, asked: Asked) -> str:
        self.show(page)
        if not self.people:
            print(asked.prompt.rstrip(), flush=True)
            return read_line()
        print(asked.prompt, end="", flush=True)
        return read_hidden() if asked.hidden else read_line()

    def peek(self, text: str) -> None:
        """On a line that is overwritten before it can scroll away."""
        shown = f"You chose {text}. Press Enter to hide it: "
        if len(shown) >= self.width:
            shown = f"{text} "
        if len(shown) >= self.width:
            self._say("It is too long to be hidden again, so it is not shown here.")
            return
        print(shown, end="", flush=True)
        try:
            read_hidden(after="")
        finally:
            print("\r" + " " * len(shown) + "\r", end="", flush=True)

    def show(self, page: Page) -> None:
        if page.title != self._title:
            self._title, self._told, self._last_board = page.title, [], []
            self._say(page.title, "")
        if fresh := self._not_told(page.account):
            self._say(*fresh, "")
            self._told = page.account
        board = page.draw_board(self.width, ENDLESS)
        if board and (page.board_again or board != self._last_board):
            self._last_board = board
            self._say(*(line.plain.rstrip() for line in board), "")
        if page.heading != self._last_heading:
            self._last_heading = page.heading
            self._say(*page.heading)
        self._say(*page.notice)

    def _not_told(self, account: list[str]) -> list[str]:
        """Lines that were not there the last time; some of them may stand between older ones."""
        fresh = []
        told = iter([*self._told, None])
        expected = next(told)
        for line in account:
            if line == expected:
                expected = next(told)
            else:
                fresh.append(line)
        return fresh

    def _say(self, *lines: str) -> None:
        for line in lines:
            print(textwrap.fill(line, self.width) if self.people and line[:1].isalpha() else line)
        sys.stdout.flush()

    def close(self) -> None:
        sys.stdout.flush()


def read_hidden(after: str = "\n") -> str:
    """A line typed blindly, also if the program was stopped and continued meanwhile."""
    try:
        import termios
    except ImportError:  # no Unix
        return getpass.getpass("")
    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)

    def blind(_signal: int = 0, _frame: FrameType | None = None) -> None:
        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, modes)

    before = signal.signal(signal.SIGCONT, blind)
    blind()
    termios.tcflush(terminal, termios.TCIFLUSH)
    try:
        return read_line()
    finally:
        signal.signal(signal.SIGCONT, before)
        termios.tcsetattr(terminal, termios.TCSANOW, usual)
        print(end=after, flush=True)  # the Enter that was not echoed


def read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
