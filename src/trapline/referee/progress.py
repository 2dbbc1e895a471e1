"""How far a match has come: its state, the answers that led there, and what they fixed."""

from __future__ import annotations

import secrets as random_source
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import CHANCE, SECRET, Form, IllegalMove, Seat, refusal
from trapline.core.faults import held
from trapline.referee.commitments import CHANCE_KEY, commitment, drawn_value, sealed_key
from trapline.referee.hearing import Hearing
from trapline.referee.walk import MORE_THAN_ONE

if TYPE_CHECKING:
    from trapline.core import Game, Question, State
    from trapline.referee.walk import Walk


class Bookmark(msgspec.Struct, frozen=True):
    """A point to which a match can go back."""

    state: Any
    turn: tuple[tuple[Seat, Form], ...]
    lengths: tuple[int, ...]
    heard: tuple[int, ...]


class Progress:
    """The state of a game, moved on by answers. Whether one may be given now, a Match decides."""

    def __init__(self, game: Game[Any], first: Seat, match_id: str) -> None:
        self.game = game
        self.match_id = match_id
        with held(type(game)):
            self.state: State = game.start(first)
        self.secrets: dict[Seat, Form] = {}
        self.turns: list[Any] = []
        """Complete turns, as a record writes them."""
        self.turn: list[tuple[Seat, Form]] = []
        """The answers of a turn that is not complete."""
        self.dealt: list[Form] = []
        self.commitments: dict[str, str] = {}
        self.salts: dict[str, str] = {}
        self.hearing = Hearing()

    def copy(self) -> Progress:
        twin = Progress.__new__(Progress)
        vars(twin).update(
            {
                name: value.copy() if isinstance(value, (dict, list, Hearing)) else value
                for name, value in vars(self).items()
            }
        )
        return twin

    def bookmark(self) -> Bookmark:
        """Where it stands, at no cost: all that it holds only ever grows."""
        secrets, turns, dealt, commitments, salts = self._growing()
        lengths = len(secrets), len(turns), len(dealt), len(commitments), len(salts)
        return Bookmark(self.state, (*self.turn,), lengths, self.hearing.bookmark())

    def go_back(self, mark: Bookmark) -> None:
        """Be as it was when a turn was about to begin."""
        self.state, self.turn = mark.state, [*mark.turn]
        for part, length in zip(self._growing(), mark.lengths, strict=True):
            for last in [*part][length:] if isinstance(part, dict) else ():
                del part[last]
            if isinstance(part, list):
                del part[length:]
        self.hearing.go_back(mark.heard)

    def _growing(self) -> tuple[dict[Any, Any] | list[Any], ...]:
        return self.secrets, self.turns, self.dealt, self.commitments, self.salts

    @classmethod
    def follow(cls, walk: Walk) -> Progress:
        """How far a record came. Its chance is what the record says it was."""
        record, salts = walk.record, walk.record.salts
        progress = cls(walk.game, record.first, record.id)
        if walk.game.draws:
            progress.commit(CHANCE_KEY, CHANCE, CHANCE_KEY, "", salts.get(CHANCE_KEY, "0"))
        for step in walk.steps():
            value = step.question.value(step.answer)
            if step.seat == CHANCE:
                progress.take_chance(step.question, value, step.after)
                continue
            alone = salts.get(f"turn {step.turn + 1}")
            salt = salts.get(f"turn {step.turn + 1} of {step.seat}", alone)
            if step.turn < 0:
                salt = salts.get(str(step.seat))
            progress.take(step.seat, step.question, value, step.after, salt)
        return progress

    # --- reading answers ------------------------------------------------------------------

    def question_in_turn(self, state: State, seat: Seat) -> Question | None:
        """What the seat is asked in a state that its answers of this turn have led to."""
        if state.outcome is not None or state.turn > self.state.turn:
            return None
        return self.game.question(state, seat)

    def value(self, question: Question | None, state: State, seat: Seat, answer: Any) -> int:
        """The value of an answer, or IllegalMove with the game's sentence."""
        form = tuple(answer) if isinstance(answer, list) else answer
        if question is None:
            usual = "" if isinstance(form, str) else MORE_THAN_ONE
            raise IllegalMove(usual or refusal(self.game, self.state, seat, form, MORE_THAN_ONE))
        try:
            return question.value(form)
        except IllegalMove as error:
            raise type(error)(refusal(self.game, state, seat, form, str(error))) from None

    # --- moving on ------------------------------------------------------------------------

    def take(
        self, seat: Seat, question: Question, value: int, after: State, salt: str | None
    ) -> bool:
        """Carry out an answer that is allowed; whether it completes a turn."""
        before, self.state = self.state, after
        form = question.record(value)
        if question.asks == SECRET:
            self.secrets[seat] = form
            self.commit(str(seat), seat, SECRET, form, salt)
        else:
            self.turn.append((seat, form))
        self.hearing.tell(seat, self.game.events(before, seat, value, after))
        complete = after.turn > before.turn or after.outcome is not None
        if complete:
            self._finish_turn(salt)
        return complete

    def _finish_turn(self, salt: str | None) -> None:
        turn, self.turn = self.turn, []
        by_seat: dict[Seat, tuple[Form, ...]] = {}
        for seat, form in turn:
            by_seat[seat] = (*by_seat[seat], form) if seat in by_seat else (form,)
        alone = len(by_seat) == 1
        if alone:
            self.turns.append(self.game.write_turn(by_seat[seat]))
        else:
            written = {str(seat): self.game.write_turn(by_seat[seat]) for seat in sorted(by_seat)}
            self.turns.append(written)
        if self.game.seals_turns:
            for seat, forms in sorted(by_seat.items()):
                key = sealed_key(len(self.turns), seat, alone=alone)
                self.commit(key, seat, key, self.game.sealed_part(forms), salt)
        self.hearing.tell_the_rest()

    def take_chance(self, question: Question, value: int, after: State) -> None:
        self.dealt.append(question.record(value))
        before, self.state = self.state, after
        self.hearing.tell(CHANCE, self.game.events(before, CHANCE, value, after))
        if not self.turn:
            self.hearing.tell_the_rest()

    def deal(self) -> None:
        """Let chance answer, from the sealed seed, as long as it is asked."""
        while self.game.draws and self.state.outcome is None:
            question = self.game.chance(self.state)
            if question is None:
                return
            value = drawn_value(question, self.salts[CHANCE_KEY], len(self.dealt))
            self.take_chance(question, value, self.game.dealt(self.state, value))

    def commit(self, key: str, seat: int, subject: str, value: Any, salt: str | None) -> None:
        self.salts[key] = salt or random_source.token_hex(32)
        self.commitments[key] = commitment(
            self.game.name, self.match_id, seat, subject, value, self.salts[key]
        )

    # --- as a record holds it -------------------------------------------------------------

    def pending(self) -> list[Any]:
        if not self.state.mover:
            return [{str(seat): as_json(form)} for seat, form in self.turn]
        return [as_json(form) for _, form in self.turn]


def as_json(form: Form) -> Any:
    return list(form) if isinstance(form, tuple) else form
