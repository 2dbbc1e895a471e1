"""The coach beside the board: what each choice of a finished match cost."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import TraplineError
from trapline.terminal import listing
from trapline.terminal.full.board import BoardView, Stage
from trapline.terminal.full.widgets import KeyBar, Wanted

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.coach import Analysis, Judgement
    from trapline.referee import Record
    from trapline.terminal.full.app import TraplineApp

COLOURS = {"best": "green", "fine": "", "mistake": "yellow", "blunder": "bold red", "lucky": "cyan"}

TEXT, ROWS = 8, 8
"""Lines that title, sentences and keys take, and how many choices are seen at once at least."""


class AnalysisScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "back")]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self._names = listing.player_names(record)
        self._analysis: Analysis | None = None

    def compose(self) -> ComposeResult:
        yield Static(Text(f"{listing.title(self._record)}, analysed", "bold"), id="title")
        yield Stage()
        yield Static("The coach thinks the match through ...", id="caption")
        yield OptionList()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("↑↓", "choices", ""), ("Esc", "close", "close")])
        Thread(target=self._ask, daemon=True).start()

    async def on_wanted(self, message: Wanted) -> None:
        await message.act()

    def _ask(self) -> None:
        # The solver is heavy; nobody should wait for it who does not ask.
        from trapline.coach import analyse

        try:
            analysis = analyse(self._record)
        except TraplineError as error:
            found: Analysis | str = str(error)
        else:
            found = analysis
        self.post_message(Wanted(self._show, found))  # nobody hears it on a closed screen

    def _show(self, analysis: Analysis | str) -> None:
        if isinstance(analysis, str):
            self.query_one("#caption", Static).update(analysis)
            return
        self._analysis = analysis
        rows = self.query_one(OptionList)
        for judged in analysis.judgements:
            rows.add_option(Option(self._line(judged)))
        if not analysis.judgements:
            self.query_one("#caption", Static).update("There was no choice to judge.")
            return
        rows.highlighted = 0
        rows.focus()

    def _line(self, judged: Judgement) -> Text:
        word = judged.word.value
        when = f"{judged.turn:>3}." if judged.turn else "    "
        who = self._names[judged.by]
        line = Text(f"{when} {who}: {judged.chosen}  ")
        return line.append(word, COLOURS.get(word, ""))

    def on_resize(self) -> None:
        judged = len(self._analysis.judgements) if self._analysis is not None else 0
        free = self.size.height - TEXT - min(judged, ROWS)
        self.query_one(BoardView).fit(self.size.width, max(5, free))

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        if self._analysis is None:
            return
        judged = self._analysis.judgements[message.option_index]
        self.on_resize()
        board = self.query_one(BoardView)
        board.show(judged.board, None, self._names)
        pointed = [place for reason in judged.reasons for place in reason.places]
        board.point(marked=[place for place in pointed if place is not None])
        self.query_one("#caption", Static).update(_told(judged))

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "close":
            self.action_back()


def _told(judged: Judgement) -> Text:
    """What the coach says of a choice, and why."""
    told = Text(judged.sentence, "bold")
    for reason in judged.reasons:
        told.append(f"\n{reason.sentence}", "not bold")
    return told
