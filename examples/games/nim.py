"""Nim: take from one pile as many as you like; who takes the last one wins (Bouton, 1901)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

import trapline
from trapline import (
    NO_QUESTION,
    ONGOING,
    Actor,
    AnyEvent,
    Fact,
    OptionsError,
    Panel,
    Question,
    Seat,
    Told,
    Viewer,
    ask_number,
    won,
)

BITS = 4
"""A pile is four bits of a number, so that all piles are one number."""
MOST = 15


class Options(trapline.Options, frozen=True):
    piles: Annotated[
        tuple[int, ...],
        Meta(min_length=1, max_length=6, description="one to six sizes from 1 to 15"),
    ] = (1, 2, 3)
    misere: Annotated[bool, Meta(description="true or false")] = False


class State(trapline.State, frozen=True, gc=False):
    piles: int
    """How many are left in each pile, four bits a pile."""
    pile: int
    """The pile that the mover has chosen, from 1; 0 for none."""


class Nim(trapline.Game[State]):
    """There are piles of counters. On your turn choose a pile, and take one or more from it.

    Who takes the last counter of all wins; in the variant `misere` they lose.
    """

    name = "nim"
    title = "Nim"
    summary = "Take from one pile as many as you like. Who takes the last one wins."
    place = "pile"
    minutes = "1"
    options_type = Options
    hides = False

    options: Options

    def __init__(self, options: Options) -> None:
        if not all(1 <= size <= MOST for size in options.piles):
            raise OptionsError(f"piles must be sizes from 1 to {MOST}.")
        self.options = options
        self.sizes = options.piles
        self.count = len(options.piles)
        self.choosing = tuple(
            ask_number("pile", [p + 1 for p in range(self.count) if some >> p & 1], "pile")
            for some in range(1 << self.count)
        )
        self.taking = tuple(ask_number("number", range(1, left + 1)) for left in range(MOST + 1))

    def start(self, first: Seat) -> State:
        piles = sum(size << BITS * pile for pile, size in enumerate(self.sizes))
        return State(first, 0, ONGOING, piles, 0)

    def question(self, state: State, seat: Seat) -> Question | None:
        if seat != state.mover:
            return NO_QUESTION
        if state.pile:
            return self.taking[state.piles >> BITS * (state.pile - 1) & MOST]
        some = 0
        for pile in range(self.count):
            if state.piles >> BITS * pile & MOST:
                some |= 1 << pile
        return self.choosing[some]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        if state.pile == 0:
            return State(seat, state.turn, ONGOING, state.piles, answer)
        piles = state.piles - (answer << BITS * (state.pile - 1))
        outcome = ONGOING
        if piles == 0:
            outcome = won(3 - seat if self.options.misere else seat, "last counter")
        return State(3 - seat, state.turn + 1, outcome, piles, 0)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn > before.turn:
            yield Told(seat, f"{{by}} takes {answer} from pile {before.pile}.")

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        left = [state.piles >> BITS * pile & MOST for pile in range(self.count)]
        piles = [
            Fact(f"pile {i + 1}", n, self.sizes[i], "o" * n or "-") for i, n in enumerate(left)
        ]
        chosen = state.pile if seat == state.mover else 0
        return Panel((*piles, Fact("chosen pile", chosen, self.count, str(chosen or "none"))))
