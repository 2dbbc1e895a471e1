"""What a choice costs: against the equilibrium, or against the opponent at hand.

Both judge from what the player could know, never from what the other hides, and both compare with
the best answer from the same seat at the same moment: nobody is punished for sitting in the worse
seat, or for luck. A forfeit costs all that could still be had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from trapline.coach.weighing import weigh
from trapline.core import SEATS, other
from trapline.measures.decisions import all_decisions
from trapline.measures.exploiting import plan
from trapline.players.perfect import solution_of
from trapline.solve.sequences import best_answers

if TYPE_CHECKING:
    from trapline.core import Form, Game, Seat, View
    from trapline.measures.decisions import Decisions, Floats
    from trapline.measures.policies import Policy

NEVER = 1e-12
"""A decision that comes up more rarely than this never does."""


class Judge(Protocol):
    """Between 0, nothing, and twice what a win is worth; None where nobody knows."""

    def lost(self, view: View, answer: Form) -> float | None:
        """What an answer cost, against the best one."""

    def forfeited(self, view: View) -> float | None:
        """What giving up cost."""


class AgainstEquilibrium:
    """The other is reckoned to play the solution; a game without one has no regrets."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def lost(self, view: View, answer: Form) -> float | None:
        solution = solution_of(self.game, view.first)
        return None if solution is None else weigh(solution, view).lost(answer)

    def forfeited(self, view: View) -> float | None:
        solution = solution_of(self.game, view.first)
        if solution is None:
            return None
        weighed = weigh(solution, view)
        return weighed.outlook.values[weighed.best] + self.game.stake


class AgainstOpponent:
    """The other is known to play this policy; for games whose decisions can be listed."""

    def __init__(self, game: Game[Any], policy: Policy) -> None:
        self.game = game
        self._policy = policy
        self._worth: dict[tuple[Seat, Seat], Floats] = {}

    def lost(self, view: View, answer: Form) -> float | None:
        worth = self._answers(view)
        return None if worth is None else max(worth.values()) - worth[answer]

    def forfeited(self, view: View) -> float | None:
        worth = self._answers(view)
        return None if worth is None else max(worth.values()) + self.game.stake

    def _answers(self, view: View) -> dict[Form, float] | None:
        """What each answer is worth; None where this opponent never lets it come to that."""
        assert view.seat in SEATS  # only players choose
        known = all_decisions(self.game, view.first)
        decision = known.find(view)
        if (view.first, view.seat) not in self._worth:
            self._worth[view.first, view.seat] = self._values(known, view.seat)
        worth = self._worth[view.first, view.seat][decision.sequences]
        return (
            None
            if np.isnan(worth).any()
            else dict(zip(decision.answers, worth.tolist(), strict=True))
        )

    def _values(self, known: Decisions, seat: Seat) -> Floats:
        """For each answer everywhere: what it brings if all that follows is best."""
        side = known.side(seat)
        theirs = plan(known, other(seat), self._policy)
        worth = known.form.gains(seat, theirs)
        best_answers(side.parent, side.first, worth, np.ones(side.size))
        reached = known.reached(seat, theirs)
        return np.where(reached > NEVER, worth / np.maximum(reached, NEVER), np.nan)
