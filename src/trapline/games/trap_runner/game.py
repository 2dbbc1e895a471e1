"""Trap Runner: run to the goal, and leave traps on the squares behind you."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from trapline import core
from trapline.boards import track
from trapline.boards.track import Track, bits
from trapline.core import (
    GOAL,
    NO_QUESTION,
    ONGOING,
    SEATS,
    TURN_LIMIT,
    Answer,
    InvalidMove,
    Moved,
    Question,
    Returned,
    TrapTried,
    Triggered,
    brief,
    drawn,
    other,
    won,
)
from trapline.games.habits import HURRY, brisk_step, seen_by, step_appeal
from trapline.games.tracks import (
    Length,
    MaxStep,
    Pair,
    TurnLimit,
    check_turn_limit,
    steps_from,
    with_item,
)
from trapline.games.trap_runner.expectations import EXPECTATIONS
from trapline.games.trap_runner.leaving import NO_TRAP, SET_TRAP, TrapsLeft
from trapline.games.trap_runner.lesson import LESSON
from trapline.games.trap_runner.presets import PRESETS
from trapline.games.trap_runner.words import WALLED_OFF, TrapRunnerWords

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Actor, AnyEvent, Form, Seat, View, Viewer
    from trapline.games.trap_runner.solving import RunnerMethod

_NO = Answer(0, NO_TRAP, "n", "No trap")
_YES = Answer(1, SET_TRAP, "y", "Set a trap")
_TYPED = (("yes", SET_TRAP), ("no", NO_TRAP), ("y", SET_TRAP))


class Options(core.Options, frozen=True):
    length: Length = 10
    max_step: MaxStep = 3
    turn_limit: TurnLimit = 200


class State(core.State, frozen=True, gc=False):
    memory: ClassVar = ("doubt", "seen_doubt")

    positions: Pair
    returning: Pair
    """1 for a player who stands on a trap and goes to 0 before their next move."""
    traps: Pair
    """Each player's traps, as bits. They stay for the whole game."""
    sprung: Pair
    """Each player's traps that the other has landed on."""
    found: Pair
    """Opposing traps that each player met when trying to set their own."""
    step: int
    """The move of a turn whose trap question is still open; 0 between turns.

    Until the question is answered, nothing else in the state changes: the opponent sees
    a turn when it is complete, and so cannot tell what the question was.
    """
    doubt: Pair
    """Where each player knows of no reason why the other should have no trap."""
    seen_doubt: Pair
    """The same by what everybody has seen."""


def ask_trap(*answers: Answer) -> Question:
    return Question("trap", answers, noun="answer here", sealed=True, usual=0, aliases=_TYPED)


