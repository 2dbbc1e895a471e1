"""Secret Paths: one shared Seeker, two secret goal cells; bring it to yours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
from msgspec import Meta

from trapline import core
from trapline.boards import grid
from trapline.boards.grid import Grid, cell_of
from trapline.boards.track import bits
from trapline.core import (
    GOAL,
    NO_QUESTION,
    ONGOING,
    SECRET,
    TURN_LIMIT,
    Moved,
    OptionsError,
    ask_cell,
    brief,
    drawn,
    won,
)
from trapline.games.secret_paths.expectations import EXPECTATIONS
from trapline.games.secret_paths.lesson import LESSON
from trapline.games.secret_paths.presets import PRESETS
from trapline.games.secret_paths.words import SecretPathsWords
from trapline.games.tracks import Pair, TurnLimit, check_turn_limit, with_item

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Actor, AnyEvent, Question, Seat, View, Viewer

SIZES = "an odd number from 3 to 9"
NOWHERE = -1


class Options(core.Options, frozen=True):
    size: Annotated[int, Meta(ge=3, le=9, description=SIZES)] = 5
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    """Cells are counted row by row, from 0."""

    memory: ClassVar = ("visits",)

    seeker: int
    goals: Pair
    visits: Pair
    """The cells that each player has moved the Seeker to, as bits."""


class SecretPaths(core.Game[State]):
    name = "secret-paths"
    title = "Secret Paths"
    summary = "Both of you move the same Seeker. Bring it to your secret cell first."
    place = "cell"
    land = "marsh"
    pictured = (
        (
            "Each of you has chosen a Goal Cell in secret: Player 1 in the last row, Player 2 in "
            "the first. Here both are shown."
        ),
        "You take turns to move the same Seeker, by one cell in any direction.",
        "Whoever moves it onto their own Goal Cell wins. On the other’s it means nothing.",
    )
    minutes = "3–6"
    horizon = 12  # a Seeker may be pushed to and fro for ever
    options_type = Options
    default_first = "toss"
    open_turns = True
    lockable = True
    retractable = True  # whoever carries the Seeker learns nothing by it
    claim_after = 3
    mirrors = True
    words = SecretPathsWords
    option_words: ClassVar = {
        "size": "Cells on each side",
        "turn_limit": "Turns until a draw (0: no limit)",
    }
    variants: ClassVar = {"size": [3, 5, 7, 9]}
    presets = PRESETS
    lesson = LESSON
    expectations = EXPECTATIONS

    options: Options

    def __init__(self, options: Options) -> None:
        if options.size % 2 == 0:
            raise OptionsError(f"size must be {SIZES}, so that there is a centre cell.")
        self.options = options
        size = self.size = options.size
        self.turn_limit = options.turn_limit
        check_turn_limit(self.turn_limit, size // 2)  # whoever makes that turn may be there
        cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
        self.around = tuple(
            ask_cell(
                "move",
                [
                    (to, (r, c))
                    for to, (r, c) in enumerate(cells)
                    if max(abs(r - row), abs(c - column)) == 1
                ],
            )
            for row, column in cells
        )
        rows = (range(size * (size - 1), size * size), range(size))
        self.goal_cells = tuple(
            ask_cell(
                SECRET,
                [(at, cells[at]) for at in row],
                noun="Goal Cell",
                sealed=True,
                action="goal column {1}",
            )
            for row in rows
        )

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, self.size * self.size // 2, (NOWHERE, NOWHERE), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        one, two = state.goals
        if one != NOWHERE and two != NOWHERE:
            return self.around[state.seeker] if seat == state.mover else NO_QUESTION
        return self.goal_cells[seat - 1] if state.goals[seat - 1] == NOWHERE else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        goals = state.goals
        if goals[seat - 1] == NOWHERE:
            goals = with_item(goals, seat, answer)
            return State(state.mover, 0, ONGOING, state.seeker, goals, state.visits)
        turn = state.turn + 1
        outcome = ONGOING
        # Only the mover's own goal counts; the other's tells nobody anything.
        if answer == goals[seat - 1]:
            outcome = won(seat, GOAL)
        elif turn == self.turn_limit:
            outcome = drawn(TURN_LIMIT)
        one, two = state.visits
        visits = (one | 1 << answer, two) if seat == 1 else (one, two | 1 << answer)
        return State(3 - seat, turn, outcome, answer, goals, visits)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn > before.turn:
            start, to = cell_of(self.size, before.seeker), cell_of(self.size, answer)
            yield Moved(seat, start, to)  # type: ignore[arg-type]  # the Seeker is somewhere

    def board(self, state: State, seat: Viewer, over: bool) -> Grid:
        mine = state.goals[0] if over or seat == 1 else NOWHERE
        theirs = state.goals[1] if over or seat == 2 else NOWHERE
        return grid(self.size, state.seeker, (mine, theirs), state.visits)

    def endless(self) -> SecretPaths:
        return SecretPaths(msgspec.structs.replace(self.options, turn_limit=0))

    def positions(self, state: State) -> Pair:
        return state.seeker // self.size + 1, state.seeker % self.size + 1

    def with_secrets(self, state: State, secrets: Pair) -> State:
        return msgspec.structs.replace(state, goals=secrets)

    def depends_on(self, state: State, seat: Seat, answer: int) -> tuple[Seat, tuple[int]] | None:
        mine = any(cell.value == answer for cell in self.goal_cells[seat - 1].answers)
        return (seat, (answer,)) if mine else None  # only the mover's own goal counts

    # --- how people play ----------------------------------------------------------------

    def instinct(self, view: View, answer: core.Form) -> float:
        board, seat = _seen_by(view)
        assert isinstance(answer, tuple)  # a cell is asked for
        goal = board.goals[seat - 1]
        if goal is None:
            return 0.0  # no cell of the row is better than another
        if answer == goal:
            return 100.0
        distance = max(abs(answer[0] - goal[0]), abs(answer[1] - goal[1]))
        exposed = abs(answer[0] - self._rival_row(seat)) <= 1  # the other may win from there
        return -1.5 * distance - (8.0 if exposed else 0.0)

    def brisk(self, state: State, seat: Seat, question: Question, rng: Random) -> int:
        goal, rival_row = state.goals[seat - 1], self._rival_row(seat) - 1
        cells = [answer.value for answer in question.answers]
        if goal == NOWHERE or len(cells) == 1:
            return question.random(rng)
        if goal in cells:
            return goal
        size = self.size
        calm = [cell for cell in cells if abs(cell // size - rival_row) > 1] or cells
        row, column = goal // size, goal % size
        far = [max(abs(cell // size - row), abs(cell % size - column)) for cell in calm]
        nearest = min(far)
        near = [cell for cell, distance in zip(calm, far, strict=True) if distance == nearest]
        pool = near if rng.random() < 0.6 else calm
        return pool[int(rng.random() * len(pool))]

    def likely_world(self, view: View, rng: Random) -> State | None:
        board, seat = _seen_by(view)
        mine, seeker = board.goals[seat - 1], board.seeker
        if mine is None or seeker is None or not all(view.ready):
            return None
        # Wherever the other has moved the Seeker without winning, their goal is not.
        passed = {board.index(cell) for cell in board.visits[2 - seat]}
        rival = 2 if seat == 1 else 1
        theirs = rng.choice(
            [a.value for a in self.goal_cells[rival - 1].answers if a.value not in passed]
        )
        at = board.index(mine)
        goals = (at, theirs) if seat == 1 else (theirs, at)
        one, two = (bits([board.index(cell) for cell in cells]) for cells in board.visits)
        return State(seat, view.turn, ONGOING, board.index(seeker), goals, (one, two))

    def _rival_row(self, seat: int) -> int:
        """The row in which the other's goal lies."""
        return 1 if seat == 1 else self.size

    def why_not(self, state: State, seat: Seat, record: core.Form) -> str:
        if not isinstance(record, tuple) or len(record) != 2:
            return ""
        target = f"({brief(record[0])},{brief(record[1])})"
        if state.goals[seat - 1] == NOWHERE:
            row = self.size if seat == 1 else 1
            wanted = f"choose a cell in row {row}, column 1 to {self.size}, such as {row},2"
            return f"{target} cannot be your Goal Cell: {wanted}."
        row, column = self.positions(state)
        if record == (row, column):
            return f"The Seeker is on ({row},{column}) already: it must move to another cell."
        if not all(1 <= part <= self.size for part in record):
            return f"{target} is not on the grid: rows and columns go from 1 to {self.size}."
        return (
            f"{target} is not next to ({row},{column}): the Seeker moves one cell in any direction."
        )


def _seen_by(view: View) -> tuple[Grid, Seat]:
    """The grid that a player sees, and who that is."""
    assert isinstance(view.board, Grid)  # the game's only board
    assert view.seat is not None  # only players are asked
    return view.board, view.seat
