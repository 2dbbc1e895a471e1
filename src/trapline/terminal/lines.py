"""Lines: what is new is printed, and what is printed stays."""

from __future__ import annotations

import getpass
import re
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
HANGING = re.compile(r" *(?:\S+ {2,})?")
"""What stands before a sentence, and so before its further lines: room, or an entry of a list."""


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
        print(self._wrapped(asked.prompt.rstrip()), end=" ", flush=True)
        return read_hidden() if asked.hidden else read_line()

    def peek(self, text: str) -> None:
        """On a line that is overwritten before it can scroll away."""
        shown = f"You chose {text}. Press Enter to hide it: "
        if len(text) + 1 >= self.width:
            self.say("It is too long to be hidden again, so it is not shown here.")
            return
        if len(shown) >= self.width:
            self.say("You chose this. Press Enter to hide it:")
            shown = f"{text} "
        print(shown, end="", flush=True)
        try:
            read_hidden(after="")
        finally:
            print("\r" + " " * len(shown) + "\r", end="", flush=True)

    def show(self, page: Page) -> None:
        if page.title != self._title:
            self._title, self._told, self._last_board = page.title, [], []
            self.say(page.title, "")
        if fresh := self._not_told(page.account):
            self.say(*fresh, "")
            self._told = page.account
        board = page.draw_board(self.width, ENDLESS)
        if board and (page.board_again or board != self._last_board):
            self._last_board = board
            self.say(*(line.plain.rstrip() for line in board), "")
        if page.heading != self._last_heading:
            self._last_heading = page.heading
            self.say(*page.heading)
        self.say(*page.notice)

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

    def say(self, *lines: str) -> None:
        for line in lines:
            print(self._wrapped(line))
        sys.stdout.flush()

    def _wrapped(self, line: str) -> str:
        """As many lines as a terminal needs to show whole words; a pipe gets what was said."""
        if not self.people:
            return line
        indent = " " * len(HANGING.findall(line)[0])
        return textwrap.fill(line, self.width, subsequent_indent=indent, break_on_hyphens=False)

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
