"""What is said at the table about one View, for the eyes of its seat.

`Words` speaks for any game; a game bends what its rulebook says otherwise. Terminal, page, log
and players that read text all take their sentences from here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from trapline.core.events import (
    AnyEvent,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    Moved,
    MoveRefused,
    Returned,
    TakenBack,
    Told,
    TrapTried,
    Triggered,
    Whispered,
)
from trapline.core.outcomes import TURN_LIMIT, Reason
from trapline.core.questions import SECRET
from trapline.core.seats import SEATS, Seat, other

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core.games import Game
    from trapline.core.outcomes import Outcome
    from trapline.core.questions import Form, Question
    from trapline.core.views import View

Names = dict[Seat, str]

BY_SEAT: Names = {seat: f"Player {seat}" for seat in SEATS}
"""Players who have no other name are called by their seats, as the rulebooks do."""
SHOWN_DIGITS = 32
"""How much of a commitment players see: 128 bits, which nobody can aim at."""


MOST_LISTED = 6
"""More answers than this are not listed in a prompt; an example stands for them."""


def _choices(question: Question) -> str:
    sample = question.legal[0]
    if isinstance(sample, int):
        return span(question.legal)
    if isinstance(sample, tuple) or len(question.answers) > MOST_LISTED:
        return question.example()
    return one_of(tuple(answer.text for answer in question.answers))


@lru_cache(maxsize=1024)
def _listed(question: Question) -> str:
    """The same few questions are put again and again."""
    return f"Answer one of: {' '.join(answer.text for answer in question.answers)}."


@lru_cache(maxsize=1024)
def one_of(choices: tuple[Form, ...]) -> str:
    """1, 2, or 3"""
    texts = [spoken(choice) for choice in choices]
    if len(texts) <= 2:
        return " or ".join(texts)
    return ", ".join(texts[:-1]) + f", or {texts[-1]}"


def span(choices: tuple[Form, ...]) -> str:
    """1-3, or a list where there are gaps"""
    first, last = choices[0], choices[-1]
    if isinstance(first, int) and isinstance(last, int) and last - first == len(choices) - 1 > 0:
        return f"{first}-{last}"
    return one_of(choices)


def spoken(form: Form) -> str:
    """An answer in a record's form, as a sentence holds it."""
    return f"({form[0]},{form[1]})" if isinstance(form, tuple) else str(form)


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def in_words(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else str(count)


class Words:
    """Sentences about one View."""

    secret_name: ClassVar[str] = SECRET
    """What a player's secret is called."""
    sealed_name: ClassVar[str] = "hidden answer"
    """What is hidden in a turn, where turns are sealed."""
    shorthand: ClassVar[str] = ""
    """What `help` says of a line that answers several questions at once, if there is one."""

    def __init__(self, game: Game, view: View, names: Names = BY_SEAT) -> None:  # type: ignore[type-arg]  # any state
        self.game = game
        self.view = view
        self.names = names
        self.hidden_from = ""
        """Who must not see what is typed, where two people share a device."""

    # --- questions ----------------------------------------------------------------------

    def welcome(self) -> list[str]:
        return [f"Welcome to {self.game.title}!"]

    def heading(self, seat: Seat) -> list[str]:
        """What stands above a question of a turn."""
        return [f"{self.names[seat]}'s turn."]

    def prompt(self, seat: Seat) -> str:
        """The question that the View's seat is asked, ending with a colon and a space."""
        question = self.view.question
        assert question is not None  # only who is asked is prompted
        if question.prompt:
            return f"{question.prompt.rstrip(': ')}{self.aside()}: "
        if question.choose:
            what = f"{in_words(question.choose)} {question.noun}{'s' * (question.choose > 1)}"
            ends = f"{question.answers[0].text}-{question.answers[-1].text}"
            return f"{self.names[seat]}, choose {what} ({ends}{self.aside()}): "
        return f"{self.names[seat]}, enter your {question.asks} ({_choices(question)}): "

    def plain_prompt(self, seat: Seat) -> str:
        """The same where every answer is listed after it."""
        return self.prompt(seat)

    def wanted(self) -> str:
        """What a question for a secret says is wanted."""
        question = self.view.question
        assert question is not None  # only who is asked is told
        noun = "number" if question.choose == 1 else "numbers"
        ends = f"{question.answers[0].text}-{question.answers[-1].text}"
        return f"{in_words(question.choose or 1)} {noun} between {ends}"

    def aside(self) -> str:
        """What a question for a secret adds where two people share a device."""
        return f", hidden from {self.hidden_from}" if self.hidden_from else ""

    def question(self) -> str:
        """What the viewer is asked now, with every answer; or whom everybody waits for.

        For players that read nothing but text.
        """
        view, asked = self.view, self.view.question
        if asked is not None and view.seat is not None:
            asks = self.plain_prompt(view.seat).strip().rstrip(":")
            if asked.choose:
                return f"{asks}."
            return f"{asks}{'' if asks.endswith('?') else '.'} {_listed(asked)}"
        if view.outcome is not None:
            return "The match is over."
        waiting = "Your opponent is choosing"
        if view.to_move is not None:
            waiting = f"It is {self.names[view.to_move]}'s turn"
        return f"{waiting}; you are not asked anything now."

    def selected(self, seat: Seat) -> list[str]:
        """What everybody hears when a player has chosen a secret."""
        return []

    # --- the account of what happened ---------------------------------------------------

    def account(self, sealed: Mapping[str, str]) -> list[str]:
        """What the seat has heard, in order; a longer history only adds lines at the end.

        `sealed` holds the commitments so far, for games whose turns hide something.
        """
        told = self.told(sealed)
        return [line for lines in told for line in lines]

    def told(self, sealed: Mapping[str, str]) -> list[list[str]]:
        """The lines of each event; those of a seal that follows it go with it."""
        events = self.view.events
        return [
            self.say(event, events[index + 1] if index + 1 < len(events) else None)
            for index, event in enumerate(events)
        ]

    def say(self, event: AnyEvent, following: AnyEvent | None) -> list[str]:
        name = self.names[event.by] if event.by else "Chance"
        match event:
            case Moved():
                return self.moved(event, name, isinstance(following, Triggered))
            case Triggered():
                return self.triggered(event, name)
            case Returned():
                return self.returned(event, name)
            case TrapTried():
                return self.trap_tried(event)
            case Told() | Whispered():
                rival = self.names[other(event.by)] if event.by else ""
                return [event.text.replace("{by}", name).replace("{other}", rival)]
            case MoveRefused():
                # One slip is between the player and the referee; three may cost the game.
                many = event.count >= 3
                return [f"{name} has made {event.count} refused moves in a row."] if many else []
            case ClaimWaived():
                return [f"{name} lets it pass."]
            case DrawOffered():
                return [f"{name} offers a draw."]
            case DrawDeclined():
                return [f"{name} declines the draw."]
            case TakenBack():
                return [f"{name} takes a turn back."]

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        return [f"{name} moves to {self.game.place} {spoken(event.to)}."]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"{name} lands on a trap on {self.game.place} {spoken(event.at)}!"]

    def returned(self, event: Returned, name: str) -> list[str]:
        return [f"{name} goes back to the start."]

    def trap_tried(self, event: TrapTried) -> list[str]:
        at = f"{self.game.place} {spoken(event.at)}"
        if event.succeeded:
            return [f"You set a trap on {at}."]
        rival = self.names[other(event.by)] if event.by else ""
        return [f"No trap set: one of {rival}'s is already on {at}."]

    # --- the end ------------------------------------------------------------------------

    def ending(self, outcome: Outcome) -> list[str]:
        if outcome.winner is None:
            return [f"The game is drawn: {self.why_drawn(outcome.reason)}."]
        winner, loser = self.names[outcome.winner], self.names[other(outcome.winner)]
        match outcome.reason:
            case Reason.RESIGNED:
                return [f"{loser} resigns. {winner} wins the game!"]
            case Reason.FORFEIT:
                return [f"{winner} claims the game after {loser}'s refused moves, and wins."]
            case Reason.TIME:
                return [f"{loser}'s time is up. {winner} wins the game!"]
            case Reason.UNOPENED:
                return [f"{loser} did not open what was hidden. {winner} wins the game!"]
            case Reason.BROKEN_SECRET:
                return [f"{loser} hid what the rules do not allow. {winner} wins the game!"]
            case _:
                return self.won(winner)

    def won(self, winner: str) -> list[str]:
        return [f"{winner} wins the game!"]

    def why_drawn(self, reason: str) -> str:
        if reason == TURN_LIMIT:
            return f"the limit of {plural(self.view.turn, 'turn')} is reached"
        if reason == Reason.AGREED_DRAW:
            return "both players agreed"
        if reason == Reason.TIME:
            return "the time of both players is up"
        if reason == Reason.UNOPENED:
            return "neither player opened what was hidden"
        if reason == Reason.BROKEN_SECRET:
            return "both players hid what the rules do not allow"
        return reason
