"""The referee of a locked match: it holds no secret, only what was opened.

The rules are played with any secrets that fit what is known. Before a move that depends on a
place which nobody knows, the place is asked for; so what is played is what would be played if
the referee knew everything, and what is shown never depends on what it made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import (
    InvalidMove,
    NotNow,
    OptionsError,
    Outcome,
    Reason,
    SecretError,
    TraplineError,
    WrongOpening,
    other,
)
from trapline.core.faults import from_outside
from trapline.referee.agreements import is_secret, now
from trapline.referee.locked.box import MOST_PLACES, Box, lock_key, place_lock
from trapline.referee.locked.evidence import Awaited, Evidence, Opened
from trapline.referee.match import Match
from trapline.referee.progress import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Board, First, Game, Question, Seat, State, Viewer
    from trapline.referee.record import Record
    from trapline.referee.stand import Stand


def must_be_lockable(game: Game[Any]) -> None:
    """OptionsError for a game whose secrets cannot stay on the players' own devices."""
    if not game.lockable or from_outside(type(game)):
        raise OptionsError(
            f"{game.title} cannot be played with secrets that stay on the players' own devices."
        )
    question = game.question(game.start(1), 1)
    places = len(question.answers) if question is not None else 0
    if places > MOST_PLACES:
        raise OptionsError(
            f"Secrets of {places} places are too large to stay on the players' own devices: "
            f"choose a board with at most {MOST_PLACES}."
        )


class LockedMatch(Match):
    retractable = False  # what was opened cannot be closed again

    def __init__(self, game: Game[Any], first: First | None = None, **more: Any) -> None:
        must_be_lockable(game)
        super().__init__(game, first, **more)
        self.boxes: dict[Seat, Box] = {}
        self.evidence = Evidence()

    @property
    def awaited(self) -> Awaited | None:
        """The move that waits for a place to be opened."""
        return None if self.decided else self.evidence.awaited

    @property
    def decided(self) -> Outcome | None:
        """How the match ended, while what is hidden has still to be opened."""
        return self.evidence.decided

    @property
    def opening(self) -> tuple[Seat, ...]:
        """Whose devices are to open the rest, now that the match is decided."""
        if self.decided is None or self.outcome is not None:
            return ()
        return tuple(
            seat
            for seat, box in sorted(self.boxes.items())
            if box.closed and seat not in self.evidence.late
        )

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
        self._must_be_running()
        awaited = self.awaited
        if awaited is None or awaited.seat != seat:
            raise NotNow("There is nothing for you to open now.")
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
        """Take in what fits its commitment: all of it, or nothing."""
        for opened in openings:
            if not self._fits(opened):
                self.evidence.refused = [*self.evidence.refused, opened]
                raise WrongOpening(
                    f"This does not open {self.game.place} {opened.place}: "
                    "it was committed to something else."
                )
        for opened in openings:
            self.boxes[opened.seat].known[opened.place] = opened.holds
            self._progress.salts[lock_key(opened.seat, opened.place)] = opened.salt
        self.evidence.opened = [*self.evidence.opened, *openings]
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
        place = self.boxes[owner].first_unknown(places)
        if place is None:
            return None
        return Awaited(owner, place, seat, as_json(question.record(value)), state.turn)

    def run_out_of_time(self, *seats: Seat) -> None:
        if self.opening:
            self.evidence.late = sorted({*self.evidence.late, *seats})
            self._close()
        elif self.awaited is not None and seats == (self.awaited.seat,):
            self._end(Outcome(other(self.awaited.seat), Reason.UNOPENED))
        else:
            super().run_out_of_time(*seats)

    # --- the end --------------------------------------------------------------------------

    def _must_be_running(self) -> None:
        super()._must_be_running()
        if self.decided is not None:
            raise NotNow("The match is decided: the devices are opening what was hidden.")

    def _end(self, outcome: Outcome) -> None:
        """Decided is not over: first everything is opened."""
        if outcome.reason != Reason.UNOPENED:
            self.evidence.awaited = None
        self.evidence.decided = outcome
        self._offer, self._refused = None, 0
        self._close()

    def conclude(self, outcome: Outcome) -> None:
        """Let it have ended so, by what players did beside the rules."""
        self._must_be_running()
        self._end(outcome)

    def _close(self) -> None:
        """Whoever has not opened everything, or hid what is not allowed, cannot win."""
        decided = self.decided
        if decided is None or self.opening:
            return
        bad = [seat for seat, box in self.boxes.items() if box.closed or box.fault]
        outcome = decided
        if bad:
            closed = any(self.boxes[seat].closed for seat in bad)
            reason = Reason.UNOPENED if closed else Reason.BROKEN_SECRET
            winner = other(bad[0]) if len(bad) == 1 else None
            if winner is None or winner != decided.winner:
                outcome = Outcome(winner, reason)
        self.outcome = outcome
        self.ended = now()

    # --- what everybody sees --------------------------------------------------------------

    def _asked(self, seat: Viewer) -> Question | None:
        return None if self.decided or self.awaited else super()._asked(seat)

    def stand(self) -> Stand:
        """Whoever looks sees what a spectator sees: a secret only its owner's device knows."""
        stand, awaited, over = super().stand(), self.awaited, self.outcome is not None
        ready = (1 in self.boxes, 2 in self.boxes)
        if self.decided is not None:
            ready = (1 not in self.opening, 2 not in self.opening)
        return msgspec.structs.replace(
            stand,
            to_move=awaited.seat if awaited else None if self.decided else stand.to_move,
            ready=ready,
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
        record.locked = self.evidence
        return record
