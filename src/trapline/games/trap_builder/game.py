"""Trap Builder: run to the other's start; the other's traps end the game at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from trapline import core
from trapline.boards import track
from trapline.boards.track import Track, bits
from trapline.core import (
    GOAL,
    NO_QUESTION,
    ONGOING,
    TRAP,
    Moved,
    OptionsError,
    Triggered,
    brief,
    other,
    won,
)
from trapline.games.habits import brisk_step, hiding_appeal, seen_by, step_appeal, traps_that_fit
from trapline.games.tracks import (
    Length,
    MaxStep,
    Pair,
    Switch,
    TrapCount,
    ask_steps,
    hide_traps,
    with_item,
)
from trapline.games.trap_builder.expectations import EXPECTATIONS
from trapline.games.trap_builder.lesson import LESSON
from trapline.games.trap_builder.presets import PRESETS
from trapline.games.trap_builder.words import TrapBuilderWords

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Actor, AnyEvent, Question, Seat, View, Viewer
    from trapline.games.trap_builder.solving import BuilderMethod


class Options(core.Options, frozen=True):
    length: Length = 10
    traps: TrapCount = 3
    max_step: MaxStep = 3
    trigger: Annotated[Literal["landing", "passing"], Meta(description="landing or passing")] = (
        "landing"
    )
    walls: Switch = True


class State(core.State, frozen=True, gc=False):
    memory: ClassVar = ("cleared",)

    positions: Pair
    traps: Pair
    """Each player's traps, as bits; none until they are hidden."""
    hit: Pair
    """The trap of each player that ended the game, as a bit."""
    cleared: Pair
    """Where each player has found no trap."""


