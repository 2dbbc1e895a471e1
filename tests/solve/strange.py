"""Small games that a careless solver would get wrong, each for another reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from trapline import core
from trapline.boards import Fact, Panel
from trapline.core import (
    NO_QUESTION,
    ONGOING,
    SECRET,
    Told,
    Whispered,
    ask_chance,
    ask_number,
    drawn,
    won,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Actor, AnyEvent, Question, Seat, Viewer


class State(core.State, frozen=True, gc=False):
    hidden: tuple[int, int] = (-1, -1)
    """What both have hidden, −1 for nothing yet."""
    told: int = -1
    """What has been answered in the open."""
    die: int = -1


class Strange(core.Game[State]):
    """Both hide 0 or 1. Whoever moves first then says 0 or 1, and something comes of it."""

    name = "strange"
    title = "Strange"
    summary = "A game that a careless solver would get wrong."
    hides_at_first: ClassVar[bool] = True

    def __init__(self, options: Any) -> None:
        self.options = options
        self.hiding = ask_number(SECRET, (0, 1), sealed=True)
        self.saying = ask_number("say", (0, 1))
        self.rolling = ask_chance("roll", (1, 1))

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING)

    def question(self, state: State, seat: Seat) -> Question | None:
        if self.hides_at_first and state.hidden[seat - 1] < 0:
            return self.hiding
        if seat != state.mover or (self.hides_at_first and state.hidden[2 - seat] < 0):
            return NO_QUESTION
        return self.saying

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        if self.hides_at_first and state.hidden[seat - 1] < 0:
            one, two = state.hidden
            hidden = (answer, two) if seat == 1 else (one, answer)
            return msgspec.structs.replace(state, hidden=hidden)
        return self.said(state, seat, answer)

    def said(self, state: State, seat: Seat, answer: int) -> State:
        """By default the speaker wins by naming what the other has hidden."""
        outcome = won(seat if answer == state.hidden[2 - seat] else 3 - seat, "guess")
        return State(3 - seat, state.turn + 1, outcome, state.hidden, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn > before.turn:
            yield Told(seat, f"{{by}} says {answer}.")

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        return Panel(
            tuple(
                Fact(f"hidden by {who}", hidden if over or seat == who else -1, 1, str(hidden), who)
                for who, hidden in zip(core.SEATS, state.hidden, strict=True)
            )
        )

    def with_secrets(self, state: State, secrets: tuple[int, int]) -> State:
        return msgspec.structs.replace(state, hidden=secrets)


class Guess(Strange):
    """As it is, a matter of pure luck: worth 0."""


class Pennies(Strange):
    """The first mover's answer is hidden; the other guesses it. Worth 0."""

    hides_at_first = False

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        if state.turn == 0:
            one, two = state.hidden
            hidden = (answer, two) if seat == 1 else (one, answer)
            return State(3 - seat, 1, ONGOING, hidden)
        right = answer == state.hidden[2 - seat]
        return State(3 - seat, 2, won(seat if right else 3 - seat, "guess"), state.hidden, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        yield Told(seat, "{by} says something." if before.turn == 0 else f"{{by}} says {answer}.")


class SilentPennies(Pennies):
    """The same, and nobody is told anything: the board has to do."""

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        yield from ()


class Both(Strange):
    """What follows depends on both secrets at once: saying 1 wins if both have hidden 1.

    Saying 0 wins if neither has. So only who hides 0 can lose by a wrong guess: worth 1/3 … or
    rather whatever the whole tree says, which a method for one secret at a time does not.
    """

    def said(self, state: State, seat: Seat, answer: int) -> State:
        both = state.hidden[0] & state.hidden[1]
        neither = 1 - (state.hidden[0] | state.hidden[1])
        outcome = drawn("quits")
        if both if answer else neither:
            outcome = won(seat, "guess")
        elif answer and not neither and not both:
            outcome = won(3 - seat, "guess")
        return State(3 - seat, state.turn + 1, outcome, state.hidden, answer)


class And(Strange):
    """Nothing happens unless both have hidden 1; then the second mover wins outright."""

    def said(self, state: State, seat: Seat, answer: int) -> State:
        outcome = drawn("quits")
        if state.hidden[0] == 1 and state.hidden[1] == 1:
            outcome = won(3 - seat, "trapped")
        return State(3 - seat, state.turn + 1, outcome, state.hidden, answer)


class LeakingQuestion(Strange):
    """What may be said depends on what the other has hidden."""

    def question(self, state: State, seat: Seat) -> Question | None:
        found = super().question(state, seat)
        if found is self.saying and state.hidden[2 - seat] == 1:
            return ask_number("say", (1,))
        return found


class Spy(Strange):
    """Who has hidden 1 is shown what the other has hidden, after a first word."""

    def said(self, state: State, seat: Seat, answer: int) -> State:
        if state.turn == 0:
            return State(3 - seat, 1, ONGOING, state.hidden, answer)
        return super().said(state, seat, answer)

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        own = state.hidden[seat - 1] if seat is not None else 0
        if own == 1 and state.turn:
            over = True
        return super().board(state, seat, over)


class Rolled(Strange):
    """A die is thrown before the word, and the speaker sees it: it points at the secret's half."""

    draws = True

    def chance(self, state: State) -> Question | None:
        ready = state.hidden[0] >= 0 and state.hidden[1] >= 0
        return self.rolling if ready and state.die < 0 else NO_QUESTION

    def dealt(self, state: State, answer: int) -> State:
        return msgspec.structs.replace(state, die=answer)

    def said(self, state: State, seat: Seat, answer: int) -> State:
        if state.die == 0:  # then everything wins
            return State(3 - seat, 1, won(seat, "luck"), state.hidden, answer)
        return super().said(state, seat, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if seat == core.CHANCE:
            yield Told(seat, f"The die shows {answer}.")
        else:
            yield from super().events(before, 2 if seat == 2 else 1, answer, after)


class Forgetful(Strange):
    """The first mover is asked twice, is not shown the first answer, and wins by repeating it."""

    hides_at_first = False

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        if state.turn == 0:
            return State(3 - seat, 1, ONGOING, state.hidden, answer)
        if state.turn == 1:
            return State(3 - seat, 2, ONGOING, state.hidden, state.told)
        outcome = won(seat if answer == state.told else 3 - seat, "memory")
        return State(3 - seat, 3, outcome, state.hidden, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        yield Told(seat, "{by} has answered.")


class Whispers(Strange):
    """One player is told, and nobody else, what the other has hidden."""

    def said(self, state: State, seat: Seat, answer: int) -> State:
        if state.turn == 0:
            return State(3 - seat, 1, ONGOING, state.hidden, answer)
        return super().said(state, seat, answer)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        yield from super().events(before, seat, answer, after)
        if after.turn == 1 and seat != core.CHANCE:
            yield Whispered(core.other(seat), f"It is {after.hidden[seat - 1]}.")


class Counting(Strange):
    """Nothing is hidden; whoever speaks in an even turn wins by saying 1."""

    hides = False
    hides_at_first = False

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        turn = state.turn + 1
        outcome = ONGOING
        if turn % 2 == 0 and answer:
            outcome = won(seat, "even")
        elif turn == 4:
            outcome = drawn("over")
        return State(3 - seat, turn, outcome, state.hidden, answer)


class Round(Strange):
    """Goes on for ever, unless somebody says 1, and then the other wins."""

    hides = False
    hides_at_first = False

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        outcome = won(3 - seat, "said it") if answer else ONGOING
        return State(3 - seat, state.turn + 1, outcome, state.hidden, answer)


class RoundWithSecrets(Round):
    """The same, and what was hidden decides who wins when somebody says 1: never the speaker
    who has hidden the same as the other."""

    hides = True
    hides_at_first = True

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        return Strange.apply(self, state, seat, answer)

    def said(self, state: State, seat: Seat, answer: int) -> State:
        outcome = ONGOING
        if answer:
            outcome = won(3 - seat if state.hidden[0] == state.hidden[1] else seat, "said it")
        return State(3 - seat, state.turn + 1, outcome, state.hidden, answer)


class AtOnce(Strange):
    """Both are asked at once, and the later one is shown the earlier answer."""

    hides_at_first = False

    def start(self, first: Seat) -> State:
        return State(0, 0, ONGOING)

    def question(self, state: State, seat: Seat) -> Question | None:
        return self.saying if state.hidden[seat - 1] < 0 else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        one, two = state.hidden
        hidden = (answer, two) if seat == 1 else (one, answer)
        if hidden[0] < 0 or hidden[1] < 0:
            return State(0, 0, ONGOING, hidden)
        return State(0, 1, won(1 if hidden[0] == hidden[1] else 2, "pennies"), hidden)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        yield from ()

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        return super().board(state, seat, over=True)


class FairlyAtOnce(AtOnce):
    """The same, and nothing is shown before both have answered: matching pennies, worth 0."""

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        return Strange.board(self, state, seat, over)


def make(kind: type[Strange]) -> Strange:
    return kind(core.Options())