class TrapRunner(core.Game[State]):
    name = "trap-runner"
    title = "Trap Runner"
    summary = "Run to square 10, and leave traps on the squares behind you."
    place = "square"
    land = "desert"
    pictured = (
        "Both of you run from 0 to square 10, by one, two or three squares a turn.",
        (
            "Having moved, you may leave a trap on the square you came from. "
            "Whoever of you lands on the other’s goes back to 0."
        ),
        "Whoever lands on square 10 first wins. It must be reached exactly.",
    )
    minutes = "3–5"
    options_type = Options
    default_first = 1
    seals_turns = True
    lockable = True
    mirrors = True
    words = TrapRunnerWords
    option_words: ClassVar = {
        "length": "Squares to the goal",
        "max_step": "Longest move, in squares",
        "turn_limit": "Turns until a draw (0: no limit)",
    }
    variants: ClassVar = {"length": [6, 10, 14], "max_step": [2, 3, 4]}
    presets = PRESETS
    lesson = LESSON
    expectations = EXPECTATIONS
    mastery = 1.7

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        self.max_step = options.max_step
        self.turn_limit = options.turn_limit
        check_turn_limit(self.turn_limit, 2 * -(-self.length // self.max_step) - 1)
        self.steps = steps_from(options.length, options.max_step)
        self.trapping = ask_trap(_NO, _YES)
        self.trapped_already = ask_trap(_NO)

    def start(self, first: Seat) -> State:
        none = (0, 0)
        return State(first, 0, ONGOING, none, none, none, none, none, 0, none, none)

    def question(self, state: State, seat: Seat) -> Question | None:
        if seat != state.mover:
            return NO_QUESTION
        start = 0 if state.returning[seat - 1] else state.positions[seat - 1]
        if state.step == 0:
            return self.steps[start]
        # Only the mover knows of the trap that leaves no choice, so the question is put anyway.
        if state.traps[seat - 1] >> start & 1:
            return self.trapped_already
        return self.trapping

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        start = 0 if state.returning[seat - 1] else state.positions[seat - 1]
        step = state.step
        if step == 0:
            step = answer
            # Everybody sees that no trap can be set on 0, and none after the winning move.
            if start > 0 and start + step < self.length:
                return State(
                    state.mover,
                    state.turn,
                    ONGOING,
                    state.positions,
                    state.returning,
                    state.traps,
                    state.sprung,
                    state.found,
                    step,
                    state.doubt,
                    state.seen_doubt,
                )
            answer = 0
        rival = 3 - seat
        to = start + step
        theirs = state.traps[rival - 1]
        traps, sprung, found = state.traps, state.sprung, state.found
        # The mover has learned what lies where they landed, and where they tried to set a trap.
        clear = ~(1 << to)
        tried = clear
        if answer:
            tried = ~(1 << to | 1 << start)
            if theirs >> start & 1:
                found = with_item(found, seat, found[seat - 1] | 1 << start)
            else:
                traps = with_item(traps, seat, traps[seat - 1] | 1 << start)
        triggered = theirs >> to & 1
        if triggered:
            sprung = with_item(sprung, rival, sprung[rival - 1] | 1 << to)
        # The other cannot know what was left behind on the square.
        left = 1 << start & ~1
        (one, two), (back_1, back_2) = state.positions, state.returning
        (doubt_1, doubt_2), (seen_1, seen_2) = state.doubt, state.seen_doubt
        if seat == 1:
            positions, returning = (to, two), (triggered, back_2)
            doubt, seen = (doubt_1 & tried, doubt_2 | left), (seen_1 & clear, seen_2 | left)
        else:
            positions, returning = (one, to), (back_1, triggered)
            doubt, seen = (doubt_1 | left, doubt_2 & tried), (seen_1 | left, seen_2 & clear)
        turn = state.turn + 1
        outcome = ONGOING
        if to == self.length:
            outcome = won(seat, GOAL)
        elif walled_off(positions, returning, traps, self.max_step):
            outcome = drawn(WALLED_OFF)
        elif turn == self.turn_limit:
            outcome = drawn(TURN_LIMIT)
        return State(
            rival, turn, outcome, positions, returning, traps, sprung, found, 0, doubt, seen
        )

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        start = 0 if before.returning[seat - 1] else before.positions[seat - 1]
        if before.step:
            if answer:
                yield TrapTried(seat, start, succeeded=after.traps != before.traps)
            return
        if before.returning[seat - 1]:
            yield Returned(seat)
        yield Moved(seat, start, start + answer)
        if before.traps[2 - seat] >> start + answer & 1:
            yield Triggered(seat, start + answer)

    def board(self, state: State, seat: Viewer, over: bool) -> Track:
        positions, returning, sprung = state.positions, state.returning, state.sprung
        doubt, seen, left = state.doubt, state.seen_doubt, -1
        if state.step and seat == state.mover:
            # The mover already sees where the move landed.
            left = 0 if returning[seat - 1] else positions[seat - 1]
            to = left + state.step
            triggered = state.traps[2 - seat] >> to & 1
            if triggered:
                sprung = with_item(sprung, 3 - seat, sprung[2 - seat] | 1 << to)
            positions = with_item(positions, seat, to)
            returning = with_item(returning, seat, triggered)
            doubt = with_item(doubt, seat, doubt[seat - 1] & ~(1 << to))
            seen = with_item(seen, 3 - seat, seen[2 - seat] | 1 << left)
        # By factors of 0 and 1: in compiled code, whose turn it is would be guessed wrong by half.
        one, two = seat == 1, seat == 2
        mine = sprung[0] | state.traps[0] * (over | one) | state.found[1] * two
        theirs = sprung[1] | state.traps[1] * (over | two) | state.found[0] * one
        return track(
            self.length,
            positions,
            (self.length, self.length),
            (mine, theirs),
            sprung,
            0,
            returning,
            (doubt[0] if one else seen[0], doubt[1] if two else seen[1]),
            left,
        )

    def leaving(self) -> TrapsLeft:
        return TrapsLeft(self.length)

    def endless(self) -> TrapRunner:
        return TrapRunner(msgspec.structs.replace(self.options, turn_limit=0))

    def positions(self, state: State) -> Pair:
        return state.positions

    def method(self) -> RunnerMethod:
        from trapline.games.trap_runner.solving import RunnerMethod  # it needs NumPy

        return RunnerMethod(self)

    # --- how people play ----------------------------------------------------------------

    def instinct(self, view: View, answer: Form) -> float:
        board, seat = seen_by(view)
        if isinstance(answer, int):
            # Who is not behind has time, it seems, to leave traps close together.
            hurry = HURRY / 2 if board.stand(seat) < board.stand(other(seat)) else 0.0
            feared = bits(board.doubt[seat - 1])
            return step_appeal(board, seat, answer, feared=feared, hurry=hurry)
        if answer == NO_TRAP or board.left is None:
            return 0.0
        # A trap is worth setting where the other has still to pass.
        return 0.35 if board.stand(other(seat)) < board.left else -0.44

    def brisk(self, state: State, seat: Seat, question: Question, rng: Random) -> int:
        if state.step:
            return question.answers[-1].value if rng.random() < 0.6 else 0
        start = 0 if state.returning[seat - 1] else state.positions[seat - 1]
        known = state.sprung[2 - seat] | state.found[seat - 1]
        return brisk_step(question, rng, start=start, way=1, goal=self.length, bad=known, safe=0)

    def likely_world(self, view: View, rng: Random) -> State:
        board, seat = seen_by(view)
        rival = other(seat)
        known = {who: bits([t.at for t in board.traps if t.owner == who]) for who in SEATS}
        sprung = {
            who: bits([t.at for t in board.traps if t.owner == who and t.sprung]) for who in SEATS
        }
        # The other may have set a trap wherever nothing speaks against it.
        doubt = bits(board.doubt[seat - 1]) & ~known[seat]
        theirs = known[rival] | bits(
            [at for at in board.doubt[seat - 1] if doubt >> at & 1 and rng.random() < 0.5]
        )
        positions, step = board.positions, 0
        returning = (int(board.returning[0]), int(board.returning[1]))
        if board.left is not None:
            # The move whose trap question is open is not yet in the state.
            step = positions[seat - 1] - board.left
            positions = with_item(positions, seat, board.left)
            returning = with_item(returning, seat, 0)
        found = known[rival] & ~sprung[rival]
        return State(
            seat,
            view.turn,
            ONGOING,
            positions,
            returning,
            (known[1], theirs) if seat == 1 else (theirs, known[2]),
            (sprung[1], sprung[2]),
            (found, 0) if seat == 1 else (0, found),
            step,
            (bits(board.doubt[0]), bits(board.doubt[1])),
            (bits(board.doubt[0]), bits(board.doubt[1])),
        )

    # --- how turns are written ------------------------------------------------------------

    def split(self, text: str) -> tuple[str, ...]:
        """`2t` answers both questions of a turn, and so does `2n`: if only a trap could be set so
        quickly, the time that a turn takes would tell of it."""
        found = re.fullmatch(r"\s*([+-]?\d{1,12})\s*([tTnN])\s*", text)
        return (found[1], found[2].lower()) if found else (text,)

    def write_turn(self, answers: tuple[Form, ...]) -> Any:
        return f"{answers[0]}{SET_TRAP}" if SET_TRAP in answers else answers[0]

    def read_turn(self, value: Any) -> tuple[Any, ...]:
        if type(value) is int:
            return (value,)
        if isinstance(value, str) and re.fullmatch(r"[1-9][0-9]{0,11}t", value):
            return int(value[:-1]), SET_TRAP
        raise InvalidMove(f'{brief(value)} is not a move: it should be a number, or "2t".')

    def sealed_part(self, answers: tuple[Form, ...]) -> str:
        return SET_TRAP if SET_TRAP in answers else NO_TRAP

    def why_not(self, state: State, seat: Seat, record: Form) -> str:
        if isinstance(record, str):
            if state.step:
                return "You already have a trap there, so the only answer is n."
            return "No trap can be set now: none goes on square 0, and none after the winning move."
        if state.step:
            return "First say whether to set a trap on the square just left: y or n."
        if not isinstance(record, int) or not 1 <= record <= self.max_step:
            return f"A move is 1 to {self.max_step} squares, not {brief(record)}."
        start = 0 if state.returning[seat - 1] else state.positions[seat - 1]
        return (
            f"{record} squares from square {start} would go beyond square {self.length}: "
            "it must be reached exactly."
        )


def walled_off(positions: Pair, returning: Pair, traps: Pair, max_step: int) -> bool:
    """Whether neither player has a route to the goal, from where they stand or from 0.

    A wall ahead of a player is ahead of 0 too, so the walls ahead decide; and whoever
    is on the way back has all of them ahead.
    """
    if traps[0] == 0 or traps[1] == 0:
        return False
    for seat in range(2):
        ahead = traps[1 - seat]
        if not returning[seat]:
            ahead >>= positions[seat] + 1
        run = ahead
        for _ in range(max_step - 1):
            ahead >>= 1
            run &= ahead
        if run == 0:
            return False
    return True
