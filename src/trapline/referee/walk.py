"""One walk through a record, answer by answer: for replay, restore, verify and the coach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import (
    CHANCE,
    SEATS,
    SECRET,
    GameError,
    IllegalMove,
    InvalidMove,
    RecordError,
    TraplineError,
    refusal,
)
from trapline.core.faults import from_outside, held
from trapline.referee.locked.box import fitting_secret
from trapline.referee.record import (
    LOCKED_REASONS,
    parse_record,
    record_game,
    rules_changed,
    stated_outcome,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Actor, Form, Game, Outcome, Question, Seat, State
    from trapline.referee.record import Record

MORE_THAN_ONE = "That is more than one turn."


class Step(NamedTuple):
    """One answer: who gave it to which question, in which turn, and the states around it."""

    turn: int
    """The index of the turn in the record's moves; −1 before the first."""
    seat: Actor
    question: Question
    answer: Form
    before: State
    after: State


class Walk:
    """A record played again by the rules; raises RecordError where it breaks them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game: Game[Any] = record_game(record)
        with held(type(self.game)):
            self.start: State = self.game.start(record.first)
        self.state = self.start
        """Where the walk has come."""
        self._dealt = 0

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by its moves or as the record states it."""
        stated = stated_outcome(self.record, self.game)
        if stated is not None and stated.reason in LOCKED_REASONS:
            return stated
        return self.state.outcome or stated

    def steps(self) -> Iterator[Step]:
        """Every answer in order, those that the record leaves out included."""
        if not from_outside(type(self.game)):
            yield from self._steps()
            return
        steps = self._steps()
        while (step := self._next(steps)) is not None:
            yield step

    def _next(self, steps: Iterator[Step]) -> Step | None:
        """The next step by rules that may fail; GameError says where."""
        with held(type(self.game)):
            return next(steps, None)

    def _steps(self) -> Iterator[Step]:
        yield from self._setting_up()
        for index, value in enumerate(self.record.moves):
            if self.state.outcome is not None:
                raise RecordError("The game was over before this move.", index)
            yield from self._turn(index, value)
        yield from self._pending()

    def turns(self) -> Iterator[tuple[int, State]]:
        """Who made each turn (0: both at once), and the state after it."""
        turn, by = 0, self.state.mover
        for step in self.steps():
            by = step.before.mover if step.before.turn == turn and step.turn >= 0 else by
            if step.after.turn > turn:
                yield by, step.after
                turn = step.after.turn

    def positions(self, state: State) -> list[int]:
        """Where the players stand, as replays tell it."""
        with held(type(self.game)):
            return list(self.game.positions(state))

    # --- inside -------------------------------------------------------------------------

    def _take(self, turn: int, seat: Seat, question: Question | None, given: Any) -> Step:
        before = self.state
        if question is None:
            raise IllegalMove(refusal(self.game, before, seat, given, MORE_THAN_ONE))
        try:
            value = question.value(given)
        except IllegalMove as error:
            form = tuple(given) if isinstance(given, list) else given
            raise type(error)(refusal(self.game, before, seat, form, str(error))) from None
        self.state = self.game.apply(before, seat, value)
        return Step(turn, seat, question, question.record(value), before, self.state)

    def _chance(self, turn: int) -> Iterator[Step]:
        while self.game.draws and self.state.outcome is None:
            question = self.game.chance(self.state)
            if question is None:
                return
            if self._dealt == len(self.record.chance):
                raise RecordError("The record does not say what chance has drawn.", "record")
            before = self.state
            try:
                value = question.value(self.record.chance[self._dealt])
            except TraplineError as error:
                raise RecordError(f"What chance has drawn: {error}", "record") from None
            self._dealt += 1
            self.state = self.game.dealt(before, value)
            yield Step(turn, CHANCE, question, question.record(value), before, self.state)

    def _setting_up(self) -> Iterator[Step]:
        yield from self._chance(-1)
        given: Any = self.record.secrets
        for seat in SEATS:
            question = self.game.question(self.state, seat)
            if question is None or question.asks != SECRET:
                continue
            if not isinstance(given, dict):
                raise RecordError(
                    'A record of this game needs "secrets" for "1" and "2".', "secrets"
                )
            secret = given.get(str(seat))
            if secret is None:
                secret = fitting_secret(question, seat, self.record)
            if secret is None and (self._unbegun or self._ended_before_it_began):
                continue
            if secret is None:
                raise RecordError(f"Player {seat}'s secret is missing.", "secrets")
            try:
                yield self._take(-1, seat, question, secret)
            except TraplineError as error:
                raise RecordError(f"Player {seat}'s secret: {error}", "secrets") from None
            yield from self._chance(-1)

    @property
    def _unbegun(self) -> bool:
        """A match that was put away while secrets were being chosen."""
        return bool(self.record.commitments or self.record.id) and not self.record.moves

    @property
    def _ended_before_it_began(self) -> bool:
        """Somebody resigned, or both agreed, before all secrets were chosen."""
        return not self.record.moves and stated_outcome(self.record, self.game) is not None

    def _turn(self, index: int, value: Any) -> Iterator[Step]:
        try:
            yield from self._answers(index, value)
        except (InvalidMove, IllegalMove) as error:
            raise RecordError(str(error), index) from None
        yield from self._chance(index)

    def _answers(self, index: int, value: Any) -> Iterator[Step]:
        game, now = self.game, self.state.turn
        for seat, given in self._given(value):
            question = game.question(self.state, seat) if self.state.turn == now else None
            yield self._take(index, seat, question, given)
        while self.state.turn == now and self.state.outcome is None:
            seat = _seat(self.state)
            question = game.question(self.state, seat)
            if question is None or question.usual is None:
                raise IllegalMove("This turn is not complete.")
            yield self._take(index, seat, question, question.record(question.usual))

    def _given(self, value: Any) -> Iterator[tuple[Seat, Any]]:
        """The answers of a turn as the record writes them, and whose they are."""
        if self.state.mover:
            for given in self.game.read_turn(value):
                yield _seat(self.state), given
            return
        if not isinstance(value, dict) or value.keys() != {"1", "2"}:
            raise InvalidMove('Both move at once here: {"1": …, "2": …} is wanted.')
        for seat in SEATS:
            yield seat, value[str(seat)]

    def _pending(self) -> Iterator[Step]:
        """The answers of a turn that was not complete when the record was written."""
        index = len(self.record.moves)
        try:
            for given in self.record.pending:
                who, answer = self._whose(given)
                yield self._take(index, who, self.game.question(self.state, who), answer)
        except TraplineError as error:
            raise RecordError(str(error), index) from None

    def _whose(self, given: Any) -> tuple[Seat, Any]:
        """A pending answer: where both are asked at once, it stands under its seat."""
        if not isinstance(given, dict):
            return _seat(self.state), given
        if len(given) != 1:
            raise InvalidMove('An answer that waits for the other\'s is {"1": …} or {"2": …}.')
        ((seat, answer),) = given.items()
        return (2 if seat == "2" else 1), answer


def _seat(state: State) -> Seat:
    return 2 if state.mover == 2 else 1


def replay_answer(data: bytes) -> dict[str, Any]:
    """What `trapline replay --json` says of one record."""
    try:
        walk = Walk(parse_record(data))
        turns = [
            {"by": by or None, "positions": walk.positions(state)} for by, state in walk.turns()
        ]
        _must_have_begun(walk)
    except RecordError as error:
        return {"ok": False, "error": str(error), "at": error.at}
    except GameError as error:
        return {"ok": False, "error": str(error), "at": "record"}
    outcome = walk.outcome
    answer: dict[str, Any] = {
        "ok": True,
        "turns": turns,
        "outcome": outcome and {"winner": outcome.winner, "reason": str(outcome.reason)},
    }
    if rules_changed(walk.record, walk.game):
        answer["rules"] = "changed"
    return answer


def _must_have_begun(walk: Walk) -> None:
    """A record without its secrets is no record of a game, unless the players ended it there."""
    if walk.outcome is None:
        for seat in SEATS:
            question = walk.game.question(walk.state, seat)
            if question is not None and question.asks == SECRET:
                raise RecordError(f"Player {seat}'s secret is missing.", "secrets")
