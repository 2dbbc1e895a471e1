"""What is known of the game at one table: its solution at hand, or on its way while people play."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from trapline.players import find_player
from trapline.players.perfect import unless_interrupted

if TYPE_CHECKING:
    from trapline.coach import Advice
    from trapline.core import View
    from trapline.players import Choose, Opponent
    from trapline.preparing import Preparation
    from trapline.referee import Match


class Thinking:
    """Begins to solve when somebody first needs it: a computer that plays the solution, or a
    person who asks for a hint."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._said = ""
        self._waited = False

    @cached_property
    def _solution(self) -> Preparation:
        # The solver is heavy; nobody should load it who does not need it.
        from trapline.preparing import Preparation

        self._waited = True
        return Preparation(self._match.game, self._match.first)

    def begin(self) -> None:
        """Have the solution at hand, if it is to be had quickly."""
        with unless_interrupted():  # loading the solver can swallow a Ctrl-C
            self._solution.wait()

    def stop(self) -> None:
        """Nobody needs it any more."""
        if self._waited:
            self._solution.stop()

    def chooser(self, name: str, opponent: Opponent) -> tuple[Choose, list[str]]:
        """Who answers for a computer, and what has to be said about it."""
        from trapline.preparing import MEANWHILE

        if opponent.prepare is None:
            return opponent.choose, []
        ready = not self._solution.open and self._solution.ready
        told = "" if ready else f"{self._solution.sentence()} {MEANWHILE} answers for {name}."
        if ready and self._said:
            told = f"This variant is solved: {name} answers now."
        fresh = [told] if told and told != self._said else []
        self._said = told or self._said
        return (opponent if ready else find_player(MEANWHILE)).choose, fresh

    def advise(self, view: View) -> Advice:
        """What the coach says, or how long it takes until the coach can."""
        from trapline.coach import Advice, advise

        self.begin()
        return advise(view) if self._solution.ready else Advice(self._solution.sentence())
