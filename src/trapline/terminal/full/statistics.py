"""Results by game and opponent, on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from trapline.terminal import statistics
from trapline.terminal.full.widgets import KeyBar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.terminal.full.app import TraplineApp


class StatisticsScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,enter", "back")]

    def compose(self) -> ComposeResult:
        yield Static(Text("Statistics", "bold"), id="title")
        with VerticalScroll(id="sheet"):
            yield Static()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("Esc", "back", "back")])

    def on_resize(self) -> None:
        found = statistics.tallies(self.app.saves.all())
        shown: Any = statistics.table(found)
        if self.size.width < statistics.NARROW:
            shown = Text("\n\n".join(statistics.lines(found)))
        if not found:
            shown = Text("No match is finished yet.")
        self.query_one("#sheet Static", Static).update(shown)

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_key_bar_chosen(self, _message: KeyBar.Chosen) -> None:
        self.action_back()
