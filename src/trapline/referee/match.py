"""The referee: the sole holder of a match's live state.

Players act through it and look through `view`, which is built for one seat from what that
seat may know. Every call that is refused raises a TraplineError with a sentence and changes
nothing, except that games which count refused moves count it.
"""

from __future__ import annotations

import secrets as random_source
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from trapline.core import (
    CHANCE,
    SEATS,
    SECRET,
    AnyEvent,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    GameError,
    IllegalMove,
    MoveRefused,
    NotNow,
    Outcome,
    Reason,
    Seat,
    View,
    Viewer,
    other,
    refusal,
)
from trapline.core.faults import from_outside, held
from trapline.games import changed_options, rules_digest
from trapline.referee.commitments import CHANCE_KEY, commitment, drawn_value, sealed_key
from trapline.referee.record import Player, Record, Series, stated_outcome
from trapline.referee.walk import MORE_THAN_ONE, Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from trapline.core import First, Form, Game, Question, State

VIEWERS: tuple[Viewer, ...] = (1, 2, None)


P = ParamSpec("P")
R = TypeVar("R")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _holding(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    """Rules from outside may fail or never end: then GameError says where."""

    @wraps(method)
    def call(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not match.wary:
            return method(match, *args, **kwargs)
        with held(type(match.game)):
            return method(match, *args, **kwargs)

    return call


def _whole(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    """Likewise, and where they fail nothing has changed."""

    @wraps(method)
    def call(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not match.wary:
            return method(match, *args, **kwargs)
        before = vars(match.fork())
        match.wary = False  # for what is called in here
        try:
            with held(type(match.game)):
                return method(match, *args, **kwargs)
        except GameError:
            vars(match).update(before)
            raise
        finally:
            match.wary = True

    return call


class Match:
    def __init__(
        self,
        game: Game[Any],
        first: First | None = None,
        *,
        rng: Random | None = None,
        match_id: str | None = None,
        players: dict[Seat, Player] | None = None,
        seed: int | None = None,
        series: Series | None = None,
        chance: str | None = None,
        deals: bool = True,
    ) -> None:
        """`rng` draws the toss and the seed of chance; without one both are drawn securely.

        Unless the referee `deals`, chance waits for whoever explores what it could do (`deal`).
        """
        self.wary = from_outside(type(game))
        chosen = first or game.default_first
        source = rng or random_source.SystemRandom()
        self.game = game
        self._options = changed_options(game)
        self.tossed = chosen == "toss"
        self.first: Seat = source.choice(SEATS) if chosen == "toss" else chosen
        self.id = match_id or random_source.token_hex(8)
        self.players = players or {seat: Player(f"Player {seat}") for seat in SEATS}
        self.seed = seed
        self.series = series
        self.started = _now()
        self.ended = ""
        self.commitments: dict[str, str] = {}
        """What each player has fixed without showing it: public from the moment it is made."""
        self.outcome: Outcome | None = None
        self._salts: dict[str, str] = {}
        self._secrets: dict[Seat, Form] = {}
        self._state: State = self._opening()
        self._turns: list[Any] = []
        self._turn: list[tuple[Seat, Form]] = []  # the answers of a turn that is not complete
        self._dealt: list[Form] = []
        self._heard: dict[Viewer, list[AnyEvent]] = {1: [], 2: [], None: []}
        self._unheard: dict[Viewer, list[AnyEvent]] = {1: [], 2: [], None: []}
        self._refused = 0
        self._offer: Seat | None = None
        self._offer_after_turn: Seat | None = None
        self._deals = deals
        if game.draws:
            drawn_seed = chance or f"{source.getrandbits(256):064x}"
            self._commit(CHANCE_KEY, CHANCE, CHANCE_KEY, "", drawn_seed)
            with held(type(game)):
                self._deal()

    # --- what players do ----------------------------------------------------------------

    @_whole
    def play(self, seat: Seat, *answers: Any, salt: str | None = None) -> None:
        """Answer what the seat is asked, in a record's form.

        Several answers are those to questions that follow each other in one turn: all of
        them are given, or none is.
        """
        self._must_be_running()
        question = self._asked(seat)
        if question is None:
            raise NotNow(self._why_not_asked())
        states = [self._state]
        given: list[tuple[Question | None, int]] = []
        for answer in answers:
            if given:
                question = self._question_in_turn(states[-1], seat)
            try:
                value = self._value(question, states[-1], seat, answer)
            except IllegalMove:
                self._count_refusal(seat, question)
                raise
            given.append((question, value))
            states.append(self.game.apply(states[-1], seat, value))
        if self._offer == other(seat) and states[-1].turn > states[0].turn:
            # Not in the middle of a turn: the other would learn that it goes on.
            self.decline_draw(seat)
        for (question, value), before, after in zip(given, states, states[1:], strict=False):
            self._take(seat, question, value, before, after, salt)

    @_holding
    def read(self, seat: Seat, text: str) -> tuple[Any, ...]:
        """What somebody typed, as the answers that `play` takes; InvalidMove if it is none."""
        self._must_be_running()
        question = self._asked(seat)
        if question is None:
            raise NotNow(self._why_not_asked())
        first, *more = self.game.split(text)
        answers: list[Any] = [question.parse(first)]
        state = self._state
        for part in more:
            try:
                state = self.game.apply(state, seat, question.value(answers[-1]))
                question = self._question_in_turn(state, seat)
            except IllegalMove:
                question = None  # `play` will say why
            if question is None:
                return (*answers, part)
            answers.append(question.parse(part))
        return tuple(answers)

    @property
    def chance(self) -> Question | None:
        """What chance is asked now, where the referee does not deal."""
        if self._deals or self.outcome is not None or not self.game.draws:
            return None
        return self.game.chance(self._state)

    def deal(self, value: int) -> None:
        """Answer for chance, by a value of its question."""
        question = self.chance
        if question is None:
            raise NotNow("There is nothing to deal.")
        self._take_chance(question, value, self._state, self.game.dealt(self._state, value))

    def resign(self, seat: Seat) -> None:
        self._must_be_running()
        self._end(Outcome(other(seat), Reason.RESIGNED))

    def offer_draw(self, seat: Seat) -> None:
        """Offer a draw; answering the other's offer with one's own accepts it.

        An offer in the middle of a turn is made when the turn is complete: before that, it
        would tell the other that there was something to think about.
        """
        self._must_be_running()
        if self._offer == other(seat):
            self.accept_draw(seat)
        elif self._offer == seat:
            raise NotNow("Your draw offer still stands.")
        elif self._turn and seat == self._state.mover:
            self._offer_after_turn = seat
        else:
            self._offer = seat
            self._tell_all(DrawOffered(seat))

    def accept_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._end(Outcome(None, Reason.AGREED_DRAW))

    def decline_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._offer = None
        self._tell_all(DrawDeclined(seat))

    def claim(self, seat: Seat) -> None:
        """Take the game after the other's refused moves."""
        self._must_be_claimable(seat)
        self._end(Outcome(seat, Reason.FORFEIT))

    def waive_claim(self, seat: Seat) -> None:
        self._must_be_claimable(seat)
        self._refused = 0
        self._tell_all(ClaimWaived(seat))

    # --- what players see ---------------------------------------------------------------

    @_holding
    def question(self, seat: Viewer) -> Question | None:
        """What a seat is asked now."""
        return self._asked(seat)

    def _asked(self, seat: Viewer) -> Question | None:
        if seat is None or self.outcome is not None or self.chance is not None:
            return None
        return self.game.question(self._state, seat)

    def heard(self, viewer: Viewer) -> int:
        """How many events have reached a viewer."""
        return len(self._heard[viewer])

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that have something to answer."""
        return tuple(seat for seat in SEATS if self.question(seat) is not None)

    @property
    def ready(self) -> bool:
        """Whether every secret is chosen, so that turns can be made."""
        return not any(_is_secret(self.question(seat)) for seat in SEATS)

    @property
    def to_move(self) -> Seat | None:
        if self.outcome is not None or not self.ready or not self._state.mover:
            return None
        return 2 if self._state.mover == 2 else 1

    @property
    def someone_first(self) -> bool:
        """Whether one player moves first, as opposed to both at once."""
        return self._opening().mover != 0

    def in_turn(self, seat: Seat) -> bool:
        """Whether a seat has answered a part of a turn that is not complete."""
        return any(who == seat for who, _ in self._turn)

    @property
    def may_claim(self) -> Seat | None:
        limit = self.game.claim_after
        if limit is None or self._refused < limit or self.outcome is not None:
            return None
        return other(2 if self._state.mover == 2 else 1)

    @_holding
    def view(self, seat: Viewer) -> View:
        over = self.outcome is not None
        questions = (self._asked(1), self._asked(2))
        hiding = _is_secret(questions[0]) or _is_secret(questions[1])
        mover = self._state.mover
        one, two = 1 in self._secrets, 2 in self._secrets
        if not over and not hiding and mover == 0:
            one, two = questions[0] is None, questions[1] is None
        return View(
            game=self.game.name,
            options=self._options.copy(),
            seat=seat,
            first=self.first,
            tossed=self.tossed,
            turn=self._state.turn,
            to_move=None if over or hiding or mover == 0 else 2 if mover == 2 else 1,
            question=questions[seat - 1] if seat is not None else None,
            secret=self._secrets.get(seat) if seat is not None else None,
            ready=(one, two),
            board=self.game.board(self._state, seat, over),
            events=tuple(self._heard[seat]),
            draw_offer=self._offer,
            may_claim=self.may_claim,
            outcome=self.outcome,
            secrets=(self._secrets.get(1), self._secrets.get(2)) if over else None,
        )

    def fork(self) -> Match:
        """A match that goes on from here on its own, so that something can be tried out."""
        twin = Match.__new__(Match)
        held = {
            name: value.copy() if isinstance(value, (dict, list)) else value
            for name, value in vars(self).items()
        }
        held["_heard"] = {viewer: heard.copy() for viewer, heard in self._heard.items()}
        held["_unheard"] = {viewer: later.copy() for viewer, later in self._unheard.items()}
        vars(twin).update(held)
        return twin

    # --- records ------------------------------------------------------------------------

    def record(self) -> Record:
        """The complete record, once everything in it may be seen by everybody."""
        if self.outcome is None:
            raise NotNow("The record is open when the match is over; until then it holds secrets.")
        return self.sealed_record()

    @_holding
    def sealed_record(self) -> Record:
        """All that is needed to go on later, secrets included: for the referee's storage only."""
        secrets = {str(seat): _json(secret) for seat, secret in sorted(self._secrets.items())}
        hides = (
            bool(secrets) or not self.ready or any(_is_secret(self._asked_first(s)) for s in SEATS)
        )
        return Record(
            game=self.game.name,
            options=self._options.copy(),
            first=self.first,
            secrets=secrets if hides else None,
            moves=list(self._turns),
            chance=[_json(form) for form in self._dealt],
            rules=rules_digest(type(self.game)),
            id=self.id,
            players={str(seat): player for seat, player in self.players.items()},
            tossed=self.tossed,
            started=self.started,
            ended=self.ended,
            result=self.outcome,
            commitments=dict(self.commitments),
            salts=dict(self._salts),
            pending=self._pending(),
            refused=self._refused,
            seed=self.seed,
            series=self.series,
        )

    @classmethod
    def restore(cls, record: Record) -> Match:
        """The match as it was when `record` was written; RecordError where it breaks the rules."""
        walk = Walk(record)
        players = {seat: record.players.get(str(seat), Player(f"Player {seat}")) for seat in SEATS}
        match = cls(
            walk.game,
            record.first,
            match_id=record.id,
            players=players,
            seed=record.seed,
            series=record.series,
            chance=record.salts.get(CHANCE_KEY, "0"),
        )
        match.tossed = record.tossed
        match._follow(walk)
        match._refused = record.refused
        match.outcome = match.outcome or stated_outcome(record, match.game)
        match.started, match.ended = record.started, record.ended
        return match

    @_whole
    def _follow(self, walk: Walk) -> None:
        """Take every step of a record again. Its chance is what the record says it was."""
        salts = walk.record.salts
        self._state, self._dealt = walk.start, []
        for heard in self._heard.values():
            heard.clear()
        for step in walk.steps():
            value = step.question.value(step.answer)
            if step.seat == CHANCE:
                self._take_chance(step.question, value, step.before, step.after)
                continue
            alone = salts.get(f"turn {step.turn + 1}")
            salt = salts.get(f"turn {step.turn + 1} of {step.seat}", alone)
            if step.turn < 0:
                salt = salts.get(str(step.seat))
            self._take(step.seat, step.question, value, step.before, step.after, salt, deal=False)

    # --- inside -------------------------------------------------------------------------

    def _opening(self) -> State:
        with held(type(self.game)):
            state: State = self.game.start(self.first)
        return state

    def _question_in_turn(self, state: State, seat: Seat) -> Question | None:
        """What the seat is asked in a state that its answers of this turn have led to."""
        if state.outcome is not None or state.turn > self._state.turn:
            return None
        return self.game.question(state, seat)

    def _value(self, question: Question | None, state: State, seat: Seat, answer: Any) -> int:
        form = tuple(answer) if isinstance(answer, list) else answer
        if question is None:
            usual = "" if isinstance(form, str) else MORE_THAN_ONE
            raise IllegalMove(usual or refusal(self.game, self._state, seat, form, MORE_THAN_ONE))
        try:
            return question.value(form)
        except IllegalMove as error:
            raise type(error)(refusal(self.game, state, seat, form, str(error))) from None

    def _take(
        self,
        seat: Seat,
        question: Question | None,
        value: int,
        before: State,
        after: State,
        salt: str | None,
        *,
        deal: bool = True,
    ) -> None:
        """Carry out an answer that is allowed."""
        assert question is not None  # noqa: S101 - it was checked when the value was read
        form = question.record(value)
        complete = after.turn > before.turn or after.outcome is not None
        self._state = after
        if question.asks == SECRET:
            self._secrets[seat] = form
            self._commit(str(seat), seat, SECRET, form, salt)
        else:
            self._turn.append((seat, form))
        self._tell(seat, self.game.events(before, seat, value, after))
        if complete:
            self._finish_turn(salt)
        if deal:
            self._deal()

    def _finish_turn(self, salt: str | None) -> None:
        turn, self._turn = self._turn, []
        by_seat: dict[Seat, tuple[Form, ...]] = {}
        for seat, form in turn:
            by_seat[seat] = (*by_seat.get(seat, ()), form)
        alone = len(by_seat) == 1
        written = {str(seat): self.game.write_turn(by_seat[seat]) for seat in sorted(by_seat)}
        self._turns.append(next(iter(written.values())) if alone else written)
        self._refused = 0
        if self.game.seals_turns:
            for seat, forms in sorted(by_seat.items()):
                key = sealed_key(len(self._turns), seat, alone=alone)
                self._commit(key, seat, key, self.game.sealed_part(forms), salt)
        self._tell_later()
        if self._state.outcome is not None:
            self._end(self._state.outcome)
        elif self._offer_after_turn is not None:
            self.offer_draw(self._offer_after_turn)
        self._offer_after_turn = None

    def _deal(self) -> None:
        """Let chance answer as long as it is asked."""
        if not self.game.draws or not self._deals:
            return
        while self.outcome is None and (question := self.game.chance(self._state)) is not None:
            value = drawn_value(question, self._salts[CHANCE_KEY], len(self._dealt))
            self._take_chance(question, value, self._state, self.game.dealt(self._state, value))

    def _take_chance(self, question: Question, value: int, before: State, after: State) -> None:
        self._dealt.append(question.record(value))
        self._state = after
        self._tell(CHANCE, self.game.events(before, CHANCE, value, after))
        if not self._turn:
            self._tell_later()
        if after.outcome is not None:
            self._end(after.outcome)

    def _must_be_running(self) -> None:
        if self.outcome is not None:
            raise NotNow("The match is over.")

    def _why_not_asked(self) -> str:
        if not self.ready:
            return (
                "Your secret is chosen, and cannot be changed: "
                "the game starts when both players have chosen."
            )
        if self.to_move is None:
            return "You have answered already: the other player is still to answer."
        return f"It is Player {self.to_move}'s turn, not yours."

    def _must_have_offer(self, seat: Seat) -> None:
        self._must_be_running()
        if self._offer != other(seat):
            raise NotNow("There is no draw offer to answer.")

    def _must_be_claimable(self, seat: Seat) -> None:
        self._must_be_running()
        if self.may_claim != seat:
            raise NotNow("There is nothing to claim: the other player's moves were not refused.")

    def _count_refusal(self, seat: Seat, question: Question | None) -> None:
        if self.game.claim_after is not None and not _is_secret(question):
            self._refused += 1
            self._tell_all(MoveRefused(seat, self._refused))

    def _asked_first(self, seat: Seat) -> Question | None:
        return self.game.question(self.game.start(self.first), seat)

    def _pending(self) -> list[Any]:
        if not self._state.mover:
            return [{str(seat): _json(form)} for seat, form in self._turn]
        return [_json(form) for _, form in self._turn]

    def _commit(self, key: str, seat: int, subject: str, value: Any, salt: str | None) -> None:
        self._salts[key] = salt or random_source.token_hex(32)
        self.commitments[key] = commitment(
            self.game.name, self.id, seat, subject, value, self._salts[key]
        )

    def _tell(self, by: int, events: Iterable[AnyEvent]) -> None:
        """Tell who acted at once, everybody else when the turn is complete.

        So nobody else can tell from the rhythm of a turn what it held.
        """
        for event in events:
            if event.private:
                self._heard[2 if event.by == 2 else 1].append(event)
                continue
            for viewer in VIEWERS:
                (self._heard if viewer == by else self._unheard)[viewer].append(event)

    def _tell_later(self) -> None:
        for viewer, events in self._unheard.items():
            self._heard[viewer] += events
            events.clear()

    def _tell_all(self, event: AnyEvent) -> None:
        for heard in self._heard.values():
            heard.append(event)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._offer = None
        self.ended = _now()


def _is_secret(question: Question | None) -> bool:
    return question is not None and question.asks == SECRET


def _json(form: Form) -> Any:
    return list(form) if isinstance(form, tuple) else form
