"""Small parts that several screens share."""

from __future__ import annotations

from inspect import isawaitable
from threading import Event
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from trapline.terminal.full.offers import ENTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from trapline.terminal.full.app import TraplineApp
    from trapline.terminal.full.colours import Ink
    from trapline.terminal.full.offers import Offer


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


class Measured(Vertical):
    """A part whose height depends on what it says; it tells its screen when that changes."""

    class Changed(Message):
        pass

    def on_resize(self) -> None:
        self.post_message(self.Changed())


class OfferButton(Static):
    """One answer: its key, and what it says."""

    class Pressed(Message):
        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    def __init__(self, offer: Offer, ink: Ink) -> None:
        key = "Enter" if offer.key == ENTER else offer.key
        label = offer.label if offer.label != key else ""
        face = Text.assemble(
            (f" {key} " if key else "", ink.key), f" {label}" if key and label else label
        )
        super().__init__(face)
        self.offer = offer
        self.wide = len(face) + 1

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.offer))


KeyEntry = tuple[str, str, str]
"""A key, what it does, and the word that a click stands for."""


class KeyBar(Widget):
    """The lines at the bottom that name the keys; each can be clicked."""

    app: TraplineApp

    class Chosen(Message):
        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._entries: Sequence[KeyEntry] = ()
        self._more: Sequence[KeyEntry] = ()
        self._most = 1
        self._measured_again = True

    def show(
        self, entries: Sequence[KeyEntry], more: Sequence[KeyEntry] = (), lines: int = 1
    ) -> None:
        """Keys, what each does, and the word that a click stands for.

        `more` has the same and others, in order; those are named in so many `lines`, or in as
        many as the entries need.
        """
        self._entries, self._more, self._most = entries, more, lines
        self._measured_again = False
        self.refresh(layout=True)

    def render(self) -> Text:
        lines = self._lines(self.content_size.width)
        if len(lines) != self.content_size.height and not self._measured_again:
            # Textual keeps the height that it measured before, if it has measured between two
            # calls of `show` that it meant to measure for together.
            self._measured_again = True
            self.call_later(self.refresh, layout=True)
        return Text("\n").join(lines)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self._lines(width))

    def _lines(self, width: int) -> list[Text]:
        """As many as needed, filled up with what else there is to name."""
        lines = self._set(self._entries, width)
        named = list(self._entries)
        for entry in self._more:
            if entry in named:
                continue
            tried = [known for known in self._more if known in named or known == entry]
            if len(filled := self._set(tried, width)) <= max(len(lines), self._most):
                lines, named = filled, tried
        return lines

    def _set(self, entries: Sequence[KeyEntry], width: int) -> list[Text]:
        """As airy as the fewest lines allow."""
        airy, dense = (self._spaced(entries, width, gap) for gap in ("  ", " "))
        return airy if len(airy) == len(dense) else dense

    def _spaced(self, entries: Sequence[KeyEntry], width: int, gap: str) -> list[Text]:
        """Lines in which a key and its word are never torn apart."""
        lines = [Text()]
        for key, label, word in entries:
            part = Text.assemble((f" {key} ", self.app.ink.key), f" {label}{gap}")
            part.apply_meta({"word": word})
            if lines[-1] and len(lines[-1]) + len(part) - len(gap) > width:
                lines.append(Text())
            lines[-1].append_text(part)
        for line in lines:
            line.rstrip()
        return lines

    def on_click(self, event: events.Click) -> None:
        if word := event.style.meta.get("word"):
            self.post_message(self.Chosen(word))
