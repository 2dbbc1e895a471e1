"""Past matches, the latest first: found by a word, watched, analysed, gone on with."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import TraplineError
from trapline.games import recall
from trapline.terminal import listing
from trapline.terminal.full.widgets import KeyBar

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.referee import Record
    from trapline.terminal.full.app import TraplineApp
    from trapline.terminal.full.menu import MenuScreen


class HistoryScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def __init__(self, menu: MenuScreen) -> None:
        super().__init__()
        self._menu = menu
        self._all: list[Record] = []
        self._found: list[Record] = []

    def compose(self) -> ComposeResult:
        yield Static(Text("History", "bold"), id="title")
        yield Input(placeholder="search: a game, a name, a day, won, not finished", id="search")
        yield OptionList()
        yield KeyBar()

    def on_mount(self) -> None:
        self._all = list(self.app.saves.all())
        self.query_one(KeyBar).show([
            ("Enter", "watch or go on", "open"), ("a", "analyse", "analyse"),
            ("/", "search", "search"), ("Esc", "back", "back"),
        ])  # fmt: skip
        self._list("")
        self.query_one(OptionList).focus()

    def _list(self, words: str) -> None:
        self._found = [r for r in self._all if listing.fits(r, words.split())]
        rows = self.query_one(OptionList)
        rows.clear_options()
        for record in self._found:
            heading, played = listing.summary(record)
            lines = wrap(played, self.size.width - 2, initial_indent="  ", subsequent_indent="  ")
            rows.add_option(Option(Text("\n").join([Text(heading, "bold"), *map(Text, lines)])))
        if not self._found:
            none = "No match has these words." if words else "No matches yet."
            rows.add_option(Option(none, disabled=True))
        elif rows.highlighted is None:
            rows.highlighted = 0

    def on_resize(self) -> None:
        at = self.query_one(OptionList).highlighted
        self._list(self.query_one(Input).value)
        if self._found:
            self.query_one(OptionList).highlighted = at

    def on_input_changed(self, message: Input.Changed) -> None:
        self._list(message.value)

    def on_input_submitted(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        record = self._found[message.option_index]
        if record.result is None:
            self.app.pop_screen()
            self._menu.go_on(record.id)
            return
        from trapline.terminal.full.replay import ReplayScreen

        if self._at_hand(record):
            self.app.push_screen(ReplayScreen(record))

    def on_key(self, event: events.Key) -> None:
        if self.query_one(Input).has_focus:
            if event.key == "down":
                self.query_one(OptionList).focus()
            return
        if event.character == "/":
            event.prevent_default()
            self.query_one(Input).focus()
        elif event.character == "a":
            self._analyse()
        elif event.character == "q":
            self.action_back()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "open":
            self.query_one(OptionList).action_select()
        elif message.word == "analyse":
            self._analyse()
        elif message.word == "search":
            self.query_one(Input).focus()
        else:
            self.action_back()

    def _analyse(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is None or not self._found:
            return
        from trapline.terminal.full.analysis import AnalysisScreen

        if self._at_hand(self._found[at]):
            self.app.push_screen(AnalysisScreen(self._found[at]))

    def _at_hand(self, record: Record) -> bool:
        """Whether the game of a match can be loaded; if not, why."""
        try:
            recall(record.game)
            listing.title(record)
        except TraplineError as error:
            self.app.notify(str(error), severity="error")
            return False
        return True

    def action_back(self) -> None:
        self.app.pop_screen()
