"""Hidden Path: run to the last step; the other's traps send you back to the start once each."""

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
    SEATS,
    Moved,
    Returned,
    Triggered,
    brief,
    other,
    won,
)
from trapline.games.habits import brisk_step, hiding_appeal, seen_by, step_appeal, traps_that_fit
from trapline.games.hidden_path.expectations import EXPECTATIONS
from trapline.games.hidden_path.lesson import LESSON
from trapline.games.hidden_path.presets import PRESETS
from trapline.games.hidden_path.words import HiddenPathWords
from trapline.games.tracks import (
    LONGEST,
    MaxStep,
    Pair,
    Switch,
    TrapCount,
    hide_traps,
    steps_from,
    with_item,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

    from trapline.core import Actor, AnyEvent, Question, Seat, View, Viewer
    from trapline.games.hidden_path.solving import PathMethod


class Options(core.Options, frozen=True):
    length: Annotated[
        int, Meta(ge=1, le=LONGEST, description=f"a whole number from 1 to {LONGEST}")
    ] = 10
    traps: TrapCount = 3
    max_step: MaxStep = 3
    goal_traps: Switch = True
    walls: Switch = True


class State(core.State, frozen=True, gc=False):
    memory: ClassVar = ("landed",)

    positions: Pair
    traps: Pair
    """Each player's traps, as bits; none until they are hidden."""
    sprung: Pair
    """Those that were triggered: revealed, and removed."""
    landed: Pair
    """Where each player has landed."""


class HiddenPath(core.Game[State]):
    name = "hidden-path"
    title = "Hidden Path"
    summary = "Race along the path. Three traps you cannot see send you back to the start."
    place = "step"
    land = "forest"
    pictured = (
        "Each of you hides three traps. You see your own and never the other’s; here all lie open.",
        "Whoever lands on a trap of the other goes back to the start. The trap is spent.",
        "Whoever lands on step 10 first wins. It must be reached exactly.",
    )
    minutes = "2–4"
    options_type = Options
    default_first = "toss"
    open_turns = True
    lockable = True
    mirrors = True
    words = HiddenPathWords
    option_words: ClassVar = {
        "length": "Steps to the goal",
        "traps": "Traps that each player hides",
        "max_step": "Longest move, in steps",
        "goal_traps": "The goal itself may be trapped",
        "walls": "Traps may make a wall that no move can cross",
    }
    variants: ClassVar = {"length": [4, 5, 6, 10], "traps": [1, 2, 3]}

    presets = PRESETS
    lesson = LESSON
    expectations = EXPECTATIONS

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.length = options.length
        last = options.length if options.goal_traps else options.length - 1
        self.places = (1 << last + 1) - 2
        self.steps = steps_from(options.length, options.max_step)
        wall = None if options.walls else options.max_step
        self.hiding = hide_traps(last, options.traps, wall, "step")

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0), (0, 0), (0, 0), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        one, two = state.traps
        if one and two:
            return self.steps[state.positions[seat - 1]] if seat == state.mover else NO_QUESTION
        return self.hiding if state.traps[seat - 1] == 0 else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        traps, sprung = state.traps, state.sprung
        if traps[seat - 1] == 0:
            traps = with_item(traps, seat, answer)
            return State(state.mover, 0, ONGOING, state.positions, traps, sprung, state.landed)
        (one, two), (mine, theirs) = state.positions, state.landed
        to = (one if seat == 1 else two) + answer
        there = 1 << to
        outcome = ONGOING
        # The trap is checked before the win: a trapped last step sends the runner back.
        # An exclusive or would be quicker, but the solvers, who watch these numbers, would take it
        # for something that depends on more than this square.
        if there & traps[2 - seat] & ~sprung[2 - seat]:
            sprung = with_item(sprung, 3 - seat, sprung[2 - seat] | there)
            to = 0
        elif to == self.length:
            outcome = won(seat, GOAL)
        turn = state.turn + 1
        if seat == 1:
            landed = (mine | there, theirs)
            return State(2, turn, outcome, (to, two), traps, sprung, landed)
        landed = (mine, theirs | there)
        return State(1, turn, outcome, (one, to), traps, sprung, landed)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn == before.turn:
            return
        start = before.positions[seat - 1]
        yield Moved(seat, start, start + answer)
        if after.sprung != before.sprung:
            yield Triggered(seat, start + answer)
            yield Returned(seat)

    def board(self, state: State, seat: Viewer, over: bool) -> Track:
        mine = state.traps[0] if over or seat == 1 else 0
        theirs = state.traps[1] if over or seat == 2 else 0
        return track(
            self.length,
            state.positions,
            (self.length, self.length),
            (mine & ~state.sprung[0], theirs & ~state.sprung[1]),
            state.sprung,
            0,
            (0, 0),
            (self.places & ~state.landed[0], self.places & ~state.landed[1]),
            -1,
        )

    def longest(self) -> int:
        """Both may go the whole way by single steps, once more for each trap they meet."""
        return 2 * self.options.length * (self.options.traps + 1)

    def positions(self, state: State) -> Pair:
        return state.positions

    def method(self) -> PathMethod:
        from trapline.games.hidden_path.solving import PathMethod  # it needs NumPy

        return PathMethod(self)

    def with_secrets(self, state: State, secrets: Pair) -> State:
        return msgspec.structs.replace(state, traps=secrets)

    def depends_on(self, state: State, seat: Seat, answer: int) -> tuple[Seat, tuple[int]] | None:
        to = state.positions[seat - 1] + answer
        return (other(seat), (to,)) if self.places >> to & 1 else None

    def restraints(self) -> Mapping[str, Callable[[int], bool]]:
        if not self.options.goal_traps:
            return {}
        return {"never traps the goal": lambda secret: not secret >> self.length & 1}

    # --- how people play ----------------------------------------------------------------

    def instinct(self, view: View, answer: core.Form) -> float:
        board, seat = seen_by(view)
        if isinstance(answer, tuple):
            return hiding_appeal(answer, self.length)  # late traps cost the runner most
        safe = self.places & ~bits(board.doubt[seat - 1])
        return step_appeal(board, seat, answer, safe=safe)

    def brisk(self, state: State, seat: Seat, question: Question, rng: Random) -> int:
        if question.choose:
            return question.random(rng)
        start, safe = state.positions[seat - 1], state.landed[seat - 1]
        return brisk_step(question, rng, start=start, way=1, goal=self.length, bad=0, safe=safe)

    def likely_world(self, view: View, rng: Random) -> State | None:
        board, seat = seen_by(view)
        if not isinstance(view.secret, tuple) or not all(view.ready):
            return None
        mine = bits(view.secret)
        hit = [bits([t.at for t in board.traps if t.owner == w and t.sprung]) for w in SEATS]
        theirs = traps_that_fit(self.hiding, hit[2 - seat], board.doubt[seat - 1], rng)
        if theirs is None:
            return None
        traps = (mine, theirs) if seat == 1 else (theirs, mine)
        one, two = (self.places & ~bits(doubt) for doubt in board.doubt)
        return State(seat, view.turn, ONGOING, board.positions, traps, (hit[0], hit[1]), (one, two))

    def why_not(self, state: State, seat: Seat, record: core.Form) -> str:
        if not isinstance(record, int):
            return ""
        if not 1 <= record <= self.options.max_step:
            return f"A move is 1 to {self.options.max_step} steps, not {brief(record)}."
        return (
            f"{record} steps from Step {state.positions[seat - 1]} would go beyond "
            f"Step {self.length}: it must be reached exactly."
        )
