"""Numeric Maze: race to the last position past traps that everybody can see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from trapline import core
from trapline.core import (
    OUT_OF_TURNS,
    REACHED_GOAL,
    AnyEvent,
    IllegalMove,
    Moved,
    OptionsError,
    Returned,
    Seat,
    Secret,
    Track,
    Trap,
    Triggered,
    brief,
)
from trapline.games.track import Length, MaxStep, TurnLimit, bits, steps_from, with_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Options(core.Options, frozen=True):
    length: Length = 20
    traps: Annotated[
        tuple[int, ...], Meta(description="positions separated by commas, such as 5,10,15")
    ] = (5, 10, 15)
    max_step: MaxStep = 3
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    positions: tuple[int, int]


class NumericMaze(core.Game[State, int]):
    name = "numeric-maze"
    title = "Numeric Maze"
    summary = "A race to position 20 with nothing hidden, and three traps to step over."
    place = "position"
    options_type = Options
    default_first = "toss"
    moves = "steps"

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
        self._traps = bits(options.traps)
        self._legal = steps_from(self.length, options.max_step)

    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> State:
        return State(first, 0, None, (0, 0))

    def legal(self, state: State) -> Sequence[int]:
        if state.outcome is not None:
            return ()
        return self._legal[state.positions[state.mover - 1]]

    def why_not(self, state: State, move: int) -> str:
        if move > self.options.max_step or move < 1:
            return f"A move is 1 to {self.options.max_step} spaces, not {brief(move)}."
        return f"You cannot move beyond position {self.length}: it must be reached exactly."

    def apply(self, state: State, move: int) -> State:
        if move not in self.legal(state):
            raise IllegalMove(self.why_not(state, move))
        mover = state.mover
        to = state.positions[mover - 1] + move
        turn = state.turn + 1
        outcome = None
        if self._traps >> to & 1:
            to = 0
        if to == self.length:
            outcome = REACHED_GOAL[mover]
        elif turn == self.options.turn_limit:
            outcome = OUT_OF_TURNS
        positions = with_item(state.positions, mover, to)
        return State(2 if mover == 1 else 1, turn, outcome, positions)

    def events(self, before: State, move: int, after: State) -> Iterator[AnyEvent]:
        by = before.mover
        start = before.positions[by - 1]
        yield Moved(by, start, start + move)
        if self._traps >> start + move & 1:
            yield Triggered(by, start + move)
            yield Returned(by)

    def positions(self, state: State) -> tuple[int, int]:
        return state.positions

    def board(self, state: State, seat: Seat | None, over: bool) -> Track:
        traps = tuple(Trap(at, None, sprung=False, live=True) for at in sorted(self.options.traps))
        return Track(self.length, state.positions, (self.length, self.length), traps)
