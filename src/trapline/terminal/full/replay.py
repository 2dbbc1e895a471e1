"""A finished match again, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from trapline.referee import Match
from trapline.terminal import listing
from trapline.terminal.full.board import BoardView, Stage
from trapline.terminal.full.widgets import KeyBar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from trapline.referee import Record
    from trapline.terminal.full.app import TraplineApp

PACE = 1.2
"""Seconds a turn, when it plays by itself."""


class ReplayScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [
        ("right,n,j,down", "step(1)"), ("left,p,k,up", "step(-1)"), ("home", "end(0)"),
        ("end", "end(1)"), ("space,enter", "run"), ("escape,q", "back"),
    ]  # fmt: skip

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self._names = listing.player_names(record)
        self._turns = list(listing.turns(record))
        self._at = 0
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(Text(listing.title(self._record), "bold"), id="title")
        yield Stage()
        yield Static(id="caption")
        with VerticalScroll(id="told", can_focus=False):
            yield Static(id="account")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([
            ("←", "back", "back one"), ("→", "on", "on one"), ("Home", "start", "start"),
            ("End", "end", "end"), ("space", "play", "play"), ("Esc", "close", "close"),
        ])  # fmt: skip
        self._show()

    def on_resize(self) -> None:
        self.query_one(BoardView).fit(self.size.width, max(5, self.size.height - 9))

    def _show(self) -> None:
        turn = self._turns[self._at]
        board = self.query_one(BoardView)
        self.on_resize()
        board.show(turn.board, None, self._names)
        self.query_one("#caption", Static).update(
            Text(f"Turn {self._at} of {len(self._turns) - 1}", "bold")
            if self._at
            else Text("Before the first turn", "bold")
        )
        told = Text("\n").join(
            part
            for number, past in enumerate(self._turns[: self._at + 1])
            for part in _told(past, now=number == self._at)
        )
        if self._at == len(self._turns) - 1:
            told.append("\n" + "\n".join(self._ending()), "bold bright_green")
        self.query_one("#account", Static).update(told)
        self.query_one("#told", VerticalScroll).scroll_end(animate=False)

    def _ending(self) -> list[str]:
        match = Match.restore(self._record)
        if match.outcome is None:
            return ["The match is not finished; what is hidden stays hidden."]
        return match.game.words(match.game, match.view(None), self._names).ending(match.outcome)

    # --- keys -----------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        self._stop()
        self._go(self._at + step)

    def action_end(self, last: int) -> None:
        self._stop()
        self._go(last * (len(self._turns) - 1))

    def action_run(self) -> None:
        """Play by itself from here, or from the start; the same key stops it."""
        if self._timer is not None:
            self._stop()
            return
        if self._at == len(self._turns) - 1:
            self._go(0)
        self._timer = self.set_interval(PACE, self._tick)

    def _tick(self) -> None:
        if self._at == len(self._turns) - 1:
            self._stop()
        else:
            self._go(self._at + 1)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self, turn: int) -> None:
        self._at = min(max(turn, 0), len(self._turns) - 1)
        self._show()

    def action_back(self) -> None:
        self._stop()
        self.app.pop_screen()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        if message.word == "close":
            self.action_back()
        elif message.word == "play":
            self.action_run()
        elif message.word in ("start", "end"):
            self.action_end(int(message.word == "end"))
        else:
            self.action_step(1 if message.word == "on one" else -1)


def _told(turn: listing.Turn, *, now: bool) -> list[Text]:
    """The lines of one turn; those of the past are faint."""
    style = "" if now else "dim"
    answered = [Text(line.plain, "bold" if now else "dim") for line in turn.answered]
    return [*answered, *(Text(f"     {line}", style) for line in turn.told)]
