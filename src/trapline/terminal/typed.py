"""Typed pages: each drawn anew on the alternate screen, and answered by a line of text."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

from rich.text import Text

from trapline.terminal.lines import read_hidden, read_line
from trapline.terminal.screen import knows_only_ascii, make_console, terminal_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from trapline.terminal.screen import Asked, Page

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
WIPE = "\x1b[H\x1b[J"
"""From the top left to the end: unlike other ways, no terminal keeps what this erases."""
LOG = 3
"""Lines of the account that are kept where the board would leave no room."""


class TypedScreen:
    wipes = True
    people = True
    shows_answers = False
    lively = False

    def __init__(self) -> None:
        self.ascii_only = knows_only_ascii()
        self._console = make_console()
        self._page: Page | None = None
        self._prompt = ""
        self._before: dict[int, object] = {}
        self._busy = False
        self._signals: set[int] = set()
        self._write(ENTER)
        self._answers: dict[int, Callable[[], None]] = {}
        for name, answer in (("SIGWINCH", self._redraw), ("SIGTSTP", self._pause)):
            if hasattr(signal, name):
                number = getattr(signal, name)
                self._answers[number] = answer
                self._before[number] = signal.signal(number, self._handle)

    @property
    def width(self) -> int:
        return terminal_size().columns

    def ask(self, page: Page, asked: Asked) -> str:
        self._page, self._prompt = page, asked.prompt
        self._draw()
        return read_hidden() if asked.hidden else read_line()

    def peek(self, text: str) -> None:
        self._prompt = f"You chose {text}. Press Enter to hide it: "
        self._draw()
        read_hidden()

    def show(self, page: Page) -> None:
        self._page, self._prompt = page, ""
        self._draw()

    def close(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # as signal() gave it to us
        with contextlib.suppress(OSError):  # the terminal may be gone
            self._write(WIPE + LEAVE)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        """A signal that comes while a page is drawn waits: no page may end inside another."""
        self._signals.add(number)
        if not self._busy:
            self._answer_signals()

    def _answer_signals(self) -> None:
        while self._signals:
            with self._undisturbed():
                for number in sorted(self._signals):
                    self._signals.discard(number)
                    self._answers[number]()

    @contextlib.contextmanager
    def _undisturbed(self) -> Iterator[None]:
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    def _redraw(self) -> None:
        # What was half typed is no longer on the screen, so it must not count either.
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
        self._paint()

    def _pause(self) -> None:
        """Control-Z: leave nothing on the screen while somebody else may use the terminal."""
        self._write(WIPE + LEAVE)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        # Here the program goes on, as soon as the shell brings it back.
        signal.signal(signal.SIGTSTP, self._handle)
        self._write(ENTER)
        self._paint()

    def _draw(self) -> None:
        with self._undisturbed():
            self._paint()
        self._answer_signals()

    def _paint(self) -> None:
        if self._page is None:
            return
        self._write(WIPE)
        prompt = self._wrap([self._prompt.rstrip()], "bold green")
        prompt[-1].append(" ")
        for line in [*self._fit(self._page), *prompt[:-1]]:
            self._console.print(line, soft_wrap=True)
        self._console.print(prompt[-1], soft_wrap=True, end="")
        sys.stdout.flush()

    def _fit(self, page: Page) -> list[Text]:
        """The page in the height there is: the account gives way first, then the board's form."""
        title = [*self._wrap([page.title], "bold"), Text()]
        foot = self._wrap(page.heading, "bold") + self._wrap(page.notice, "yellow")
        below = len(self._wrap([self._prompt], "")) + 1
        most = max(1, terminal_size().lines - below)
        if page.board_again:
            return _cut([*title, *page.draw_board(self.width, most - len(title) - 1), Text()], most)
        account = self._wrap(page.account, "")
        room = most - len(title) - len(foot)
        log = min(LOG, len(account))
        board = page.draw_board(self.width, room - 1 - (log + 1 if log else 0))
        if not board:
            return _cut([*title, *foot], most)
        left = room - len(board) - 2
        account = account[-left:] if left > 0 else []
        return [*title, *board, Text(), *account, *([Text()] if account else []), *foot]

    def _wrap(self, lines: list[str], style: str) -> list[Text]:
        """As many lines as the terminal will need."""
        wrapped = []
        for line in lines:
            wrapped += list(Text(line, style).wrap(self._console, self.width)) or [Text()]
        return wrapped

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _cut(lines: list[Text], most: int) -> list[Text]:
    return lines if len(lines) <= most else [*lines[: most - 1], Text("…", "dim")]
