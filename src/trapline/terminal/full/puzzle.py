"""The puzzle of the day: its board and its question, an answer and why."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import BY_SEAT, TraplineError
from trapline.terminal.full.board import BoardView, Stage
from trapline.terminal.full.widgets import KeyBar, Measured, Wanted

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.coach.puzzles import Posed
    from trapline.core import Place
    from trapline.terminal.full.app import TraplineApp

WIDE, BESIDE = 120, 60
"""Columns from which the question stands beside the board, and how many it takes there."""
ANSWERS = 3
"""Lines of the list of answers that a board leaves free at least."""


class PuzzleScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "back")]

    def __init__(self) -> None:
        super().__init__()
        self._date = datetime.now(tz=UTC).date().isoformat()
        self._posed: Posed | None = None
        self._answered = False

    def compose(self) -> ComposeResult:
        yield Static(Text(f"Puzzle of {self._date}", "bold"), id="title")
        with Horizontal(id="middle"):
            yield Stage()
            with Measured(id="beside"):
                yield Static("The coach looks for a puzzle ...", id="caption")
                yield OptionList()
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
        from trapline.coach.puzzles import of_the_day

        try:
            found: Posed | str = of_the_day(self._date)
        except TraplineError as error:
            found = str(error)
        self.post_message(Wanted(self._show, found))

    def _show(self, found: Posed | str) -> None:
        if isinstance(found, str):
            self.query_one("#caption", Static).update(found)
            return
        from trapline.terminal.puzzling import heading, question_alone

        self._posed = found
        self.query_one("#title", Static).update(Text(heading(found.puzzle, self._date), "bold"))
        self.query_one("#caption", Static).update(question_alone(found))
        self.query_one(BoardView).show(found.view.board, found.view.seat, BY_SEAT)
        rows = self.query_one(OptionList)
        rows.add_options([Option(f"  {answer}") for answer in found.puzzle.answers])
        rows.highlighted = 0
        rows.focus()
        self._fit()

    # --- the room there is ----------------------------------------------------------------

    def on_resize(self) -> None:
        self._fit()

    def on_measured_changed(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Give the board what the question and a few answers leave."""
        wide = self.size.width >= WIDE
        self.set_class(wide, "wide")
        parts = ("#title", "#keys") if wide else ("#title", "#keys", "#caption")
        taken = sum(self.query_one(part).outer_size.height for part in parts)
        height = max(1, self.size.height - taken - (0 if wide else ANSWERS))
        self.query_one(BoardView).fit(self.size.width - (BESIDE if wide else 0), height)
        self.query_one(Stage).styles.max_height = None if wide else height

    # --- answers --------------------------------------------------------------------------

    def _places(self) -> dict[str, Place]:
        """The answers that are places of the board."""
        question = self._posed.view.question if self._posed is not None else None
        answers = question.answers if question is not None else ()
        return {answer.text: answer.place for answer in answers if answer.place is not None}

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """The answer under the cursor is seen on the board."""
        if self._posed is not None:
            places = self._places()
            at = places.get(self._posed.puzzle.answers[message.option_index])
            self.query_one(BoardView).point(list(places.values()), cursor=at)
            self.query_one(Stage).follow()

    def on_board_view_pointed(self, message: BoardView.Pointed) -> None:
        """A place that is clicked is what the cursor stands on; Enter takes it."""
        for text, place in self._places().items():
            if place == message.place and self._posed is not None:
                self.query_one(OptionList).highlighted = self._posed.puzzle.answers.index(text)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        self._answer(message.option_index)

    def on_key(self, event: events.Key) -> None:
        """An answer that is one character long is its own key."""
        if self._posed is not None and event.character in self._posed.puzzle.answers:
            self._answer(self._posed.puzzle.answers.index(event.character))

    def _answer(self, index: int) -> None:
        """The first answer counts; the others can be looked at."""
        if self._posed is None or self._answered:
            return
        from trapline.coach.sentences import figure
        from trapline.terminal.puzzling import verdict

        self._answered = True
        puzzle = self._posed.puzzle
        lines = verdict(puzzle, puzzle.answers[index], self._date)
        self.query_one("#caption", Static).update("\n".join(lines))
        rows = self.query_one(OptionList)
        rows.highlighted = index
        for at, answer in enumerate(puzzle.answers):
            style = "bold bright_green" if answer == puzzle.best else ""
            told = Text(f"  {answer}  wins {figure(puzzle.chances[answer])}", style)
            rows.replace_option_prompt_at_index(at, told)
        self.call_after_refresh(self._fit)

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "back":
            self.action_back()
        else:
            self.query_one(OptionList).action_select()
