"""Both seats of one match, for players who read and write text.

Plain answers are taken by the rules alone, which is quick, and what a player reads is put together
from sentences that were said before. Whatever else happens, a refused reply, a resignation, an
offer, or somebody who looks at the match, calls the referee: a `Match` is told all answers so far,
and leads from then on. What the players read is the same, with the referee or without.
"""

from __future__ import annotations

import time
from functools import lru_cache
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from trapline.core import BY_SEAT, SEATS, TraplineError
from trapline.core.faults import from_outside
from trapline.players.replies import read_reply
from trapline.referee import Match
from trapline.referee.agreements import moment
from trapline.referee.hearing import Hearing
from trapline.text.briefing import Briefing
from trapline.text.seat import DRAW, RESIGN, TextSeat, prompt

if TYPE_CHECKING:
    from trapline.core import AnyEvent, Board, First, Form, Game, Outcome, Question, Seat, View

MOST_KEPT = 20_000
"""Sentences, and readings of replies, that are kept for each game."""
SHORT = 40
"""Longer replies are hardly written twice."""


class Glance:
    """A View that is built only as far as it is read, and knows how far that was."""

    def __init__(
        self, table: TextTable, seat: Seat | None, events: tuple[AnyEvent, ...] | None = None
    ) -> None:
        self._table, self.seat = table, seat
        self.question = question = None if seat is None else table.question(seat)
        self.asks = None if question is None else question.asks
        self.looked = False
        """Whether the board was read, beside whose View it is, what is asked, and the events."""
        self.beyond = False
        """Whether more than that was read."""
        if events is not None:
            self.events = events

    @property
    def legal(self) -> tuple[Form, ...]:
        return () if self.question is None else self.question.legal

    @property
    def board(self) -> Board:
        self.looked = True
        return self._table.board(self.seat)

    def __getattr__(self, name: str) -> Any:
        """Everything else the referee knows."""
        self.beyond = True
        return getattr(self._table.referee().view(self.seat), name)


