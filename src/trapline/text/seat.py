"""One seat of a match, for a player who reads text and writes text.

What the player writes is read by the referee alone: around an answer there may be anything, and
the other player is told the answer as far as the rules say, never the text around it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from trapline import contest
from trapline.core import BY_SEAT, MoveRefused, NotNow, other
from trapline.core.pages import deciding
from trapline.games import changed_options
from trapline.players.replies import read_reply
from trapline.text.briefing import Briefing

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Game, Seat, View
    from trapline.players import Choose
    from trapline.referee import Match

RESIGN, DRAW = "resign", "draw"

HOW_TO_ANSWER = """\
## How to answer

Put your answer in square brackets, as the question lists it, and nothing else into brackets.
Around it write what you like: the referee alone reads your text; your opponent is told what the
rules let them know of your answer, and nothing more. [resign] gives up the game. [draw] offers a
draw, or accepts your opponent's offer. A reply that is not allowed is explained to you, and you
answer again; after {mistakes} in a row the next one loses the game."""


class TextSeat:
    def __init__(self, match: Match, seat: Seat, told: int = 0) -> None:
        """`told` is how many events the player has been told of already."""
        self.match = match
        self.seat = seat
        self._told = told
        self._offered: int | None = None
        """The turn in which the last draw was offered."""

    def view(self) -> View:
        return self.match.view(self.seat)

    # --- what the player reads ----------------------------------------------------------

    def prompt(self, mistakes: int) -> str:
        """The rules, the options of this match, and how to answer."""
        return prompt(self.match.game, self.seat, self.match.first, mistakes)

    def hear(self, last: str | None = None) -> tuple[list[str], str]:
        """What has happened and was not told yet, and the position."""
        view = self.view()
        # A refused move is between its author and the referee, who explains it at once.
        fresh = [e for e in view.events[self._told :] if not isinstance(e, MoveRefused)]
        self._told = len(view.events)
        game = self.match.game
        news = Briefing(game, replace(view, events=tuple(fresh))).news() if fresh else []
        return news, _position(Briefing(game, view), last)

    def position(self) -> str:
        """The board as the player may see it, and a last line: what they are asked."""
        return _position(Briefing(self.match.game, self.view()))

    # --- what the player writes ---------------------------------------------------------

    def obey(self, reply: str) -> None:
        """Do what a reply says; TraplineError, and nothing done, where that is not allowed."""
        text = read_reply(reply)
        if text == RESIGN:
            self.match.resign(self.seat)
        elif text == DRAW:
            self.offer_draw()
        else:
            self.answer(text)

    def answer(self, text: str) -> None:
        self.match.play(self.seat, *self.match.read(self.seat, text))

    def offer_draw(self) -> None:
        """Once a turn: in the middle of one, the referee would note offers for ever."""
        turn = self.view().turn
        if self._offered == turn and self.match.outcome is None:
            raise NotNow("You have offered a draw in this turn already: answer the question.")
        self.match.offer_draw(self.seat)
        self._offered = turn

    def answer_what_goes_without_saying(self) -> None:
        """Where a question has one answer that nobody expects to be asked for, give it."""
        while (question := self.match.question(self.seat)) is not None:
            if question.usual is None or not question.forced:
                break
            self.match.play(self.seat, question.record(question.usual))


@lru_cache(maxsize=256)
def prompt(game: Game[Any], seat: Seat, first: Seat, mistakes: int) -> str:
    """Every match of a game begins with one of few such pages."""
    settings = [f"In this match `{k}` is {v}." for k, v in changed_options(game).items()]
    settings.append(f"{BY_SEAT[first]} moves first.")
    you = f"You are {BY_SEAT[seat]} in a game of {game.title}."
    how = HOW_TO_ANSWER.format(mistakes=mistakes)
    return "\n\n".join([you, deciding(game), "\n".join(settings), how])


def _position(briefing: Briefing, last: str | None = None) -> str:
    lines = [last] if last is not None else briefing.ending() or [briefing.question()]
    return "\n".join([*briefing.position(), *lines])


class AgainstProgram(TextSeat):
    """A seat whose opponent is a program, which has always answered already."""

    def __init__(self, match: Match, seat: Seat, choose: Choose, chance: Random) -> None:
        super().__init__(match, seat)
        self._choose, self._chance = choose, chance
        self.go_on()

    def answer(self, text: str) -> None:
        super().answer(text)
        self.go_on()

    def offer_draw(self) -> None:
        """Programs play on, except where the game is drawn."""
        super().offer_draw()
        if self.view().draw_offer == self.seat:
            from trapline.coach.offers import accepts_draw  # loads the solver

            rival = other(self.seat)
            accepted = accepts_draw(self.match, rival)
            (self.match.accept_draw if accepted else self.match.decline_draw)(rival)

    def go_on(self) -> None:
        self.answer_what_goes_without_saying()
        players = {other(self.seat): self._choose}
        contest.play_out(self.match, players, lambda _: self._chance)
