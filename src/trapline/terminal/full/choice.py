"""An answer in the making: what is offered, where the cursor stands, what is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET, IllegalMove, InvalidMove
from trapline.terminal.full.board import nearest
from trapline.terminal.full.offers import offers

if TYPE_CHECKING:
    from trapline.core import Place, Spot
    from trapline.terminal.full.offers import Offer
    from trapline.terminal.screen import Asked

ARROWS = ("left", "right", "up", "down")
CHOOSE_FIRST = "Choose an answer first: by its key, the arrows or a click."


class Choice:
    """One question, from the first key to the answer."""

    def __init__(self, asked: Asked | None = None) -> None:
        self.asked = asked
        self.offers: list[Offer] = offers(asked) if asked is not None else []
        self.marked: list[str] = []
        """What is chosen so far, as one would type it, in the order of choosing."""
        self.hint = ""
        """What the last key could not do."""
        self._index = 0 if self.wanted or len(self.offers) == 1 else None

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
        """What the cursor stands on; nothing until somebody points, where Enter would give it."""
        return self.offers[self._index] if self._index is not None else None

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
        if not self.offers:
            return
        self.hint = ""
        places = self.places(spots)
        if len(places) == len(self.offers):
            at = self.at.place if self.at is not None else None
            self._index = places.index(nearest(spots, places, at, arrow))
        elif arrow in ("right", "down"):
            self._index = 0 if self._index is None else (self._index + 1) % len(self.offers)
        else:
            self._index = ((self._index or 0) - 1) % len(self.offers)

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

    def choose_typed(self, text: str) -> bool:
        """Choose what was typed unseen, as if by hand, so that it is seen before Enter gives it.

        Whether it is an answer.
        """
        question = self.asked.question if self.asked is not None else None
        if question is None:
            return False
        try:
            given = question.text(question.value(question.parse(text)))
        except (InvalidMove, IllegalMove):
            return False
        texts = given.split() if question.choose else [given]
        self._index = next(i for i, offer in enumerate(self.offers) if offer.text in texts)
        self.marked, self.hint = texts if self.wanted else [], ""
        return True

    def space(self) -> str | None:
        if self.at is not None:
            return self.take(self.at)
        self.hint = CHOOSE_FIRST
        return None

    def enter(self) -> str | None:
        """The answer, if there is one to give."""
        if not self.wanted:
            return self.space()
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
        enough = "; Enter keeps it" if len(self.marked) == self.wanted else ""
        return f"Chosen: {chosen} ({len(self.marked)} of {self.wanted}){enough}"
