"""Who may look: one person at a screen of their own, or two who share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SEATS

if TYPE_CHECKING:
    from trapline.core import Question, Seat
    from trapline.referee import Match
    from trapline.terminal.screen import Screen


class Audience:
    """Who sits at the screen, and so what it may show."""

    def __init__(self, match: Match, screen: Screen) -> None:
        self._match = match
        self._screen = screen
        self.people = [seat for seat in SEATS if match.players[seat].bot is None]
        self.shares = len(self.people) == 2
        """Whether two people use the same screen."""
        self.looking: Seat | None = None if self.shares else next(iter(self.people), None)
        """Who alone is looking; None while it may be anybody."""

    @property
    def takes_turns(self) -> bool:
        """Whether the screen is handed over, so that each sees a page of their own."""
        return self.shares and self._match.game.hides and self._screen.wipes

    @property
    def keeps_nothing_back(self) -> bool:
        """Whether two share what is printed: nothing that is shown can be taken back."""
        return self.shares and not self._screen.wipes

    def must_change(self, seat: Seat) -> bool:
        return self.takes_turns and self.looking != seat

    def close_curtain(self) -> None:
        """From now on only what everybody may see is shown."""
        if self.shares:
            self.looking = None

    def would_notice(self, question: Question) -> bool:
        """Whether somebody learns something if a question is left out.

        What has only one answer, and one that no record mentions, need not be asked. But two
        people who hear one voice would know why it was not.
        """
        left_out = question.forced and question.usual == question.answers[0].value
        return not left_out or (self.keeps_nothing_back and self._screen.people)
