"""What players may do beside the rules: resign, agree on a draw, claim after refused moves."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from trapline.core import (
    SECRET,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    MoveRefused,
    NotNow,
    Outcome,
    Reason,
    Seat,
    other,
)

if TYPE_CHECKING:
    from trapline.core import Game, Question
    from trapline.referee.progress import Progress


class Agreements:
    """The end of a match, however it comes about, and the offers and claims on the way to it."""

    game: Game[Any]

    def __init__(self, progress: Progress) -> None:
        self.outcome: Outcome | None = None
        self.ended = ""
        self._progress = progress
        self._refused = 0
        """Moves refused in a row."""
        self._offer: Seat | None = None
        self._offer_after_turn: Seat | None = None

    def resign(self, seat: Seat) -> None:
        self._must_be_running()
        self._end(Outcome(other(seat), Reason.RESIGNED))

    def run_out_of_time(self, *seats: Seat) -> None:
        """The clock has decided: who is late loses, and where both are, nobody wins.

        Whoever keeps the time says so; the rules know none.
        """
        self._must_be_running()
        self._end(Outcome(other(seats[0]) if len(seats) == 1 else None, Reason.TIME))

    # --- draws --------------------------------------------------------------------------

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
        elif self._progress.turn and seat == self._progress.state.mover:
            self._offer_after_turn = seat
        else:
            self._offer = seat
            self._progress.hearing.tell_all(DrawOffered(seat))

    def has_offered_draw(self, seat: Seat) -> bool:
        """Whether an offer of theirs stands, or will when their turn is complete."""
        return seat in (self._offer, self._offer_after_turn)

    def accept_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._end(Outcome(None, Reason.AGREED_DRAW))

    def decline_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._offer = None
        self._progress.hearing.tell_all(DrawDeclined(seat))

    def _must_have_offer(self, seat: Seat) -> None:
        self._must_be_running()
        if self._offer != other(seat):
            raise NotNow("There is no draw offer to answer.")

    # --- claims -------------------------------------------------------------------------

    @property
    def may_claim(self) -> Seat | None:
        limit = self.game.claim_after
        if limit is None or self._refused < limit or self.outcome is not None:
            return None
        return other(2 if self._progress.state.mover == 2 else 1)

    def claim(self, seat: Seat) -> None:
        """Take the game after the other's refused moves."""
        self._must_be_claimable(seat)
        self._end(Outcome(seat, Reason.FORFEIT))

    def waive_claim(self, seat: Seat) -> None:
        self._must_be_claimable(seat)
        self._refused = 0
        self._progress.hearing.tell_all(ClaimWaived(seat))

    def _must_be_claimable(self, seat: Seat) -> None:
        self._must_be_running()
        if self.may_claim != seat:
            raise NotNow("There is nothing to claim: the other player's moves were not refused.")

    def _count_refusal(self, seat: Seat, question: Question | None) -> None:
        if self.game.claim_after is not None and not is_secret(question):
            self._refused += 1
            self._progress.hearing.tell_all(MoveRefused(seat, self._refused))

    # --- the end ------------------------------------------------------------------------

    def _finish_turn(self) -> None:
        """After a complete turn: refusals are forgotten, and an offer that waited is made."""
        self._refused = 0
        self._look_for_the_end()
        if self.outcome is None and self._offer_after_turn is not None:
            self.offer_draw(self._offer_after_turn)
        self._offer_after_turn = None

    def _look_for_the_end(self) -> None:
        if self.outcome is None and self._progress.state.outcome is not None:
            self._end(self._progress.state.outcome)

    def _must_be_running(self) -> None:
        if self.outcome is not None:
            raise NotNow("The match is over.")

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._offer = None
        self.ended = now()


def is_secret(question: Question | None) -> bool:
    return question is not None and question.asks == SECRET


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def moment(seconds: float) -> str:
    """A time of the system's clock, as records hold it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
