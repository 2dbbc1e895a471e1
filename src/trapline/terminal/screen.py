"""Where pages appear and answers come from.

A `Page` is all that one moment shows, and `Asked` is what is asked below it. There are three
kinds of screens, and `kind_of_screen` is the one place that chooses between them:

- keys (`trapline.terminal.full`): a person at a terminal that is large enough;
- typed pages (`trapline.terminal.typed`): a person at a small one, at one that knows ASCII
  alone, or who wants it so;
- lines (`trapline.terminal.lines`): pipes, `--plain`, and terminals that can do no more.

The first two draw on the terminal's alternate screen, which keeps no scrollback: what is wiped
is gone. Lines print what is new and never take anything back, so nothing private may reach them
while two people share them.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

from rich.console import Console

from trapline.boards.glyphs import UNICODE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.text import Text

    from trapline.core import Names, Question, Suspicion, View

    Choices = Sequence[tuple[str, str]]
    """Answers as one would type them, each with what a button says."""

SCREEN_VARIABLE = "TRAPLINE_SCREEN"
KEYS, TYPED, LINES = "keys", "typed", "lines"
SMALLEST = (40, 18)
"""Columns and lines that the screen with keys needs."""


class Seen(NamedTuple):
    """What a page is made of, for a screen that draws boards itself."""

    view: View
    names: Names
    styles: list[str]
    """The colour of each line of the account."""
    suspected: tuple[Suspicion, ...] = ()
    """What who has asked for a hint may believe of each place."""


class Page(NamedTuple):
    title: str
    draw_board: Callable[[int, int], list[Text]]
    """Draws the board for columns and lines, which may change while the page is shown."""
    account: list[str]
    """What has happened, oldest first."""
    heading: list[str]
    """What the question is about."""
    notice: list[str]
    """What was wrong with the last answer, or what was asked to be shown."""
    board_again: bool
    """Somebody asked for the board, so it is shown even if it has not changed."""
    seen: Seen | None = None


class Asked(NamedTuple):
    """What is asked below a page."""

    prompt: str
    hidden: bool = False
    """What is typed is not to be seen."""
    question: Question | None = None
    """The question of the game, where it is one."""
    choices: tuple[tuple[str, str], ...] = ()
    """The answers where it is none: as typed, and as a button says it."""
    commands: tuple[str, ...] = ()
    """Words that do something else instead."""


class Screen(Protocol):
    wipes: bool
    """Whether what is shown can be taken back, so that private things may be shown."""
    people: bool
    """Whether somebody sits there, as opposed to a file or a program."""
    ascii_only: bool
    """Whether it cannot show the characters that boards are best drawn with."""
    shows_answers: bool
    """Whether an answer is seen while it is put together, so that nobody has to confirm it."""
    lively: bool
    """Whether each move is to be shown as it happens."""

    @property
    def width(self) -> int:
        """Columns, as of now."""

    def ask(self, page: Page, asked: Asked) -> str:
        """Show a page and read one answer. EOFError when there is no more input."""

    def show(self, page: Page) -> None:
        """Show a page without asking."""

    def peek(self, text: str) -> None:
        """Show something private until Enter is pressed, and take it back."""

    def close(self) -> None:
        """Give the terminal back as it was found."""


def kind_of_screen(*, plain: bool) -> str:
    """Which kind of screen this terminal, its size and its user ask for."""
    capable = os.environ.get("TERM", "dumb") not in ("dumb", "") or os.name == "nt"
    if plain or not capable or not sys.stdin.isatty() or not sys.stdout.isatty():
        return LINES
    wanted = os.environ.get(SCREEN_VARIABLE, "")
    if wanted in (KEYS, TYPED, LINES):
        return wanted
    columns, lines = terminal_size()
    small = columns < SMALLEST[0] or lines < SMALLEST[1]
    return TYPED if small or knows_only_ascii() else KEYS


def make_screen(kind: str) -> Screen:
    """A screen that reads typed lines; the one with keys runs a program of its own."""
    from trapline.terminal.lines import LineScreen
    from trapline.terminal.typed import TypedScreen

    return TypedScreen() if kind == TYPED else LineScreen()


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
