"""What players do beside the game: react, take a turn back by agreement, play again."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from trapline.core import SEATS, NotNow, Seat, other
from trapline.server import messages
from trapline.server.messages import Reaction, Standing, Takeback

if TYPE_CHECKING:
    from trapline.referee import Match
    from trapline.referee.progress import Bookmark
    from trapline.server.log import Act, Open
    from trapline.server.seating import Seating

MOST_REACTIONS = 100
"""Of one player in one match."""
MOST_BACK = 8
"""Turns that are remembered as they were before."""


NO_MORE = Takeback(None, (False, False))
"""Of a match that is over."""


class Sidelines:
    """Of one match. Nothing here depends on what anybody hides."""

    def __init__(self, match: Match, seating: Seating) -> None:
        self._match = match
        self._seating = seating
        self._rematch: dict[Seat, str] = {}
        self._agreed_at = ""
        """When both wanted a rematch: then its clock begins."""
        self._said: dict[Seat, Reaction] = {}
        self._asks_back: Seat | None = None
        self._retractable = match.retractable
        self._past: deque[tuple[Seat, Bookmark]] = deque(maxlen=MOST_BACK)
        """Who moved, and where the match was before, for the last turns."""

    def carry_out(self, entry: Act) -> bool:
        """Whether a command was one for here, and has been carried out."""
        seat, command = entry.seat, entry.command
        match command:
            case messages.Rematch():
                self._want_rematch(entry)
            case messages.React():
                self._react(seat, command.says)
            case messages.AskTakeback():
                self._ask_back(seat)
            case messages.AcceptTakeback():
                self._take_back(self._asked_by_other(seat))
            case messages.DeclineTakeback():
                self._asked_by_other(seat)
                self._asks_back = None
            case _:
                return False
        return True

    def _alone(self, seat: Seat) -> bool:
        """Whether nobody else has to agree: the other is the computer, or on the same device."""
        mine, theirs = self._seating.holders[seat], self._seating.holders[other(seat)]
        return bool(mine and theirs and (theirs.bot or theirs.key == mine.key))

    # --- reactions ----------------------------------------------------------------------

    def _react(self, seat: Seat, says: str) -> None:
        number = self._said[seat].number + 1 if seat in self._said else 1
        if number > MOST_REACTIONS:
            raise NotNow("You have said enough for one match.")
        self._said[seat] = Reaction(says, number)

    # --- taking back --------------------------------------------------------------------

    def before_turn(self, seat: Seat) -> Bookmark | None:
        """Where the match is, if a turn of `seat` begins that may be taken back."""
        if not self._retractable:
            return None
        match = self._match
        begins = match.to_move == seat and not match.in_turn(seat)
        return match.bookmark() if begins else None

    def note_turn(self, seat: Seat, before: Bookmark | None) -> None:
        """Somebody has answered, and with it said no to going back."""
        self._asks_back = None
        if before is not None:
            self._past.append((seat, before))

    def _may_take_back(self, seat: Seat) -> bool:
        return self._match.outcome is None and self._has_moved(seat)

    def _has_moved(self, seat: Seat) -> bool:
        """Whether a turn of a seat is remembered, and it is not in the middle of another."""
        for mover, _ in self._past:
            if mover == seat:
                return not self._match.in_turn(seat)
        return False

    def _ask_back(self, seat: Seat) -> None:
        if not self._retractable:
            raise NotNow("In this game a turn tells something, so it cannot be taken back.")
        if not self._may_take_back(seat):
            raise NotNow("There is no turn of yours that could be taken back.")
        if self._asks_back == seat:
            raise NotNow("You have asked already.")
        self._asks_back = seat
        if self._alone(seat):
            self._take_back(seat)

    def _asked_by_other(self, seat: Seat) -> Seat:
        if self._asks_back != other(seat) or self._match.outcome is not None:
            raise NotNow("Nobody has asked you to take a turn back.")
        return other(seat)

    def _take_back(self, seat: Seat) -> None:
        """To before the last turn of the one who asked."""
        self._asks_back = None
        while self._past:
            mover, before = self._past.pop()
            if mover == seat:
                self._match.take_back(seat, before)
                return

    # --- playing again ------------------------------------------------------------------

    def _want_rematch(self, entry: Act) -> None:
        seat, salt = entry.seat, entry.salt
        if self._match.outcome is None:
            raise NotNow("A rematch comes after the match.")
        if self._seating.is_open:
            raise NotNow("Nobody joined, so there is nobody to play again with.")
        self._rematch.setdefault(seat, salt)
        if self._alone(seat):
            self._rematch.setdefault(other(seat), salt)
        if len(self._rematch) == len(SEATS):
            self._agreed_at = self._agreed_at or entry.at

    def next_match(self) -> tuple[str, Open] | None:
        """The rematch, when both want it: the next game of a series, or a new one."""
        if len(self._rematch) < len(SEATS):
            return None
        chance = "".join(self._rematch[seat] for seat in SEATS)
        return self._seating.rematch(self._agreed_at, chance, self._match.outcome)

    # --- what everybody sees ------------------------------------------------------------

    def wants_rematch(self) -> tuple[bool, bool]:
        return 1 in self._rematch, 2 in self._rematch

    def reactions(self) -> tuple[Reaction | None, Reaction | None]:
        return self._said.get(1), self._said.get(2)

    def takeback(self) -> Takeback | None:
        """Null where no turn of this game is ever taken back."""
        if not self._retractable:
            return None
        if self._match.outcome is not None:
            return NO_MORE
        return Takeback(self._asks_back, (self._has_moved(1), self._has_moved(2)))

    def standing(self) -> Standing | None:
        """How a series stands, with this match when it is over."""
        series, outcome = self._match.series, self._match.outcome
        if series is None:
            return None
        decided = outcome is not None and series.decided_by(outcome)
        return Standing(series.best_of, series.number, series.score_after(outcome), decided)
