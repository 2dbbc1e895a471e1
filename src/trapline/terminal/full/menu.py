"""The menu: every game in one key, and what was played before."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rich.text import Text
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import GameError, TraplineError
from trapline.games import all_games, known_game
from trapline.referee import Match
from trapline.terminal import listing
from trapline.terminal.full.setup import SetupScreen
from trapline.terminal.full.widgets import KeyBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from trapline.core import Game
    from trapline.terminal.full.app import TraplineApp

TITLE = "Trapline · Mind where you step"
LEAST = 40
"""Columns that a description needs beside its name; the one under the cursor stands below, too."""
BELOW = 5
"""Lines that title, description and keys take."""
GROUNDS: dict[str, tuple[Literal["auto", "light", "dark"], str]] = {
    "auto": ("light", "light or dark, as the terminal is"),
    "light": ("dark", "light, whatever the terminal is"),
    "dark": ("auto", "dark, whatever the terminal is"),
}
"""For each choice the next one, and what is said of it."""


class Entry(NamedTuple):
    key: str
    name: str
    about: str
    act: Callable[[], Any]


class MenuScreen(Screen[None]):
    app: TraplineApp

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []

    def compose(self) -> ComposeResult:
        yield Static(Text(TITLE, "bold"), id="title")
        yield OptionList()
        yield Static(id="about")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([
            ("arrows", "move", ""), ("Enter", "open", "enter"), ("q", "quit", "q"),
        ])  # fmt: skip

    def on_screen_resume(self) -> None:
        """What can be gone on with may have changed."""
        self._entries = self._made()
        self._list(0)
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        if self._entries:
            self._list(self.query_one(OptionList).highlighted)

    def _list(self, at: int | None) -> None:
        """Every entry, with what it is where there is room to say all of it."""
        menu = self.query_one(OptionList)
        menu.clear_options()
        wide = max(len(entry.name) for entry in self._entries)
        before = len("  1   ") + wide + len("  ")
        room = self.size.width - before
        told = [wrap(entry.about, room) if room >= LEAST else [] for entry in self._entries]
        if sum(len(lines) or 1 for lines in told) > self.size.height - BELOW:
            told = [lines if len(lines) == 1 else [] for lines in told]
        for entry, lines in zip(self._entries, told, strict=True):
            line = Text.assemble(
                (f" {entry.key} ", self.app.ink.key), (f"  {entry.name:<{wide}}  ", "bold")
            )
            menu.add_option(Option(line.append(("\n" + " " * (before - 1)).join(lines), "dim")))
        menu.highlighted = at

    def _made(self) -> list[Entry]:
        games = [kind for kind in all_games() if not isinstance(kind, GameError)]
        entries = [
            Entry(
                str(number % 10) if number <= 10 else "",
                kind.title,
                kind.summary,
                _opens(self, kind),
            )
            for number, kind in enumerate(games, 1)
        ]
        unfinished = self.app.saves.latest_to_go_on_with()
        if unfinished is not None:
            names = listing.player_names(unfinished)
            about = f"{known_game(unfinished.game).title}, {names[1]} against {names[2]}"
            entries.insert(0, Entry("c", "Continue", about, lambda: self.go_on(unfinished.id)))
        motion = "moves are shown as they happen" if self.app.habits.motion else "nothing moves"
        return [
            *entries,
            Entry("p", "Puzzle", "one a day, the same for everybody", self._puzzle),
            Entry("h", "History", "past matches: watch, analyse, go on", self._history),
            Entry("s", "Statistics", "results by game and opponent", self._statistics),
            Entry("m", "Motion", motion, self._motion),
            Entry("t", "Theme", GROUNDS[self.app.habits.ground][1], self._theme),
            Entry("q", "Quit", "", lambda: self.app.exit(0)),
        ]

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        self.query_one("#about", Static).update(self._entries[message.option_index].about)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        self._entries[message.option_index].act()

    def on_key(self, event: events.Key) -> None:
        for entry in self._entries:
            if event.character is not None and event.character.lower() == entry.key:
                event.stop()
                entry.act()
                return

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "enter":
            self.query_one(OptionList).action_select()
        for entry in self._entries:
            if message.word == entry.key:
                entry.act()

    def go_on(self, match_id: str) -> None:
        try:
            match = Match.restore(self.app.saves.reopen(match_id))
        except TraplineError as error:
            self.app.notify(str(error), severity="error", timeout=10)
            return
        self.app.play(match)

    def _puzzle(self) -> None:
        from trapline.terminal.full.puzzle import PuzzleScreen

        self.app.push_screen(PuzzleScreen())

    def _history(self) -> None:
        from trapline.terminal.full.history import HistoryScreen

        self.app.push_screen(HistoryScreen(self))

    def _statistics(self) -> None:
        from trapline.terminal.full.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen())

    def _motion(self) -> None:
        self.app.habits.motion = not self.app.habits.motion
        self.app.habits.save()
        self._tell_again()

    def _theme(self) -> None:
        self.app.choose_ground(GROUNDS[self.app.habits.ground][0])
        self._tell_again()

    def _tell_again(self) -> None:
        at = self.query_one(OptionList).highlighted
        self.on_screen_resume()
        self.query_one(OptionList).highlighted = at


def _opens(menu: MenuScreen, kind: type[Game[Any]]) -> Callable[[], Any]:
    return lambda: menu.app.push_screen(SetupScreen(kind))
