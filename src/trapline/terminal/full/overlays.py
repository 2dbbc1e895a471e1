"""Pages that lie over the table for a moment: keys, and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from trapline.core.pages import in_this_variant

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from trapline.core import Game
    from trapline.terminal.full.app import TraplineApp

CLOSE = "Escape, Enter or q closes this."


class Overlay(ModalScreen[None]):
    """Something to read; the usual keys close it."""

    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,q,question_mark", "dismiss", "close"),
        ("down,j", "scroll(3)"), ("up,k", "scroll(-3)"),
        ("pagedown,space", "scroll(15)"), ("pageup", "scroll(-15)"),
    ]  # fmt: skip

    def contents(self) -> list[Any]:
        """What it shows, one below the other."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="overlay"):
            for part in self.contents():
                yield Static(part)
            yield Static(Text(CLOSE, "dim"), id="closing")

    def action_scroll(self, lines: int) -> None:
        self.query_one("#overlay").scroll_relative(y=lines, animate=False)


class HelpScreen(Overlay):
    """Every key that works now, and what it does."""

    def __init__(self, keys: dict[str, tuple[str, str]], game: Game[Any]) -> None:
        super().__init__()
        self._keys = keys
        self._game = game

    def contents(self) -> list[Any]:
        usual = [
            ("its key", "gives an answer at once, or marks a place"),
            ("arrows", "move between the answers, on the board too"),
            ("Enter", "takes the answer under the cursor, or keeps what is marked"),
            ("space", "marks a place, where several are asked for"),
            ("mouse", "a click on a place, a button or a key does the same"),
            ("any text", "can be typed as an answer, as in a line: Enter gives it"),
        ]
        lines = [("Keys", "bold"), *usual, ("", "")]
        lines += [(key, label) for key, label in self._keys.values()]
        page = Text()
        for key, meaning in lines:
            if meaning == "bold":
                page.append(f"{key}\n", "bold")
            elif key:
                page.append_text(Text(f" {key} ", self.app.ink.key)).append(f" {meaning}\n")
            else:
                page.append("\n")
        shorthand = self._game.words.shorthand
        return [page, *([Text(f"One line may answer twice. {shorthand}.")] if shorthand else [])]


class RulesScreen(Overlay):
    """The rules of a game, what its variant changes first."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        self._game = game

    def contents(self) -> list[Any]:
        from rich.markdown import Markdown  # nobody should wait for it who knows the rules

        variant = in_this_variant(self._game)
        note = [Text("\n".join(variant) + "\n", "bold yellow")] if variant else []
        return [*note, Markdown(self._game.rules())]