class Phrases:
    """What was said in matches of one game, and what replies meant."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Phrases:
        """They are the game's, not one match's."""
        return self

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.news: dict[tuple[Seat, tuple[AnyEvent, ...]], list[str]] = {}
        self.questions: dict[tuple[Seat, Question, Board | None], str] = {}
        self.looks: set[Question] = set()
        """Questions that are put in other words where the board is another."""
        self.endings: dict[Outcome, str] = {}
        self.values: dict[tuple[Question, str], int] = {}


def _tossed(seed: int | None) -> Seat:
    return (SystemRandom() if seed is None else Random(seed)).choice(SEATS)


@lru_cache(maxsize=64)
def _phrases(game: Game[Any]) -> Phrases:
    return Phrases(game)


def _keep(kept: dict[Any, Any], key: object, value: object) -> None:
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value


class TextTable:
    def __init__(self, game: Game[Any], first: First | None, seed: int | None) -> None:
        """The seed decides the toss and all else that is drawn; without one, it is by chance."""
        self.game = game
        self._phrases = _phrases(game)
        self._match: Match | None = None
        self._seats: dict[Seat, TextSeat] = {}
        """Empty for as long as the referee is not wanted."""
        self._told: dict[Seat, int] = dict.fromkeys(SEATS, 0)
        self._given: list[tuple[Seat, Question, int, Any]] = []
        self._heard = Hearing()
        chosen = first or game.default_first
        if game.draws or from_outside(type(game)):
            self._match = Match(game, first, rng=None if seed is None else Random(seed))
            self.first = self._match.first
            self._lead(self._match)
            return
        self._tossed = chosen == "toss"
        self.first = _tossed(seed) if chosen == "toss" else chosen
        self._begun = self._ended = time.time()
        self._go_on(game.start(self.first))

    # --- the referee --------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match; whoever has it may do anything with it, so it leads from now on."""
        match = self.referee()
        if not self._seats:
            self._lead(match)
        return match

    def referee(self) -> Match:
        """The match as far as it has come, to look at."""
        if self._match is None:
            self._match = Match(self.game, self.first, rng=Random(0))
            self._match.tossed = self._tossed
            self._match.started = moment(self._begun)
        given, self._given = self._given, []
        for answer in given:
            self._match.follow(*answer)
        if given and self._match.outcome is not None:
            self._match.ended = moment(self._ended)
        return self._match

    def _lead(self, match: Match) -> None:
        for seat in SEATS:
            self._seats[seat] = TextSeat(match, seat, told=self._told[seat])

    # --- how it stands ------------------------------------------------------------------

    def _go_on(self, state: Any) -> None:
        """Find who acts next, and what they are asked: one after the other where both are."""
        self._state = state
        self._asked: Seat | None = None
        self._question: Question | None = None
        if state.outcome is None:
            ask = self.game.question
            self._asked, self._question = 1, ask(state, 1)
            if self._question is None:
                self._asked, self._question = 2, ask(state, 2)

    @property
    def outcome(self) -> Outcome | None:
        if self._match is not None and self._seats:
            return self._match.outcome
        outcome: Outcome | None = self._state.outcome
        return outcome

    @property
    def asked(self) -> Seat:
        """Who is to answer."""
        if self._match is not None and self._seats:
            return self._match.asked[0]
        assert self._asked is not None  # it is not over
        return self._asked

    def question(self, seat: Seat) -> Question | None:
        if seat == self._asked or self._asked is None:
            return self._question
        return self.game.question(self._state, seat)

    def board(self, seat: Seat | None) -> Board:
        return self.game.board(self._state, seat, self._state.outcome is not None)

    # --- what a player reads ------------------------------------------------------------

    def prompt(self, seat: Seat, mistakes: int) -> str:
        return prompt(self.game, seat, self.first, mistakes)

    def hear(self, seat: Seat, last: str | None = None) -> tuple[list[str], str]:
        """What has happened and was not told yet, and the position with a last line: the question
        if there is no other."""
        if not self._seats and self._state.outcome is not None:
            self._lead(self.referee())  # everything is open now, and told once
        if self._seats:
            return self._seats[seat].hear(last)
        heard, told = self._heard.by(seat), self._told[seat]
        news: list[str] = []
        if len(heard) > told:
            self._told[seat] = len(heard)
            news = self._news(seat, tuple(heard[told:]))
        game = self.game
        board = game.board(self._state, seat, False)
        lines = board.words(BY_SEAT, game.place)
        lines.append(self._asked_in_words(seat, board) if last is None else last)
        return news, "\n".join(lines)

    def ending(self) -> str:
        """How it ended, for everybody."""
        outcome = self.outcome
        assert outcome is not None  # who asks has seen that it is over
        known = self._phrases.endings.get(outcome)
        if known is None or self._seats:
            glance = Glance(self, None)
            view: Any = self.match.view(None) if self._seats else glance
            known = " ".join(self.game.words(self.game, view).ending(outcome))
            if not self._seats and not glance.beyond and not glance.looked:
                _keep(self._phrases.endings, outcome, known)
        return known

    def _news(self, seat: Seat, fresh: tuple[AnyEvent, ...]) -> list[str]:
        known = self._phrases.news.get((seat, fresh))
        if known is None:
            glance: Any = Glance(self, seat, fresh)
            known = self.game.words(self.game, glance).account({})
            if not glance.beyond and not glance.looked:
                _keep(self._phrases.news, (seat, fresh), known)
        return known

    def _asked_in_words(self, seat: Seat, board: Board) -> str:
        question, phrases = self._question, self._phrases
        assert question is not None  # only who is asked is told
        seen = board if question in phrases.looks else None
        known = phrases.questions.get((seat, question, seen))
        if known is None:
            glance: Any = Glance(self, seat)
            known = self.game.words(self.game, glance).question()
            if glance.looked:
                phrases.looks.add(question)
                seen = board
            if not glance.beyond:
                _keep(phrases.questions, (seat, question, seen), known)
        return known

    def position(self, seat: Seat | None) -> list[str]:
        """The board as a seat, or a spectator, may see it, and what stands between the players."""
        return Briefing(self.game, self.view(seat)).position()

    def view(self, seat: Seat | None) -> View:
        return self.referee().view(seat)

    # --- what a player writes -----------------------------------------------------------

    def obey(self, seat: Seat, reply: str) -> None:
        """Do what a reply says; TraplineError, and nothing done, where that is not allowed."""
        value = None if self._seats else self._read(seat, reply)
        if value is None:
            if not self._seats:
                self._lead(self.referee())
            self._seats[seat].obey(reply)
        else:
            self._answer(seat, value)

    def _read(self, seat: Seat, reply: str) -> int | None:
        """The value of a plain answer; None for all that the referee should hear himself."""
        question = self._question
        if question is None or seat != self._asked:
            return None
        known = self._phrases.values.get((question, reply))
        if known is not None:
            return known
        try:
            text = read_reply(reply)
            if text in (RESIGN, DRAW) or self.game.split(text) != (text,):
                return None
            value = question.value(question.parse(text))
        except TraplineError:
            return None
        if len(reply) <= SHORT:
            _keep(self._phrases.values, (question, reply), value)
        return value

    def _answer(self, seat: Seat, value: int) -> None:
        before, question = self._state, self._question
        assert question is not None  # it was read
        after = self.game.apply(before, seat, value)
        self._given.append((seat, question, value, after))
        self._heard.tell(seat, self.game.events(before, seat, value, after))
        if after.turn > before.turn or after.outcome is not None:
            self._heard.tell_the_rest()
            self._ended = time.time()
        self._go_on(after)
