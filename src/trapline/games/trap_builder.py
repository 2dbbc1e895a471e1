"""Trap Builder: run to the other's start; the other's traps end the game at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from trapline import core
from trapline.core import (
    REACHED_GOAL,
    TRAPPED,
    AnyEvent,
    IllegalMove,
    Moved,
    OptionsError,
    Reason,
    Seat,
    Secret,
    Track,
    Trap,
    Triggered,
    brief,
)
from trapline.games.track import (
    HiddenTraps,
    Length,
    MaxStep,
    TrapCount,
    TrapSecrets,
    bits,
    in_words,
    secret_bits,
    squares,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Options(core.Options, frozen=True):
    length: Length = 10
    traps: TrapCount = 3
    max_step: MaxStep = 3
    trigger: Annotated[Literal["landing", "passing"], Meta(description="landing or passing")] = (
        "landing"
    )
    walls: Annotated[bool, Meta(description="true or false")] = True


class State(core.State, frozen=True, gc=False):
    positions: tuple[int, int]
    traps: tuple[int, int]
    """Each player's traps, as bits."""


class TrapBuilder(HiddenTraps[State]):
    name = "trap-builder"
    title = "Trap Builder"
    summary = "Run towards each other. One step on a hidden trap and the game is lost."
    place = "position"
    options_type = Options
    default_first = 1
    moves = "steps"
    deadly = True

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        if options.max_step == 1:
            raise OptionsError(
                "max_step must be at least 2: with single steps the two runners would meet "
                "and block each other for ever."
            )
        last = options.length - 1
        wall = None if options.walls else options.max_step
        self.trap_secrets = TrapSecrets(range(1, last + 1), options.traps, wall, "position")
        self._passing = options.trigger == "passing"
        furthest = range(options.max_step + 1)
        # By how far the mover may go, and by how far ahead the opponent stands (0: not near).
        self._legal = [
            [tuple(step for step in range(1, left + 1) if step != gap) for gap in furthest]
            for left in furthest
        ]

    def secret_hint(self, seat: Seat) -> str:
        wanted = self.trap_secrets
        noun = "position" if wanted.count == 1 else "positions"
        return f"{in_words(wanted.count)} {noun} ({wanted.places[0]}-{wanted.places[-1]})"

    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> State:
        traps = (bits(secrets.get(1, ())), bits(secrets.get(2, ())))
        return State(first, 0, None, (0, self.length), traps)

    def legal(self, state: State) -> Sequence[int]:
        if state.outcome is not None:
            return ()
        one, two = state.positions
        most = self.options.max_step
        left = self.length - one if state.mover == 1 else two
        gap = two - one
        return self._legal[min(left, most)][gap if 0 < gap <= most else 0]

    def why_not(self, state: State, move: int) -> str:
        if move > self.options.max_step or move < 1:
            return f"A move is 1 to {self.options.max_step} steps, not {brief(move)}."
        start = state.positions[state.mover - 1]
        to = start + move if state.mover == 1 else start - move
        if not 0 <= to <= self.length:
            goal = self.length if state.mover == 1 else 0
            return f"{move} steps from Position {start} would go beyond Position {goal}."
        return f"Position {to} is taken: you may pass the other player, but not land there."

    def apply(self, state: State, move: int) -> State:
        if move not in self.legal(state):
            raise IllegalMove(self.why_not(state, move))
        mover = state.mover
        rival: Seat = 2 if mover == 1 else 1
        start = state.positions[mover - 1]
        traps = state.traps[rival - 1]
        way = 1 if mover == 1 else -1
        to = start + way * move
        outcome = None
        if self._passing:
            # The piece stops on the first trap on its way, the landing position included.
            passed = range(start + way, to + way, way)
            to = next((at for at in passed if traps >> at & 1), to)
        if traps >> to & 1:
            outcome = TRAPPED[mover]
        elif to == (self.length if mover == 1 else 0):
            outcome = REACHED_GOAL[mover]
        positions = (to, state.positions[1]) if mover == 1 else (state.positions[0], to)
        return State(rival, state.turn + 1, outcome, positions, state.traps)

    def events(self, before: State, move: int, after: State) -> Iterator[AnyEvent]:
        by = before.mover
        to = after.positions[by - 1]
        yield Moved(by, before.positions[by - 1], to)
        if after.outcome is not None and after.outcome.reason is Reason.TRAP:
            yield Triggered(by, to)

    def with_secrets(self, state: State, secrets: tuple[Secret, Secret]) -> State:
        traps = (secret_bits(secrets[0]), secret_bits(secrets[1]))
        return msgspec.structs.replace(state, traps=traps)

    def positions(self, state: State) -> tuple[int, int]:
        return state.positions

    def board(self, state: State, seat: Seat | None, over: bool) -> Track:
        outcome = state.outcome
        hit = None  # the trap that decided the game
        if outcome is not None and outcome.reason is Reason.TRAP and outcome.winner is not None:
            hit = (outcome.winner, state.positions[core.other(outcome.winner) - 1])
        traps = tuple(
            Trap(at, owner, sprung=(owner, at) == hit, live=True)
            for owner in core.SEATS
            if over or owner == seat
            for at in squares(state.traps[owner - 1])
        )
        return Track(self.length, state.positions, (self.length, 0), traps)
