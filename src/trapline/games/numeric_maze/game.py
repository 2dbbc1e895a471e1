"""Numeric Maze: race to the last position past traps that everybody can see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
from msgspec import Meta

from trapline import core
from trapline.boards import track
from trapline.boards.track import Track, bits
from trapline.core import (
    GOAL,
    NO_QUESTION,
    ONGOING,
    TURN_LIMIT,
    Moved,
    OptionsError,
    Returned,
    Triggered,
    brief,
    drawn,
    has_run,
    won,
)
from trapline.games.habits import brisk_step, seen_by, step_appeal
from trapline.games.numeric_maze.expectations import EXPECTATIONS
from trapline.games.numeric_maze.lesson import LESSON
from trapline.games.numeric_maze.presets import PRESETS
from trapline.games.numeric_maze.words import NumericMazeWords
from trapline.games.tracks import Length, MaxStep, Pair, TurnLimit, check_turn_limit, steps_from

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Actor, AnyEvent, Question, Seat, View, Viewer
    from trapline.games.numeric_maze.solving import MazeMethod


class Options(core.Options, frozen=True):
    length: Length = 20
    traps: Annotated[
        tuple[int, ...], Meta(description="positions separated by commas, such as 5,10,15")
    ] = (5, 10, 15)
    max_step: MaxStep = 3
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    positions: Pair


class NumericMaze(core.Game[State]):
    name = "numeric-maze"
    title = "Numeric Maze"
    summary = "A race to position 20 with nothing hidden, and three traps to step over."
    place = "position"
    land = "ruins"
    pictured = (
        "Both of you race from 0 to position 20. The traps are open, and catch everybody.",
        (
            "Move by one, two or three. Whoever lands on a trap goes back to 0; "
            "running past it is safe."
        ),
        "Whoever lands on position 20 first wins. It must be reached exactly.",
    )
    minutes = "2–3"
    options_type = Options
    default_first = "toss"
    hides = False
    mirrors = True
    words = NumericMazeWords
    option_words: ClassVar = {
        "length": "Positions to the goal",
        "traps": "Positions of the traps",
        "max_step": "Longest move, in positions",
        "turn_limit": "Turns until a draw (0: no limit)",
    }
    variants: ClassVar = {
        "length": [10, 20],
        "traps": [[], [3, 6], [5, 10, 15]],
        "max_step": [2, 3, 4],
    }

    presets = PRESETS
    lesson = LESSON
    expectations = EXPECTATIONS

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        for trap in options.traps:
            if not 1 <= trap < self.length:
                raise OptionsError(
                    f"traps must lie between the start and the goal, from 1 to "
                    f"{self.length - 1}, not on {brief(trap)}."
                )
        if len(set(options.traps)) != len(options.traps):
            raise OptionsError("traps must be different positions.")
        self.traps = bits(options.traps)
        if has_run(self.traps, options.max_step):
            raise OptionsError(
                f"traps must leave a way: {options.max_step} neighbouring ones are a wall that "
                f"nobody can step over with max_step={options.max_step}."
            )
        self.turn_limit = options.turn_limit
        self.needed = moves_needed(options)
        check_turn_limit(self.turn_limit, 2 * self.needed[0] - 1)
        self.steps = steps_from(self.length, options.max_step)

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        if seat != state.mover:
            return NO_QUESTION
        return self.steps[state.positions[seat - 1]]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        to = state.positions[seat - 1] + answer
        turn = state.turn + 1
        outcome = ONGOING
        if self.traps >> to & 1:
            to = 0
        if to == self.length:
            outcome = won(seat, GOAL)
        elif turn == self.turn_limit:
            outcome = drawn(TURN_LIMIT)
        one, two = state.positions
        return State(3 - seat, turn, outcome, (to, two) if seat == 1 else (one, to))

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        start = before.positions[seat - 1]
        yield Moved(seat, start, start + answer)
        if self.traps >> start + answer & 1:
            yield Triggered(seat, start + answer)
            yield Returned(seat)

    def board(self, state: State, seat: Viewer, over: bool) -> Track:
        goals = (self.length, self.length)
        return track(
            self.length, state.positions, goals, (0, 0), (0, 0), self.traps, (0, 0), (0, 0), -1
        )

    def endless(self) -> NumericMaze:
        return NumericMaze(msgspec.structs.replace(self.options, turn_limit=0))

    def positions(self, state: State) -> Pair:
        return state.positions

    def method(self) -> MazeMethod:
        from trapline.games.numeric_maze.solving import MazeMethod  # solvers need more to load

        return MazeMethod(self)

    # --- how people play ----------------------------------------------------------------

    def instinct(self, view: View, answer: core.Form) -> float:
        board, seat = seen_by(view)
        return step_appeal(board, seat, answer)

    def brisk(self, state: State, seat: Seat, question: Question, rng: Random) -> int:
        start = state.positions[seat - 1]
        return brisk_step(
            question, rng, start=start, way=1, goal=self.length, bad=self.traps, safe=0
        )

    def likely_world(self, view: View, rng: Random) -> State:
        board, seat = seen_by(view)
        return State(seat, view.turn, ONGOING, board.positions)

    def why_not(self, state: State, seat: Seat, record: core.Form) -> str:
        if isinstance(record, int) and not 1 <= record <= self.options.max_step:
            return f"A move is 1 to {self.options.max_step} spaces, not {brief(record)}."
        return f"You cannot move beyond position {self.length}: it must be reached exactly."


def moves_needed(options: Options) -> tuple[int, ...]:
    """For each position, the fewest moves to the goal.

    A trap is never on a shortest way: from anywhere one can step to where the shortest way from
    0 goes next.
    """
    needed = [0] * (options.length + 1)
    for at in range(options.length - 1, -1, -1):
        ways = range(at + 1, min(at + options.max_step, options.length) + 1)
        needed[at] = 1 + min(needed[to] for to in ways if to not in options.traps)
    return tuple(needed)