class TrapBuilder(core.Game[State]):
    name = "trap-builder"
    title = "Trap Builder"
    summary = "Run towards each other. One step on a hidden trap and the game is lost."
    place = "position"
    land = "gorge"
    pictured = (
        "You run towards each other, and each of you has hidden three traps. Here all lie open.",
        "By turns you move one, two or three positions. Running past a trap is safe.",
        "Whoever lands on a trap of the other has lost at once. Whoever gets across first wins.",
    )
    minutes = "2–4"
    options_type = Options
    default_first = 1
    open_turns = True
    mirrors = True
    words = TrapBuilderWords
    option_words: ClassVar = {
        "length": "Positions to the other end",
        "traps": "Traps that each player hides",
        "max_step": "Longest move, in positions",
        "trigger": "A trap catches whoever is landing on it, or also passing it",
        "walls": "Traps may make a wall that no move can cross",
    }
    variants: ClassVar = {
        "length": [6, 8, 10],
        "traps": [1, 2, 3],
        "trigger": ["landing", "passing"],
        "walls": [True, False],
    }

    presets = PRESETS
    lesson = LESSON
    expectations = EXPECTATIONS
    lockable = True

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        if options.max_step == 1:
            raise OptionsError(
                "max_step must be at least 2: with single steps the two runners would meet "
                "and block each other for ever."
            )
        self.max_step = options.max_step
        self.passing = options.trigger == "passing"
        self.places_a_move = options.max_step if self.passing else 1
        self.places = (1 << options.length) - 2
        self.up = _steps(options.length, options.max_step, 1)
        self.down = _steps(options.length, options.max_step, -1)
        wall = None if options.walls else options.max_step
        self.hiding = hide_traps(options.length - 1, options.traps, wall, "position")

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, self.length), (0, 0), (0, 0), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        one, two = state.traps
        if one == 0 or two == 0:
            return self.hiding if state.traps[seat - 1] == 0 else NO_QUESTION
        if seat != state.mover:
            return NO_QUESTION
        one, two = state.positions
        gap = two - one
        near = gap if 0 < gap <= self.max_step else 0
        return self.up[one][near] if seat == 1 else self.down[two][near]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        if state.traps[seat - 1] == 0:
            traps = with_item(state.traps, seat, answer)
            return State(state.mover, 0, ONGOING, state.positions, traps, state.hit, state.cleared)
        rival = 3 - seat
        traps_ahead = state.traps[rival - 1]
        way = 1 if seat == 1 else -1
        to = state.positions[seat - 1] + way * answer
        cleared = state.cleared[seat - 1] | 1 << to
        if self.passing:
            # The piece stops on the first trap on its way, the landing position included.
            at = state.positions[seat - 1]
            while at != to and traps_ahead >> at & 1 == 0:
                cleared |= 1 << at
                at += way
            to = at
        hit = state.hit
        outcome = ONGOING
        if traps_ahead >> to & 1:
            outcome = won(rival, TRAP)
            hit = with_item(hit, rival, 1 << to)
        elif to == (self.length if seat == 1 else 0):
            outcome = won(seat, GOAL)
        return State(
            rival,
            state.turn + 1,
            outcome,
            with_item(state.positions, seat, to),
            state.traps,
            hit,
            with_item(state.cleared, seat, cleared),
        )

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn == before.turn:
            return
        to = after.positions[seat - 1]
        yield Moved(seat, before.positions[seat - 1], to)
        if after.hit != before.hit:
            yield Triggered(seat, to)

    def board(self, state: State, seat: Viewer, over: bool) -> Track:
        mine = state.traps[0] if over or seat == 1 else 0
        theirs = state.traps[1] if over or seat == 2 else 0
        return track(
            self.length,
            state.positions,
            (self.length, 0),
            (mine, theirs),
            state.hit,
            0,
            (0, 0),
            (self.places & ~state.cleared[0], self.places & ~state.cleared[1]),
            -1,
        )

    def method(self) -> BuilderMethod:
        from trapline.games.trap_builder.solving import BuilderMethod  # nobody else needs it

        return BuilderMethod(self)

    def longest(self) -> int:
        """Both may go the whole way by single steps, once more for each trap they meet."""
        return 2 * self.options.length * (self.options.traps + 1)

    def positions(self, state: State) -> Pair:
        return state.positions

    def with_secrets(self, state: State, secrets: Pair) -> State:
        return msgspec.structs.replace(state, traps=secrets)

    def depends_on(
        self, state: State, seat: Seat, answer: int
    ) -> tuple[Seat, tuple[int, ...]] | None:
        start, way = state.positions[seat - 1], 1 if seat == 1 else -1
        steps = range(1, answer + 1) if self.passing else (answer,)
        met = [start + way * step for step in steps]
        return other(seat), tuple(place for place in met if self.places >> place & 1)

    # --- how people play ----------------------------------------------------------------

    def instinct(self, view: View, answer: core.Form) -> float:
        board, seat = seen_by(view)
        if isinstance(answer, tuple):
            return hiding_appeal(answer, board.positions[2 - seat])  # early ones are met for sure
        return step_appeal(board, seat, answer)

    def brisk(self, state: State, seat: Seat, question: Question, rng: Random) -> int:
        if question.choose:
            return question.random(rng)
        way, goal = (1, self.length) if seat == 1 else (-1, 0)
        start = state.positions[seat - 1]
        return brisk_step(question, rng, start=start, way=way, goal=goal, bad=0, safe=0)

    def likely_world(self, view: View, rng: Random) -> State | None:
        board, seat = seen_by(view)
        if not isinstance(view.secret, tuple) or not all(view.ready):
            return None
        mine = bits(view.secret)
        theirs = traps_that_fit(self.hiding, 0, board.doubt[seat - 1], rng)
        if theirs is None:
            return None
        traps = (mine, theirs) if seat == 1 else (theirs, mine)
        one, two = (self.places & ~bits(doubt) for doubt in board.doubt)
        return State(seat, view.turn, ONGOING, board.positions, traps, (0, 0), (one, two))

    def why_not(self, state: State, seat: Seat, record: core.Form) -> str:
        if not isinstance(record, int):
            return ""
        if not 1 <= record <= self.options.max_step:
            return f"A move is 1 to {self.options.max_step} steps, not {brief(record)}."
        start = state.positions[seat - 1]
        to = start + record if seat == 1 else start - record
        if not 0 <= to <= self.length:
            goal = self.length if seat == 1 else 0
            return f"{record} steps from Position {start} would go beyond Position {goal}."
        return f"Position {to} is taken: you may pass the other player, but not land there."


def _steps(length: int, max_step: int, way: int) -> tuple[tuple[Question | None, ...], ...]:
    """By where the mover stands, and how far ahead the opponent does (0: not near)."""
    return tuple(
        tuple(
            ask_steps(at, (step for step in range(1, ahead + 1) if step != gap), way)
            for gap in range(min(max_step, length) + 1)
        )
        for at in range(length + 1)
        for ahead in [min(max_step, length - at if way == 1 else at)]
    )
