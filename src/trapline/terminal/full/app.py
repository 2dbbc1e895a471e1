"""The program that owns the terminal while a person plays with keys."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from threading import Timer
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events
from textual.app import App
from textual.screen import Screen

from trapline.terminal.full.colours import DARK, INKS, LIGHT, NAMED, THEMES
from trapline.terminal.full.late import LateReply
from trapline.terminal.full.menu import MenuScreen
from trapline.terminal.full.practice import Practice
from trapline.terminal.full.table import TableScreen
from trapline.terminal.ground import Answer, is_light
from trapline.terminal.habits import Habits

if TYPE_CHECKING:
    from textual.binding import BindingType

    from trapline.core import First, Game
    from trapline.referee import Match
    from trapline.terminal.full.colours import Ink
    from trapline.terminal.full.keyed import Left
    from trapline.terminal.saves import Saves
    from trapline.terminal.sitting import Farewell

INTERRUPTED = 130
LOADED = 1.0
"""Seconds after which the first screen has been drawn."""
FIRMLY = 2.0
"""Seconds after which a program that was told to end does so, whatever it waits for."""


class Wiped(Screen[None]):
    """Nothing."""


class TraplineApp(App[int]):
    CSS_PATH = "look.tcss"
    TITLE = "Trapline"
    ENABLE_COMMAND_PALETTE = False  # it would offer to take a picture of what is private
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+c", "interrupt"),
        ("ctrl+d", "interrupt"),
        ("ctrl+z", "suspend_process"),
    ]

    def __init__(
        self,
        saves: Saves,
        match: Match | None = None,
        first: First | None = None,
        terminal: Answer | None = None,
        lesson: type[Game[Any]] | None = None,
    ) -> None:
        super().__init__()
        self.saves = saves
        self.habits = Habits.load()
        self._terminal = terminal if terminal is not None else Answer(None)
        self._late = LateReply(owed=self._terminal.owed)
        self._dress()
        self.practice = Practice()
        self.farewell: Farewell | None = None
        """What is said on leaving, if a match was on the table."""
        self._match = match
        self._first = first
        self._to_learn = lesson
        self._from_menu = match is None
        # Styles are read once, as they are to be; Textual would read them for its theme first.
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_for = self.theme

    def get_default_screen(self) -> Screen[Any]:
        """What is seen first, or lies beneath it where one may go on to the menu."""
        return MenuScreen() if self._match is None else Wiped()

    def on_mount(self) -> None:
        self.set_timer(LOADED, gc.enable)
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._end_by_signal, 128 + number)
        if self._match is not None:
            self.push_screen(TableScreen(self._match, self.saves, self._first))
        if self._to_learn is not None:
            self.learn(self._to_learn)
        for letter in self._terminal.typed:
            self.simulate_key(letter)

    def learn(self, kind: type[Game[Any]]) -> None:
        """Begin the lesson of a game, if it has one."""
        from trapline.terminal.full.lesson import LessonScreen

        if kind.lesson is not None:
            self.push_screen(LessonScreen(kind, kind.lesson, self.saves))

    async def on_event(self, event: events.Event) -> None:
        keys = self._late.let_through(event) if isinstance(event, events.Key) else [event]
        for each in keys:
            await super().on_event(each)
        if self._late.colour:
            self._terminal = self._terminal._replace(light=is_light(self._late.colour))
            self._late.colour = ""
            self._dress()

    # --- light and dark -------------------------------------------------------------------

    @property
    def ground(self) -> str:
        """As somebody has chosen, or as the terminal is; dark where it does not say."""
        if self.habits.ground != "auto":
            return self.habits.ground
        return LIGHT if self._terminal.light else DARK

    @property
    def ink(self) -> Ink:
        return INKS[self.ground]

    def _dress(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.ansi_theme_dark, self.ansi_theme_light = NAMED[DARK], NAMED[LIGHT]
        self.theme = THEMES[self.ground].name

    def refresh_css(self, animate: bool = True) -> None:
        """Styles depend on the theme alone, so for nothing else are they read again."""
        if self.theme != self._styled_for:
            self._styled_for = self.theme
            super().refresh_css(animate)

    def choose_ground(self, ground: Literal["auto", "light", "dark"]) -> None:
        self.habits.ground = ground
        self.habits.save()
        self._dress()

    @property
    def moving(self) -> bool:
        """Whether things are seen moving: a habit of this user, or of all their programs."""
        return self.habits.motion and self.animation_level != "none"

    # --- from screen to screen ------------------------------------------------------------

    def play(self, match: Match) -> None:
        self._from_menu = True
        self.farewell = None
        self.push_screen(TableScreen(match, self.saves))

    def sitting_over(self, left: Left) -> None:
        """A match was left, or is over: back to the menu, or out."""
        self.farewell = left.farewell
        if not left.to_menu and not self._from_menu:
            self.wipe_and_exit(1 if left.farewell.problem else 0)
            return
        problem, self.farewell = left.farewell.problem, None
        self._from_menu = True
        self.pop_screen()
        if not isinstance(self.screen, MenuScreen):
            self.push_screen(MenuScreen())
        if problem:
            self.notify(problem, severity="error", timeout=20)

    def leave_at_once(self) -> None:
        """While nobody is asked, nobody can be answered: the match is on disk as it is."""
        self._remember_the_table()
        self.wipe_and_exit(0)

    def action_interrupt(self) -> None:
        self._remember_the_table()
        self.wipe_and_exit(INTERRUPTED)

    # Not every terminal has an alternate screen, so nothing private is left on this one either.

    def _end_by_signal(self, status: int) -> None:
        """Leave an empty screen; but where the terminal is gone, drawing never ends, so we do."""
        firmly = Timer(FIRMLY, os._exit, (status,))
        firmly.daemon = True
        firmly.start()
        self.wipe_and_exit(status)

    def wipe_and_exit(self, status: int) -> None:
        self.push_screen(Wiped())
        self.call_after_refresh(self.exit, status)

    def action_suspend_process(self) -> None:
        """Control-Z: somebody else may use the terminal meanwhile."""
        self.push_screen(Wiped())
        self.call_after_refresh(self._suspend)

    def _suspend(self) -> None:
        super().action_suspend_process()
        self.pop_screen()

    def _remember_the_table(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen) and screen.sitting is not None:
                self.farewell = screen.sitting.farewell()


def open_app(
    saves: Saves,
    match: Match | None,
    first: First | None,
    terminal: Answer,
    lesson: type[Game[Any]] | None,
) -> int:
    """Run until somebody leaves; returns the exit status."""
    app = TraplineApp(saves, match, first, terminal, lesson)
    status = app.run()
    if app.return_code:
        return app.return_code  # it has said why itself
    status = 0 if status is None else status
    return app.farewell.say(status, wiped=True) if app.farewell is not None else status
