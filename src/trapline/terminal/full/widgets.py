"""Small parts that several screens share."""

from __future__ import annotations

from inspect import isawaitable
from threading import Event
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from trapline.terminal.full.offers import ENTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from trapline.terminal.full.offers import Offer

KEY = "bold black on #b9a26a"


class Wanted(Message):
    """Something that another thread wants done on a screen, and waits for if it likes."""

    def __init__(self, action: Callable[..., Any], *arguments: Any) -> None:
        super().__init__()
        self._action = action
        self._arguments = arguments
        self.done = Event()

    async def act(self) -> None:
        try:
            result = self._action(*self._arguments)
            if isawaitable(result):
                await result
        finally:
            self.done.set()


class OfferButton(Static):
    """One answer: its key, and what it says."""

    class Pressed(Message):
        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    def __init__(self, offer: Offer) -> None:
        key = "Enter" if offer.key == ENTER else offer.key
        label = offer.label if offer.label != key else ""
        face = Text.assemble(
            (f" {key} " if key else "", KEY), f" {label}" if key and label else label
        )
        super().__init__(face)
        self.offer = offer
        self.wide = len(face) + 1

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.offer))


class KeyBar(Widget):
    """The lines at the bottom that name the keys; each can be clicked."""

    class Chosen(Message):
        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._entries: Sequence[tuple[str, str, str]] = ()

    def show(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Keys, what each does, and the word that a click stands for."""
        self._entries = entries
        self.refresh(layout=True)

    def render(self) -> Text:
        return Text("\n").join(self._lines(self.content_size.width))

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self._lines(width))

    def _lines(self, width: int) -> list[Text]:
        """As many as needed; a key and its word are never torn apart."""
        lines = [Text()]
        for key, label, word in self._entries:
            part = Text.assemble((f" {key} ", KEY), f" {label}  ")
            part.apply_meta({"word": word})
            if lines[-1] and len(lines[-1]) + len(part) - 2 > width:
                lines.append(Text())
            lines[-1].append_text(part)
        for line in lines:
            line.rstrip()
        return lines

    def on_click(self, event: events.Click) -> None:
        if word := event.style.meta.get("word"):
            self.post_message(self.Chosen(word))
