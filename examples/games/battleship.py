"""Battleship on a tiny sea: one ship of two cells each, and few shots to find it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

import trapline
from trapline import (
    NO_QUESTION,
    ONGOING,
    SEATS,
    SECRET,
    Actor,
    Answer,
    AnyEvent,
    Grid,
    Mark,
    OptionsError,
    Question,
    Seat,
    Told,
    Viewer,
    ask_cell,
    drawn,
    won,
)


class Options(trapline.Options, frozen=True):
    size: Annotated[int, Meta(ge=2, le=3, description="2 or 3")] = 2
    shots: Annotated[int, Meta(ge=1, le=9, description="a whole number from 1 to 9")] = 3


class State(trapline.State, frozen=True, gc=False):
    ships: tuple[int, int]
    """The cells of each player's ship, as bits; 0 until it is placed."""
    shots: tuple[int, int]
    """The cells that each player has shot at."""


class Battleship(trapline.Game[State]):
    """Hide a ship on two neighbouring cells of your sea, 2 by 2 cells.

    Then shoot in turn at cells of the other's sea, three times at most; both see whether it was a
    hit. Who hits both cells of the other's ship first wins. If nobody does, it is a draw.
    """

    name = "battleship"
    title = "Battleship"
    summary = "Hide your ship, find the other's. The smallest sea there is."
    place = "cell"
    minutes = "1"
    options_type = Options

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.size = size = options.size
        if options.shots > size**2:
            raise OptionsError(f"shots={options.shots} is more than the sea has cells.")
        self.shots = options.shots
        self.cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
        ships = [
            Answer(1 << i | 1 << j, text, text)
            for i, (row, column) in enumerate(self.cells)
            for j, (r, c) in enumerate(self.cells[i + 1 :], i + 1)
            if abs(row - r) + abs(column - c) == 1
            for text in [f"{row},{column}-{r},{c}"]
        ]
        self.hiding = Question(SECRET, tuple(ships), "Your ship's cells", "ship", sealed=True)
        self.shooting = tuple(
            ask_cell("shot", [(i, at) for i, at in enumerate(self.cells) if not shot >> i & 1])
            for shot in range(1 << size**2)
        )

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        if state.ships[seat - 1] == 0:
            return self.hiding
        if seat != state.mover or state.ships[2 - seat] == 0:
            return NO_QUESTION
        return self.shooting[state.shots[seat - 1]]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        one, two = state.ships
        if state.ships[seat - 1] == 0:
            ships = (answer, two) if seat == 1 else (one, answer)
            return State(state.mover, 0, ONGOING, ships, (0, 0))
        turn, outcome, shots = state.turn + 1, ONGOING, state.shots
        shot = shots[seat - 1] | 1 << answer
        if state.ships[2 - seat] & ~shot == 0:
            outcome = won(seat, "sunk")
        elif turn == 2 * self.shots:
            outcome = drawn("no shots left")
        shots = (shot, shots[1]) if seat == 1 else (shots[0], shot)
        return State(3 - seat, turn, outcome, state.ships, shots)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn > before.turn:
            (row, column), hit = self.cells[answer], before.ships[2 - seat] >> answer & 1
            yield Told(seat, f"{{by}} shoots at ({row},{column}): {'a hit!' if hit else 'water.'}")

    def board(self, state: State, seat: Viewer, over: bool) -> Grid:
        marks = []
        for owner in SEATS:
            ship, shots = state.ships[owner - 1], state.shots[2 - owner]
            for i, cell in enumerate(self.cells):
                if shots >> i & 1:
                    hit = ship >> i & 1
                    marks.append(Mark(cell, "X" if hit else "o", owner, "hit" if hit else "water"))
                elif (over or seat == owner) and ship >> i & 1:
                    marks.append(Mark(cell, "#", owner, "ship"))
        return Grid(self.size, None, (None, None), marks=tuple(marks), signs=("#", "X", "o"))
