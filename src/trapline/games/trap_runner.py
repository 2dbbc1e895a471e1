"""Trap Runner: run to the goal, and leave traps on the squares behind you."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline import core
from trapline.core import (
    NO_TRAP,
    OUT_OF_TURNS,
    REACHED_GOAL,
    SET_TRAP,
    WALLED_OFF,
    AnyEvent,
    IllegalMove,
    Moved,
    Returned,
    Seat,
    Secret,
    Track,
    Trap,
    TrapTried,
    Triggered,
    brief,
)
from trapline.games.track import (
    Length,
    MaxStep,
    TurnLimit,
    has_wall,
    squares,
    steps_from,
    with_item,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TRAP_ANSWERS = (NO_TRAP, SET_TRAP)


class Options(core.Options, frozen=True):
    length: Length = 10
    max_step: MaxStep = 3
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    positions: tuple[int, int]
    returning: tuple[int, int]
    """1 for a player who stands on a trap and goes to 0 before their next move."""
    traps: tuple[int, int]
    """Each player's traps, as bits. They stay for the whole game."""
    sprung: tuple[int, int]
    """Each player's traps that the other has landed on."""
    found: tuple[int, int]
    """Opposing traps that each player met when trying to set their own."""
    step: int
    """The move of a turn whose trap question is still open; 0 between turns.

    Until the question is answered, nothing else in the state changes: the opponent sees
    a turn when it is complete, and so cannot tell whether there was a question at all.
    """


class TrapRunner(core.Game[State, int | str]):
    name = "trap-runner"
    title = "Trap Runner"
    summary = "Run to square 10, and leave traps on the squares behind you."
    place = "square"
    options_type = Options
    default_first = 1
    moves = "steps"
    hides_turns = True

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        self._legal = steps_from(options.length, options.max_step)

    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> State:
        return State(first, 0, None, (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), 0)

    def legal(self, state: State) -> Sequence[int | str]:
        if state.outcome is not None:
            return ()
        if state.step:
            return TRAP_ANSWERS
        seat = state.mover - 1
        return self._legal[0 if state.returning[seat] else state.positions[seat]]

    def why_not(self, state: State, move: int | str) -> str:
        if state.step:
            return "First say whether to set a trap on the square just left: y or n."
        if isinstance(move, str):
            return (
                "No trap can be set now: none goes on square 0, on a square where you already "
                "have one, or after the winning move."
            )
        if move > self.options.max_step or move < 1:
            return f"A move is 1 to {self.options.max_step} squares, not {brief(move)}."
        start, _ = self._stand(state)
        return (
            f"{move} squares from square {start} would go beyond square {self.length}: "
            "it must be reached exactly."
        )

    def apply(self, state: State, move: int | str) -> State:
        if move not in self.legal(state):
            raise IllegalMove(self.why_not(state, move))
        if isinstance(move, str):
            return self._complete(state, state.step, move == SET_TRAP)
        start, mine = self._stand(state)
        # No trap on 0, none on a square that has one of the mover's, none after winning.
        if start == 0 or mine >> start & 1 or start + move == self.length:
            return self._complete(state, move, False)
        return State(
            state.mover,
            state.turn,
            None,
            state.positions,
            state.returning,
            state.traps,
            state.sprung,
            state.found,
            move,
        )

    def _stand(self, state: State) -> tuple[int, int]:
        """Where the mover moves from, and the mover's traps."""
        seat = state.mover - 1
        return (0 if state.returning[seat] else state.positions[seat]), state.traps[seat]

    def _complete(self, state: State, step: int, set_trap: bool) -> State:
        """The state after a whole turn."""
        mover = state.mover
        rival: Seat = 2 if mover == 1 else 1
        start, mine = self._stand(state)
        theirs = state.traps[rival - 1]
        to = start + step
        traps, sprung, found = state.traps, state.sprung, state.found
        if set_trap:
            if theirs >> start & 1:
                found = with_item(found, mover, found[mover - 1] | 1 << start)
            else:
                traps = with_item(traps, mover, mine | 1 << start)
        triggered = theirs >> to & 1
        if triggered:
            sprung = with_item(sprung, rival, sprung[rival - 1] | 1 << to)
        positions = with_item(state.positions, mover, to)
        returning = with_item(state.returning, mover, triggered)
        turn = state.turn + 1
        outcome = None
        if to == self.length:
            outcome = REACHED_GOAL[mover]
        elif self._walled(positions, returning, traps):
            outcome = WALLED_OFF
        elif turn == self.options.turn_limit:
            outcome = OUT_OF_TURNS
        return State(rival, turn, outcome, positions, returning, traps, sprung, found, 0)

    def _walled(
        self, positions: tuple[int, int], returning: tuple[int, int], traps: tuple[int, int]
    ) -> bool:
        """Whether neither player has a route to the goal, from where they stand or from 0.

        A wall ahead of a player is ahead of 0 too, so the walls ahead decide; and whoever
        is on the way back has all of them ahead.
        """
        for seat in (0, 1):
            theirs = traps[1 - seat]
            ahead = theirs if returning[seat] else theirs >> positions[seat] + 1
            if not has_wall(ahead, self.options.max_step):
                return False
        return True

    def events(self, before: State, move: int | str, after: State) -> Iterator[AnyEvent]:
        by = before.mover
        start, _ = self._stand(before)
        if isinstance(move, str):
            if move == SET_TRAP:
                yield TrapTried(by, start, succeeded=after.traps != before.traps)
            return
        if before.returning[by - 1]:
            yield Returned(by)
        yield Moved(by, start, start + move)
        if before.traps[core.other(by) - 1] >> start + move & 1:
            yield Triggered(by, start + move)

    def positions(self, state: State) -> tuple[int, int]:
        return state.positions

    def board(self, state: State, seat: Seat | None, over: bool) -> Track:
        if state.step and seat == state.mover:
            # The mover already sees where the move landed.
            state = self._complete(state, state.step, False)
        traps = []
        for owner in core.SEATS:
            rival = core.other(owner)
            known = state.sprung[owner - 1]
            if over or owner == seat:
                known |= state.traps[owner - 1]
            if rival == seat:
                known |= state.found[rival - 1]
            traps += [
                Trap(at, owner, sprung=bool(state.sprung[owner - 1] >> at & 1), live=True)
                for at in squares(known)
            ]
        returning = (bool(state.returning[0]), bool(state.returning[1]))
        goals = (self.length, self.length)
        return Track(self.length, state.positions, goals, tuple(traps), returning)
