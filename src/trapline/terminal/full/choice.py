"""An answer in the making: what is offered, where the cursor stands, what is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET
from trapline.terminal.full.board import nearest
from trapline.terminal.full.offers import offers

if TYPE_CHECKING:
    from trapline.core import Place, Spot
    from trapline.terminal.full.offers import Offer
    from trapline.terminal.screen import Asked

ARROWS = ("left", "right", "up", "down")


class Choice:
    """One question, from the first key to the answer."""

    def __init__(self, asked: Asked | None = None) -> None:
        self.asked = asked
        self.offers: list[Offer] = offers(asked) if asked is not None else []
        self.marked: list[str] = []
        """What is chosen so far, as one would type it, in the order of choosing."""
        self.hint = ""
        """What the last key could not do."""
        self._index = 0

    @property
    def wanted(self) -> int:
        """How many are marked before Enter gives them; 0 where one key is the answer.

        A secret cannot be changed once it is given, so a single one is marked as well.
        """
        question = self.asked.question if self.asked is not None else None
        if question is None:
            return 0
        return question.choose or int(question.asks == SECRET)

    @property
    def at(self) -> Offer | None:
        """What the cursor stands on."""
        return self.offers[self._index] if self.offers else None

    def places(self, spots: dict[Place, Spot]) -> list[Place]:
        """The places of the board that are offered."""
        return [o.place for o in self.offers if o.place is not None and o.place in spots]

    def marked_places(self) -> list[Place]:
        chosen = (offer.place for offer in self.offers if offer.text in self.marked)
        return [place for place in chosen if place is not None]

    def by_key(self, key: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.key == key), None)

    def by_place(self, place: Place) -> Offer | None:
        return next((offer for offer in self.offers if offer.place == place), None)

    # --- keys -----------------------------------------------------------------------------

    def move(self, arrow: str, spots: dict[Place, Spot]) -> None:
        """On the board where every answer has its place there, else along the row."""
        if self.at is None:
            return
        places = self.places(spots)
        if len(places) == len(self.offers) and self.at.place is not None:
            to = nearest(spots, places, self.at.place, arrow)
            self._index = next(i for i, offer in enumerate(self.offers) if offer.place == to)
        else:
            step = 1 if arrow in ("right", "down") else -1
            self._index = (self._index + step) % len(self.offers)

    def take(self, offer: Offer) -> str | None:
        """An answer by its key, its button or its place; nothing yet where it is only marked."""
        self._index = self.offers.index(offer)
        if not self.wanted:
            return offer.text
        self.toggle(offer.text)
        return None

    def toggle(self, text: str) -> None:
        self.hint = ""
        if text in self.marked:
            self.marked.remove(text)
        elif len(self.marked) < self.wanted:
            self.marked.append(text)
        else:
            self.hint = f"All {self.wanted} are chosen: take one off first, or press Enter."

    def space(self) -> str | None:
        return self.take(self.at) if self.at is not None else None

    def enter(self) -> str | None:
        """The answer, if there is one to give."""
        if not self.wanted:
            return self.at.text if self.at is not None else None
        if len(self.marked) == self.wanted:
            return " ".join(self.in_order())
        left = self.wanted - len(self.marked)
        self.hint = f"{left} more: arrows and space, digits, or a click."
        return None

    def in_order(self) -> list[str]:
        return [offer.text for offer in self.offers if offer.text in self.marked]

    def progress(self) -> str:
        """What is marked, and how much of what is wanted that is."""
        if not self.wanted:
            return ""
        chosen = " ".join(self.in_order()) or "nothing yet"
        return f"Chosen: {chosen} ({len(self.marked)} of {self.wanted})"
