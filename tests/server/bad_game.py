"""A game from outside with every fault: what a player answers decides which one shows."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from trapline import core
from trapline.boards import Fact, Panel
from trapline.core import NO_QUESTION, ONGOING, Told, Words, ask_word, won

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Actor, AnyEvent, Question, Seat, View, Viewer

FAULTS = (
    "raise", "loop", "stubborn", "count", "exit", "die", "mutate", "deep", "events", "board",
    "picture", "words", "class",
)  # fmt: skip
ANSWERS = ("fine", "win", *FAULTS)


class State(core.State, frozen=True, gc=False):
    last: int
    """The fault that shows after the last answer, by its place among the answers."""


class Sheet(Panel, frozen=True, tag="sheet"):
    """A kind of board that nobody else knows."""

    fault: str = ""

    def picture(self, names: Any, viewer: Any, place: str = "place") -> Any:
        if self.fault == "picture":
            raise KeyError("no such colour")
        return super().picture(names, viewer, place)


class BadWords(Words):
    def heading(self, seat: Seat) -> list[str]:
        if isinstance(self.view.board, Sheet) and self.view.board.fault == "words":
            raise LookupError("no words")
        return super().heading(seat)


class BadGame(core.Game[State]):
    """Answer fine for ever, or win, or see what goes wrong."""

    name = "bad-game"
    title = "Bad Game"
    summary = "Everything that can go wrong, goes wrong."
    words = BadWords

    def __init__(self, options: core.Options) -> None:
        self.options = options
        self.asking = ask_word("choice", ANSWERS)

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, 0)

    def question(self, state: State, seat: Seat) -> Question | None:
        return self.asking if seat == state.mover else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        fail(ANSWERS[answer], state)
        outcome = won(seat, "luck") if answer == 1 else ONGOING
        return State(3 - seat, state.turn + 1, outcome, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if ANSWERS[answer] == "events":
            raise ValueError("nothing happened")
        yield Told(seat, "{by} says something.")

    def board(self, state: State, seat: Viewer, over: bool) -> Sheet:
        fault = ANSWERS[state.last]
        if fault == "board":
            raise IndexError("off the board")
        return Sheet((Fact("turns", state.turn, 100),), fault)

    def instinct(self, view: View, answer: Any) -> float:
        if view.seat == 2:
            raise OverflowError("no instinct at all")
        return 0.0


def fail(fault: str, state: State) -> None:
    if fault == "raise":
        raise ZeroDivisionError("a rule divides by zero")
    if fault == "loop":
        while True:
            pass
    if fault == "stubborn":
        while True:
            with contextlib.suppress(BaseException):
                while True:
                    pass
    if fault == "count":
        sum(itertools.count())
    if fault == "exit":
        sys.exit("enough")
    if fault == "die":
        os._exit(7)
    if fault == "mutate":
        msgspec.structs.force_setattr(state, "turn", 50)
        raise RuntimeError("half done")
    if fault == "deep":
        fail(fault, state)
    if fault == "class":

        class Own(Exception):
            pass

        raise Own("an error that nobody else can read")
