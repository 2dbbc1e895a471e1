"""What a seat has seen on its way through a tree, and the decisions that look alike to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from trapline.core import AnyEvent, Board, Form, Question, Seat

Asked = tuple[str, frozenset[Any]] | None
"""What a seat is asked, and what it may answer: places, or records where there are none."""


class Seen(NamedTuple):
    """What one seat sees at one moment: its View."""

    heard: int
    """The number of all events it has heard, in order."""
    board: Board
    turn: int
    mover: int
    """0 while both are asked at once."""
    asked: Asked
    secret: Form | None


def shown(question: Question | None) -> Asked:
    if question is None:
        return None
    places = (a.record if a.place is None else ("place", a.place) for a in question.answers)
    return question.asks, frozenset(places)


class Knower(NamedTuple):
    """One seat on the way through the tree."""

    sequence: int
    heard: int
    later: tuple[AnyEvent, ...]
    """What it will hear when the turn is complete."""
    secret: Form | None
    past: int
    """The number of all it has ever seen and answered."""
    seen: Seen


class Position(NamedTuple):
    """One place in the tree."""

    state: Any
    knowers: tuple[Knower, Knower]
    chance: Fraction
    open_turn: bool
    depth: int


class Numbers:
    """Things in the order in which they were first met."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def of(self, thing: Any) -> int:
        return self._known.setdefault(thing, len(self._known) + 1)

    def find(self, thing: Any) -> int | None:
        return self._known.get(thing)


@dataclass
class InformationSet:
    """A decision of one seat: all places in the tree that look alike to it."""

    seat: Seat
    number: int
    question: Question
    values: tuple[int, ...]
    parent: int
    first: int
    past: int
    reached: dict[int, float] = field(default_factory=dict)
    """For each sequence of the other that leads here: the weight of chance."""
