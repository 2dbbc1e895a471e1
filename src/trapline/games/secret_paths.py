"""Secret Paths: one shared Seeker, two secret goal cells; bring it to yours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from trapline import core
from trapline.core import (
    OUT_OF_TURNS,
    REACHED_GOAL,
    AnyEvent,
    Cell,
    Grid,
    IllegalMove,
    Moved,
    OptionsError,
    Seat,
    Secret,
    SecretError,
    brief,
)
from trapline.games.track import TurnLimit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

SIZES = "an odd number from 3 to 9"


class Options(core.Options, frozen=True):
    size: Annotated[int, Meta(ge=3, le=9, description=SIZES)] = 5
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    seeker: Cell
    goals: tuple[Secret, Secret]


class SecretPaths(core.Game[State, Cell]):
    name = "secret-paths"
    title = "Secret Paths"
    summary = "Both of you move the same Seeker. Bring it to your secret cell first."
    place = "cell"
    options_type = Options
    default_first = "toss"
    moves = "cell"
    secret = "cell"
    claim_after = 3

    options: Options

    def __init__(self, options: Options) -> None:
        if options.size % 2 == 0:
            raise OptionsError(f"size must be {SIZES}, so that there is a centre cell.")
        self.options = options
        self.size = options.size
        cells = range(1, self.size + 1)
        self._legal: dict[Cell, tuple[Cell, ...]] = {
            (row, column): tuple(
                (r, c)
                for r in (row - 1, row, row + 1)
                for c in (column - 1, column, column + 1)
                if r in cells and c in cells and (r, c) != (row, column)
            )
            for row in cells
            for column in cells
        }

    def goal_row(self, seat: Seat) -> int:
        return self.size if seat == 1 else 1

    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> State:
        centre = (self.size + 1) // 2
        return State(first, 0, None, (centre, centre), (secrets.get(1, ()), secrets.get(2, ())))

    def legal(self, state: State) -> Sequence[Cell]:
        return self._legal[state.seeker] if state.outcome is None else ()

    def why_not(self, state: State, move: Cell) -> str:
        row, column = state.seeker
        if move == state.seeker:
            return f"The Seeker is on ({row},{column}) already: it must move to another cell."
        if move not in self._legal:
            target = f"({brief(move[0])},{brief(move[1])})"
            return f"{target} is not on the grid: rows and columns go from 1 to {self.size}."
        return (
            f"({move[0]},{move[1]}) is not next to ({row},{column}): the Seeker moves one "
            "cell in any direction."
        )

    def apply(self, state: State, move: Cell) -> State:
        if move not in self.legal(state):
            raise IllegalMove(self.why_not(state, move))
        mover = state.mover
        turn = state.turn + 1
        outcome = None
        # Only the mover's own goal counts; the other's tells nobody anything.
        if move == state.goals[mover - 1]:
            outcome = REACHED_GOAL[mover]
        elif turn == self.options.turn_limit:
            outcome = OUT_OF_TURNS
        return State(2 if mover == 1 else 1, turn, outcome, move, state.goals)

    def events(self, before: State, move: Cell, after: State) -> Iterator[AnyEvent]:
        yield Moved(before.mover, before.seeker, move)

    def with_secrets(self, state: State, secrets: tuple[Secret, Secret]) -> State:
        return msgspec.structs.replace(state, goals=secrets)

    def positions(self, state: State) -> tuple[int, int]:
        return state.seeker

    def board(self, state: State, seat: Seat | None, over: bool) -> Grid:
        def goal(owner: Seat) -> Cell | None:
            secret = state.goals[owner - 1]
            return (secret[0], secret[1]) if secret and (over or owner == seat) else None

        return Grid(self.size, state.seeker, (goal(1), goal(2)))

    def check_secret(self, seat: Seat, value: Sequence[int]) -> Secret:
        row = self.goal_row(seat)
        wanted = f"choose a cell in row {row}, column 1 to {self.size}, such as {row},2"
        cell = tuple(value) if isinstance(value, (list, tuple)) else ()
        if len(cell) != 2 or any(type(part) is not int for part in cell):
            raise SecretError(f"A Goal Cell is a row and a column: {wanted}.")
        if cell not in self._legal or cell[0] != row:
            target = f"({brief(cell[0])},{brief(cell[1])})"
            raise SecretError(f"{target} cannot be your Goal Cell: {wanted}.")
        return cell

    def secret_hint(self, seat: Seat) -> str:
        return f"Row {self.goal_row(seat)}, any Column 1-{self.size}"

    def secret_places(self, seat: Seat) -> tuple[Sequence[int | Cell], int]:
        row = self.goal_row(seat)
        return [(row, column) for column in range(1, self.size + 1)], 1

    def random_secret(self, seat: Seat, rng: Random) -> Secret:
        return self.goal_row(seat), rng.randint(1, self.size)

    def secrets(self, seat: Seat) -> Iterator[Secret]:
        for column in range(1, self.size + 1):
            yield self.goal_row(seat), column
