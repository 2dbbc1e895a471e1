"""Where pages appear and answers come from: a full-screen terminal, or plain lines.

A `Page` is all that one moment shows. The full screen draws it anew each time, on the
terminal's alternate screen, which keeps no scrollback: what is wiped is gone. The line
screen prints what is new and never takes anything back, so nothing private may reach it
while two people share it.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import sys
import textwrap
from typing import TYPE_CHECKING, NamedTuple, Protocol

from rich.console import Console
from rich.text import Text

from trapline.boards.glyphs import UNICODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
WIPE = "\x1b[H\x1b[J"
"""From the top left to the end: unlike other ways, no terminal keeps what this erases."""


class Page(NamedTuple):
    title: str
    draw_board: Callable[[int], list[Text]]
    """Draws the board for a number of columns, which may change while the page is shown."""
    account: list[str]
    """What has happened, oldest first."""
    heading: list[str]
    """What the question is about."""
    notice: list[str]
    """What was wrong with the last answer, or what was asked to be shown."""
    board_again: bool
    """Somebody asked for the board, so it is shown even if it has not changed."""


class Screen(Protocol):
    wipes: bool
    """Whether what is shown can be taken back, so that private things may be shown."""
    people: bool
    """Whether somebody sits there, as opposed to a file or a program."""
    ascii_only: bool
    """Whether it cannot show the characters that boards are best drawn with."""

    @property
    def width(self) -> int:
        """Columns, as of now."""

    def ask(self, page: Page, prompt: str, *, hidden: bool = False) -> str:
        """Show a page and read one line. EOFError when there is no more input."""

    def show(self, page: Page) -> None:
        """Show a page without asking."""

    def close(self) -> None:
        """Give the terminal back as it was found."""


def make_screen(*, plain: bool) -> Screen:
    """The full screen where the terminal can do it, else lines."""
    capable = os.environ.get("TERM", "dumb") not in ("dumb", "") or os.name == "nt"
    if plain or not capable or not sys.stdin.isatty() or not sys.stdout.isatty():
        return LineScreen()
    return FullScreen()


def make_console() -> Console:
    """For lists and rules: colour only where a terminal shows it and nobody asked for none."""
    return Console(highlight=False, soft_wrap=False)


def knows_only_ascii() -> bool:
    try:
        "".join(map(str, UNICODE)).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def terminal_size() -> os.terminal_size:
    """As of now: a shell's COLUMNS and LINES may be older than the last resize."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        size = os.terminal_size((0, 0))
    return size if size.columns and size.lines else shutil.get_terminal_size((80, 24))


class LineScreen:
    wipes = False

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

    def ask(self, page: Page, prompt: str, *, hidden: bool = False) -> str:
        self.show(page)
        if not self.people:
            print(prompt.rstrip(), flush=True)
            return _read_line()
        print(prompt, end="", flush=True)
        return _read_hidden() if hidden else _read_line()

    def show(self, page: Page) -> None:
        if page.title != self._title:
            self._title, self._told, self._last_board = page.title, [], []
            self._say(page.title, "")
        if fresh := self._not_told(page.account):
            self._say(*fresh, "")
            self._told = page.account
        board = page.draw_board(self.width)
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


class FullScreen:
    wipes = True
    people = True

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

    def ask(self, page: Page, prompt: str, *, hidden: bool = False) -> str:
        self._page, self._prompt = page, prompt
        self._draw()
        return _read_hidden() if hidden else _read_line()

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
        """The page in the height there is: the account gives way first, then the board."""
        title = [*self._wrap([page.title], "bold"), Text()]
        board = [*page.draw_board(self.width), Text()]
        foot = self._wrap(page.heading, "bold") + self._wrap(page.notice, "yellow")
        below = len(self._wrap([self._prompt], "")) + 1
        height = terminal_size().lines
        room = height - len(title + foot) - below
        if room < len(board):
            short = [*title, *board] if page.board_again else [*title, *foot]
            most = max(1, height - below)
            return short if len(short) <= most else [*short[: most - 1], Text("…", "dim")]
        account = self._wrap(page.account, "")
        account = account[-(room - len(board)) :] if room > len(board) else []
        return [*title, *board, *account, *([Text()] if account else []), *foot]

    def _wrap(self, lines: list[str], style: str) -> list[Text]:
        """As many lines as the terminal will need."""
        wrapped = []
        for line in lines:
            wrapped += list(Text(line, style).wrap(self._console, self.width)) or [Text()]
        return wrapped

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _read_hidden() -> str:
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
        return _read_line()
    finally:
        signal.signal(signal.SIGCONT, before)
        termios.tcsetattr(terminal, termios.TCSANOW, usual)
        print(flush=True)  # the Enter that was not echoed


def _read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
