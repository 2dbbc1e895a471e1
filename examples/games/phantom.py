"""Phantom rows: noughts and crosses in the dark. Nobody sees the other's marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated

from msgspec import Meta

import trapline
from trapline import (
    NO_QUESTION,
    ONGOING,
    SEATS,
    Actor,
    AnyEvent,
    Grid,
    Mark,
    OptionsError,
    Question,
    Seat,
    Told,
    Viewer,
    Whispered,
    ask_cell,
    drawn,
    won,
)


class Options(trapline.Options, frozen=True):
    size: Annotated[int, Meta(ge=2, le=3, description="2 or 3")] = 2
    row: Annotated[int, Meta(ge=2, le=3, description="2 or 3")] = 2
    turns: Annotated[int, Meta(ge=3, le=18, description="a whole number from 3 to 18")] = 6


class State(trapline.State, frozen=True, gc=False):
    owned: tuple[int, int]
    """The cells that each player has marked, as bits."""
    found: tuple[int, int]
    """The other's cells that each player has come upon."""


class Phantom(trapline.Game[State]):
    """Mark a cell in turn, of 2 by 2; two of your own in a row win, in any direction.

    You do not see the other's marks. Who tries a cell that is taken learns just that, the other
    learns nothing, and the turn is over. After six turns it is a draw.
    """

    name = "phantom"
    title = "Phantom Rows"
    summary = "Noughts and crosses in the dark: you find the other's marks by bumping into them."
    place = "cell"
    minutes = "1"
    options_type = Options

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        if options.row > options.size:
            raise OptionsError(f"row={options.row} is longer than the board.")
        sides = range(1, options.size + 1)
        self.cells = [(row, column) for row in sides for column in sides]
        self.full = (1 << len(self.cells)) - 1
        self.turns = options.turns
        self.rows = tuple(
            sum(1 << self.cells.index(cell) for cell in line)
            for (r, c), (down, right) in product(self.cells, ((0, 1), (1, 0), (1, 1), (1, -1)))
            for line in [[(r + k * down, c + k * right) for k in range(options.row)]]
            if all(cell in self.cells for cell in line)
        )
        self.asking = tuple(
            ask_cell("mark", [(i, at) for i, at in enumerate(self.cells) if not known >> i & 1])
            for known in range(self.full)
        )

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        known = state.owned[seat - 1] | state.found[seat - 1]
        return NO_QUESTION if seat != state.mover else self.asking[known]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        theirs = state.owned[2 - seat]
        taken = theirs >> answer & 1
        owned = state.owned[seat - 1] | (1 - taken) << answer
        found = state.found[seat - 1] | taken << answer
        turn, outcome = state.turn + 1, ONGOING
        if turn == self.turns or theirs | state.found[2 - seat] == self.full:
            outcome = drawn("no row")
        for row in self.rows:
            if owned & row == row:
                outcome = won(seat, "row")
        if seat == 1:
            return State(2, turn, outcome, (owned, state.owned[1]), (found, state.found[1]))
        return State(1, turn, outcome, (state.owned[0], owned), (state.found[0], found))

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        (row, column), taken = self.cells[answer], before.owned[2 - seat] >> answer & 1
        yield Whispered(seat, f"({row},{column}) is {'taken' if taken else 'yours'}.")
        yield Told(seat, "{by} has tried a cell.")

    def board(self, state: State, seat: Viewer, over: bool) -> Grid:
        marks = []
        for owner in SEATS:
            shown = state.owned[owner - 1] if over or seat == owner else 0
            if seat == 3 - owner:
                shown |= state.found[2 - owner]
            for i, cell in enumerate(self.cells):
                if shown >> i & 1:
                    marks.append(Mark(cell, "XO"[owner - 1], owner, "mark"))
        return Grid(self.options.size, None, (None, None), marks=tuple(marks), signs=("X", "O"))

    def longest(self) -> int:
        return self.options.turns
