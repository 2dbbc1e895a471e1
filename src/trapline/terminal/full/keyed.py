"""Between the referee and the full screen: a sitting in a thread of its own asks, keys answer.

The thread plays matches exactly as it would on a screen of lines; what it shows and asks appears
on a `TableScreen`, and it goes on when an answer comes. So rules, hand-overs, draw offers, claims
and saving are decided where they always are.
"""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import First, TraplineError
from trapline.terminal.asking import NEXT, Quit
from trapline.terminal.full.widgets import Wanted
from trapline.terminal.keeping import Keeper
from trapline.terminal.play import Session
from trapline.terminal.screen import Asked, Page
from trapline.terminal.series import next_in_series, rematch, series_result
from trapline.terminal.sitting import Farewell

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.referee import Match
    from trapline.terminal.full.table import TableScreen
    from trapline.terminal.saves import Saves

PATIENCE = 0.2
"""Seconds after which a thread that waits for its screen looks whether it is still there."""
AFTERWARDS = (
    ("r", "Rematch"),
    ("a", "Analyse"),
    ("w", "Watch again"),
    ("m", "Another game"),
)


class Gone(Exception):
    """The screen was closed while the sitting went on; all that matters is on disk."""


class KeyScreen:
    """What a session takes for a screen."""

    wipes = True
    people = True
    ascii_only = False
    shows_answers = True
    lively = True

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._app = table.app
        self._closed = False
        self._answers: SimpleQueue[str | Gone] = SimpleQueue()

    @property
    def width(self) -> int:
        return self._app.size.width

    def ask(self, page: Page, asked: Asked) -> str:
        self.on_screen(self._table.put, page, asked)
        answer = self._answers.get()
        if isinstance(answer, Gone):
            raise answer
        return answer

    def show(self, page: Page) -> None:
        self.on_screen(self._table.put, page, None)

    def peek(self, text: str) -> None:
        page = Page("", lambda _width, _height: [], [], [], [f"You chose {text}."], False)
        self.ask(page, Asked("Press Enter to hide it: ", choices=(("", "Hide it"),)))

    def close(self) -> None:
        """The program that owns the terminal gives it back."""

    def give(self, text: str) -> None:
        self._answers.put(text)

    def stop(self) -> None:
        self._closed = True
        self._answers.put(Gone())

    def on_screen(self, action: Callable[..., Any], *arguments: Any) -> None:
        """Let the screen's own thread do something, and wait for it."""
        wanted = Wanted(action, *arguments)
        if self._closed or not self._table.post_message(wanted):
            raise Gone
        while not wanted.done.wait(PATIENCE):
            if self._closed:
                raise Gone


class Left(NamedTuple):
    """How a sitting ended."""

    farewell: Farewell
    to_menu: bool


class Sitting:
    """Plays a match and what follows it, in its own thread."""

    def __init__(self, match: Match, saves: Saves, table: TableScreen, first: First | None) -> None:
        self._match = match
        self._saves = saves
        self._table = table
        self._first = first
        self.screen = KeyScreen(table)
        self.last = Farewell(match)
        self._thread = Thread(target=self._sit, name="sitting", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def farewell(self) -> Farewell | None:
        """What is said to whoever leaves the program now."""
        return self.last

    def _sit(self) -> None:
        to_menu = False
        try:
            current: Match | None = self._match
            while current is not None:
                current = self._play(current)
            to_menu = True
        except Gone:
            return
        except Quit:
            to_menu = False
        except TraplineError as error:
            self.last.problem = str(error)
        with suppress(Gone):
            self.screen.on_screen(self._table.sitting_over, Left(self.last, to_menu))

    def _play(self, match: Match) -> Match | None:
        session = Session(match, self.screen, self._saves, in_words=False)
        self.last = Farewell(match)
        self._table.match = match
        self._saves.lock(match.id)
        try:
            session.play()
        finally:
            self._saves.unlock(match.id)
        self.last = Farewell(match, session)
        following = next_in_series(match)
        if following is None:
            return self._afterwards(session)
        Keeper(following, self._saves, self.screen).keep(session.pages.title)
        self.last = Farewell(following)
        session.asker.answer(1, NEXT, session.checked(), choices=(("", "The next game"),))
        return following

    def _afterwards(self, session: Session) -> Match | None:
        """What next? None leads to the menu."""
        match = session.match
        closing = [*session.checked(), *series_result(match)]  # who won, the log has just told
        while True:
            wanted = session.asker.answer(1, "What next? ", closing, choices=AFTERWARDS)
            if wanted == "r":
                return rematch(match, self._saves, self._first)
            if wanted == "m":
                return None
            if wanted in ("a", "w"):
                show = self._table.analyse if wanted == "a" else self._table.watch_again
                self.screen.on_screen(show, match.record())
