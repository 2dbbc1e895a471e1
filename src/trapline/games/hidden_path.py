"""Hidden Path: run to the last step; the other's traps send you back to the start once each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from trapline import core
from trapline.core import (
    REACHED_GOAL,
    AnyEvent,
    IllegalMove,
    Moved,
    Returned,
    Seat,
    Secret,
    Track,
    Trap,
    Triggered,
    brief,
)
from trapline.games.track import (
    LONGEST,
    HiddenTraps,
    MaxStep,
    TrapCount,
    TrapSecrets,
    bits,
    secret_bits,
    squares,
    steps_from,
    with_item,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Options(core.Options, frozen=True):
    length: Annotated[
        int, Meta(ge=1, le=LONGEST, description=f"a whole number from 1 to {LONGEST}")
    ] = 10
    traps: TrapCount = 3
    max_step: MaxStep = 3
    goal_traps: Annotated[bool, Meta(description="true or false")] = True
    walls: Annotated[bool, Meta(description="true or false")] = True


class State(core.State, frozen=True, gc=False):
    positions: tuple[int, int]
    traps: tuple[int, int]
    """Each player's traps that still act, as bits."""
    sprung: tuple[int, int]
    """Each player's traps that were triggered: revealed, and removed."""


class HiddenPath(HiddenTraps[State]):
    name = "hidden-path"
    title = "Hidden Path"
    summary = "Race along the path. Three traps you cannot see send you back to the start."
    place = "step"
    options_type = Options
    default_first = "toss"
    moves = "steps"

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        last = options.length if options.goal_traps else options.length - 1
        wall = None if options.walls else options.max_step
        self.trap_secrets = TrapSecrets(range(1, last + 1), options.traps, wall, "step")
        self._legal = steps_from(options.length, options.max_step)

    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> State:
        traps = (bits(secrets.get(1, ())), bits(secrets.get(2, ())))
        return State(first, 0, None, (0, 0), traps, (0, 0))

    def legal(self, state: State) -> Sequence[int]:
        if state.outcome is not None:
            return ()
        return self._legal[state.positions[state.mover - 1]]

    def why_not(self, state: State, move: int) -> str:
        if move > self.options.max_step or move < 1:
            return f"A move is 1 to {self.options.max_step} steps, not {brief(move)}."
        start = state.positions[state.mover - 1]
        return (
            f"{move} steps from Step {start} would go beyond Step {self.length}: "
            "it must be reached exactly."
        )

    def apply(self, state: State, move: int) -> State:
        if move not in self.legal(state):
            raise IllegalMove(self.why_not(state, move))
        mover = state.mover
        rival: Seat = 2 if mover == 1 else 1
        to = state.positions[mover - 1] + move
        traps, sprung, outcome = state.traps, state.sprung, None
        trap = 1 << to
        # The trap is checked before the win: a trapped last step sends the runner back.
        if traps[rival - 1] & trap:
            traps = with_item(traps, rival, traps[rival - 1] - trap)
            sprung = with_item(sprung, rival, sprung[rival - 1] + trap)
            to = 0
        elif to == self.length:
            outcome = REACHED_GOAL[mover]
        positions = (to, state.positions[1]) if mover == 1 else (state.positions[0], to)
        return State(rival, state.turn + 1, outcome, positions, traps, sprung)

    def events(self, before: State, move: int, after: State) -> Iterator[AnyEvent]:
        by = before.mover
        start = before.positions[by - 1]
        yield Moved(by, start, start + move)
        if after.sprung != before.sprung:
            yield Triggered(by, start + move)
            yield Returned(by)

    def with_secrets(self, state: State, secrets: tuple[Secret, Secret]) -> State:
        one, two = secret_bits(secrets[0]), secret_bits(secrets[1])
        traps = (one & ~state.sprung[0], two & ~state.sprung[1])
        return msgspec.structs.replace(state, traps=traps)

    def positions(self, state: State) -> tuple[int, int]:
        return state.positions

    def board(self, state: State, seat: Seat | None, over: bool) -> Track:
        traps = []
        for owner in core.SEATS:
            if over or owner == seat:
                hidden = squares(state.traps[owner - 1])
                traps += [Trap(at, owner, sprung=False, live=True) for at in hidden]
            known = squares(state.sprung[owner - 1])
            traps += [Trap(at, owner, sprung=True, live=False) for at in known]
        return Track(self.length, state.positions, (self.length, self.length), tuple(traps))
