"""The puzzle of the day: a question, an answer and why."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import TraplineError
from trapline.terminal.full.widgets import KeyBar, Wanted

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.coach.puzzles import Puzzle
    from trapline.terminal.full.app import TraplineApp


class PuzzleScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "back")]

    def __init__(self) -> None:
        super().__init__()
        self._date = datetime.now(tz=UTC).date().isoformat()
        self._puzzle: Puzzle | None = None
        self._answered = False

    def compose(self) -> ComposeResult:
        yield Static(Text(f"Puzzle of {self._date}", "bold"), id="title")
        yield Static("The coach looks for a puzzle ...", id="caption")
        yield OptionList()
        yield Static(id="about")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([
            ("↑↓", "choose", ""), ("Enter", "answer", "answer"), ("Esc", "back", "back"),
        ])  # fmt: skip
        Thread(target=self._look_for_one, daemon=True).start()

    async def on_wanted(self, message: Wanted) -> None:
        await message.act()

    def _look_for_one(self) -> None:
        # The solver is heavy; nobody should wait for it who wants no puzzle.
        from trapline.coach.puzzles import daily

        try:
            found: Puzzle | str = next(daily(self._date))
        except TraplineError as error:
            found = str(error)
        self.post_message(Wanted(self._show, found))

    def _show(self, found: Puzzle | str) -> None:
        if isinstance(found, str):
            self.query_one("#caption", Static).update(found)
            return
        from trapline.terminal.puzzling import heading

        self._puzzle = found
        self.query_one("#title", Static).update(Text(heading(found, self._date), "bold"))
        self.query_one("#caption", Static).update(found.sentence)
        rows = self.query_one(OptionList)
        rows.add_options([Option(f"  {answer}") for answer in found.answers])
        rows.highlighted = 0
        rows.focus()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        self._answer(message.option_index)

    def on_key(self, event: events.Key) -> None:
        """An answer that is one character long is its own key."""
        if self._puzzle is not None and event.character in self._puzzle.answers:
            self._answer(self._puzzle.answers.index(event.character))

    def _answer(self, index: int) -> None:
        """The first answer counts; the others can be looked at."""
        puzzle = self._puzzle
        if puzzle is None or self._answered:
            return
        from trapline.coach.sentences import figure
        from trapline.terminal.puzzling import verdict

        self._answered = True
        lines = verdict(puzzle, puzzle.answers[index], self._date)
        self.query_one("#about", Static).update("\n".join(lines))
        rows = self.query_one(OptionList)
        rows.highlighted = index
        for at, answer in enumerate(puzzle.answers):
            style = "bold bright_green" if answer == puzzle.best else ""
            told = Text(f"  {answer}  wins {figure(puzzle.chances[answer])}", style)
            rows.replace_option_prompt_at_index(at, told)

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "back":
            self.action_back()
        else:
            self.query_one(OptionList).action_select()
