"""What all locked matches share: devices open what is asked for, and everything at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import (
    SEATS,
    NotNow,
    OptionsError,
    Outcome,
    Reason,
    WrongOpening,
    other,
)
from trapline.core.faults import from_outside
from trapline.referee.agreements import now
from trapline.referee.locked.box import MOST_PLACES
from trapline.referee.locked.evidence import Awaited, Evidence, Opened
from trapline.referee.match import Match

if TYPE_CHECKING:
    from trapline.core import First, Game, Question, Seat, Viewer
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


class LockedMatch(Match, ABC):
    retractable = False  # what was opened cannot be closed again

    def __init__(self, game: Game[Any], first: First | None = None, **more: Any) -> None:
        must_be_lockable(game)
        super().__init__(game, first, **more)
        self.evidence = Evidence()

    @property
    def awaited(self) -> Awaited | None:
        """The move that waits for a device."""
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
            seat for seat in SEATS if self.is_closed(seat) and seat not in self.evidence.late
        )

    @abstractmethod
    def is_closed(self, seat: Seat) -> bool:
        """Whether a player has hidden something that is not opened yet."""

    @abstractmethod
    def is_broken(self, seat: Seat) -> bool:
        """Whether what a player has hidden and opened is not what the rules allow."""

    # --- what devices do ------------------------------------------------------------------

    def _awaited_of(self, seat: Seat, wants: str) -> Awaited:
        """What a device is waited for, if it is this."""
        self._must_be_running()
        awaited = self.awaited
        if awaited is None or (awaited.seat, awaited.wants) != (seat, wants):
            raise NotNow(f"There is nothing for you to {wants} now.")
        return awaited

    def _take_openings(self, openings: list[Opened]) -> None:
        """Take in what fits its commitment: all of it, or nothing."""
        for opened in openings:
            if not self._fits(opened):
                self.evidence.refused = [*self.evidence.refused, opened]
                raise WrongOpening(
                    f"This does not open {self.game.place} {opened.place}: "
                    "it was committed to something else."
                )
        self.evidence.opened = [*self.evidence.opened, *openings]

    @abstractmethod
    def _fits(self, opened: Opened) -> bool:
        """Whether an opening is what was committed to."""

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
        self._offer, self._offer_after_turn, self._refused = None, None, 0
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
        closed = [seat for seat in SEATS if self.is_closed(seat)]
        bad = [seat for seat in SEATS if seat in closed or self.is_broken(seat)]
        outcome = decided
        if bad:
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
        """Devices are waited for as players are."""
        stand, awaited = super().stand(), self.awaited
        ready = stand.ready
        if self.decided is not None:
            ready = (1 not in self.opening, 2 not in self.opening)
        return msgspec.structs.replace(
            stand,
            to_move=awaited.seat if awaited else None if self.decided else stand.to_move,
            ready=ready,
        )

    def sealed_record(self) -> Record:
        record = super().sealed_record()
        record.locked = self.evidence
        return record
