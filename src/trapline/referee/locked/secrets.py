"""The referee of a locked match with secrets: it holds none of them, only what was opened.

The rules are played with any secrets that fit what is known. Before a move that depends on a
place which nobody knows, the place is asked for; so what is played is what would be played if
the referee knew everything, and what is shown never depends on what it made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import InvalidMove, NotNow, Outcome, Reason, SecretError, TraplineError, other
from trapline.referee.agreements import is_secret
from trapline.referee.locked.box import Box, lock_key, place_lock
from trapline.referee.locked.evidence import Awaited, Opened
from trapline.referee.locked.match import LockedMatch
from trapline.referee.progress import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Board, First, Form, Game, Question, Seat, State
    from trapline.referee.record import Record
    from trapline.referee.stand import Stand


class LockedSecrets(LockedMatch):
    def __init__(self, game: Game[Any], first: First | None = None, **more: Any) -> None:
        super().__init__(game, first, **more)
        self.boxes: dict[Seat, Box] = {}

    def is_closed(self, seat: Seat) -> bool:
        return seat in self.boxes and bool(self.boxes[seat].closed)

    def is_broken(self, seat: Seat) -> bool:
        return seat in self.boxes and bool(self.boxes[seat].fault)

    # --- what devices do ------------------------------------------------------------------

    def lock(self, seat: Seat, locks: Sequence[str]) -> None:
        """Fix a secret without telling it: a commitment for each place."""
        self._must_be_running()
        question = self._asked(seat)
        if question is None or not is_secret(question):
            raise NotNow("There is no secret to choose now.")
        if len(locks) != len(question.answers) or len(set(locks)) != len(locks):
            raise SecretError(
                f"A commitment is wanted for each of the {len(question.answers)} {question.noun}s, "
                f"each with a salt of its own: these are {len(set(locks))}."
            )
        for place, made in zip(question.answers, locks, strict=True):
            self.commitments[lock_key(seat, place.text)] = made
        self.boxes[seat] = Box(question)
        anything = next(question.values())
        self._progress.state = self.game.apply(self._progress.state, seat, anything)

    def open(self, seat: Seat, place: str, holds: bool, salt: str) -> None:
        """Open the place on which the other's move depends."""
        awaited = self._awaited_of(seat, "open")
        if awaited.place != place:
            raise NotNow(f"It is {self.game.place} {awaited.place} that is to be opened now.")
        self._take_openings([Opened(seat, place, holds, salt, awaited.turn)])
        if self.boxes[seat].fault:
            self._end(Outcome(other(seat), Reason.BROKEN_SECRET))
            return
        self.evidence.awaited = None
        self.play(awaited.by, awaited.move)

    def open_rest(self, seat: Seat, holds: Sequence[bool], salts: Sequence[str]) -> None:
        """Open whatever is still closed, after the match is decided."""
        if seat not in self.opening:
            raise NotNow("There is nothing for you to open now.")
        closed = self.boxes[seat].closed
        if not len(closed) == len(holds) == len(salts):
            raise InvalidMove(f"{len(closed)} places are to be opened, in their order, no others.")
        self._take_openings(
            [
                Opened(seat, place.text, held, salt)
                for place, held, salt in zip(closed, holds, salts, strict=True)
            ]
        )
        self._close()

    def _take_openings(self, openings: list[Opened]) -> None:
        super()._take_openings(openings)
        for opened in openings:
            self.boxes[opened.seat].known[opened.place] = opened.holds
            self._progress.salts[lock_key(opened.seat, opened.place)] = opened.salt
        self._make_up_the_rest()

    def _fits(self, opened: Opened) -> bool:
        made = self.commitments[lock_key(opened.seat, opened.place)]
        computed = place_lock(
            self.game.name, self.id, opened.seat, opened.place, opened.holds, opened.salt
        )
        return made == computed

    def _make_up_the_rest(self) -> None:
        one, two = (
            (self.boxes[seat].fitting() for seat in (1, 2))
            if len(self.boxes) == 2
            else (None, None)
        )
        if one is not None and two is not None:
            fitted = self.game.with_secrets(self._progress.state, (one, two))
            assert fitted is not None  # a game that can be locked has secrets
            self._progress.state = fitted

    # --- what players do ------------------------------------------------------------------

    def play(self, seat: Seat, *answers: Any, salt: str | None = None) -> None:
        """Answer a question of a turn; what depends on a closed place waits until it is open."""
        question = self._asked(seat)
        if is_secret(question):
            raise NotNow(
                "In this match secrets stay on the players' own devices: send a commitment for "
                "each place, and not the secret."
            )
        if question is not None and self.decided is None:
            awaited = self._needs(seat, question, answers)
            if awaited is not None:
                self.evidence.awaited = awaited
                return
        super().play(seat, *answers, salt=salt)

    def _needs(self, seat: Seat, question: Question, answers: tuple[Any, ...]) -> Awaited | None:
        """The closed place on which an answer depends; none for one that is not allowed."""
        try:
            (answer,) = answers
            value = question.value(answer)
        except (TraplineError, ValueError):
            return None
        state = self._progress.state
        asked = self.game.depends_on(state, seat, value)
        if asked is None:
            return None
        owner, places = asked
        unknown = self.boxes[owner].unknown(places)
        if not unknown:
            return None
        return Awaited(owner, unknown[0], seat, as_json(question.record(value)), state.turn)

    def move_that_needs(self, owner: Seat, places: Sequence[str]) -> Form | None:
        """A move of whoever is to move that waits for these places first: for most after them."""
        found: list[tuple[int, Form]] = []
        seat = self.to_move
        question = self._asked(seat)
        if seat is None or question is None:
            return None
        for answer in question.answers:
            asked = self.game.depends_on(self._progress.state, seat, answer.value)
            if asked is not None and asked[0] == owner:
                unknown = self.boxes[owner].unknown(asked[1])
                if unknown[: len(places)] == list(places):
                    found.append((len(unknown), answer.record))
        return max(found, key=lambda one: one[0])[1] if found else None

    # --- what everybody sees --------------------------------------------------------------

    def stand(self) -> Stand:
        """Whoever looks sees what a spectator sees: a secret only its owner's device knows."""
        stand, over = super().stand(), self.outcome is not None
        return msgspec.structs.replace(
            stand,
            ready=stand.ready if self.decided else (1 in self.boxes, 2 in self.boxes),
            secrets=(None, None),
            shown=(self._secret(1), self._secret(2)) if over else None,
            board=self.board_at(stand.state),
        )

    def _secret(self, seat: Seat) -> Any:
        box = self.boxes.get(seat)
        return None if box is None else box.secret

    def board_at(self, state: State) -> Board:
        if self.outcome is None:
            return self.game.board(state, None, False)
        known = [seat for seat in self.boxes if self._secret(seat) is not None]
        if len(known) == 2:
            return super().board_at(state)
        return self.game.board(state, known[0] if known else None, False)

    def sealed_record(self) -> Record:
        record = super().sealed_record()
        record.secrets = {
            str(seat): as_json(box.secret)
            for seat, box in sorted(self.boxes.items())
            if box.secret is not None
        }
        return record
