"""One player's secret as everybody else knows it: a commitment for each place, and what was opened.

A place is one answer to the question for the secret; it holds something if the answer is in it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trapline.core import IllegalMove
from trapline.referee.commitments import commitment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Answer, Form, Question
    from trapline.referee.record import Record

MOST_PLACES = 50
"""So that all commitments of a secret fit into one message."""


def lock_key(seat: int, place: str) -> str:
    """The name under which a record holds a place's commitment and salt."""
    return f"{seat} at {place}"


def place_subject(place: str) -> str:
    return f"place {place}"


def place_lock(game: str, match_id: str, seat: int, place: str, holds: bool, salt: str) -> str:
    """The commitment to whether a place holds something."""
    return commitment(game, match_id, seat, place_subject(place), int(holds), salt)


def held_by(question: Question, secret: Form) -> frozenset[Form]:
    """The places of a secret that hold something."""
    return frozenset(secret) if question.choose else frozenset((secret,))  # type: ignore[arg-type]  # a set is a tuple


def fitting_secret(question: Question, seat: int, record: Record) -> Form | None:
    """What a match is played again with where the secret was never opened, or not allowed."""
    first = lock_key(seat, question.answers[0].text)
    if record.locked is None or first not in record.commitments:
        return None
    known: dict[str, bool] = {}
    for opened in record.locked.opened:
        box = Box(question, known | {opened.place: opened.holds})
        if opened.seat == seat and opened.turn is not None and box.fitting() is not None:
            known = box.known
    value = Box(question, known).fitting()
    return None if value is None else question.record(value)


class Box:
    def __init__(self, question: Question, known: dict[str, bool] | None = None) -> None:
        self.question = question
        self.known = known or {}
        """Whether each place that was opened holds something, by its text."""

    @property
    def closed(self) -> tuple[Answer, ...]:
        """The places that nobody else knows yet."""
        return tuple(place for place in self.question.answers if place.text not in self.known)

    @property
    def fault(self) -> str:
        """Why the rules do not allow what was hidden, as far as it is known; "" if they may."""
        if self.closed:
            return "" if self.fitting() is not None else "no secret that the rules allow fits this"
        held = tuple(place.record for place in self.question.answers if self.known[place.text])
        form = held if self.question.choose else held[0] if len(held) == 1 else None
        if form is None:
            return f"That is {len(held)} {self.question.noun}s: one is wanted."
        try:
            self.question.value(form)
        except IllegalMove as error:
            return str(error)
        return ""

    @property
    def secret(self) -> Form | None:
        """The secret, once all of it is known and the rules allow it."""
        value = None if self.closed or self.fault else self.fitting()
        return None if value is None else self.question.record(value)

    def unknown(self, values: Sequence[int]) -> list[str]:
        """Those of these places that nobody knows, up to the first that holds something."""
        texts = {answer.value: answer.text for answer in self.question.answers}
        found = []
        for value in values:
            holds = self.known.get(texts[value])
            if holds is None:
                found.append(texts[value])
            elif holds:
                break
        return found

    def fitting(self) -> int | None:
        """The value of any secret that the rules allow and that fits what is known.

        Nothing that is shown depends on which one it is.
        """
        if not self.question.choose:
            possible = [
                place for place in self.question.answers if self.known.get(place.text, True)
            ]
            certain = [place for place in possible if self.known.get(place.text)]
            if len(certain) > 1 or not possible:
                return None
            return (certain or possible)[0].value
        return self._fitting_set()

    def _fitting_set(self) -> int | None:
        places, longest = self.question.answers, self.question.neighbours

        @cache
        def rest(index: int, need: int, run: int) -> int | None:
            if need < 0 or (longest and run > longest):
                return None
            if index == len(places):
                return 0 if need == 0 else None
            holds, bits = self.known.get(places[index].text), None
            if holds is not True:
                bits = rest(index + 1, need, 0)
            if bits is None and holds is not False:
                bits = rest(index + 1, need - 1, run + 1)
                bits = None if bits is None else bits | 1 << places[index].value
            return bits

        return rest(0, self.question.choose, 0)
