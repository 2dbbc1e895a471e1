"""The policy of two modest plans: each seat plays by the tree in which it proves its bound.

Who keeps to such a plan is never astray in its tree. Others may ask too, for a hint or for what a
choice is worth: somebody who hides what the plan gave up, or has wasted moves. For them there is
the other tree, in which their seat may do anything and the opponent keeps to the other plan. Where
neither tree knows the way, whoever is left runs for the goal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.duel.situation import Astray, landings_of
from trapline.games.hidden_path.solving.duel.timing import Timing
from trapline.solve.interface import Outlook, evenly

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.solving.duel.policy import DuelPolicy


class ModestPolicy:
    def __init__(self, first: DuelPolicy, second: DuelPolicy) -> None:
        self._policies = (first, second)
        # In each of the two trees, its modest runner may meet anything.
        self._doubts = (first.tree.doubts(1), second.tree.doubts(2))
        self._timing = Timing(*self._doubts)

    def of(self, role: Seat) -> DuelPolicy:
        """What whoever moves first (1) or second (2) plays and proves."""
        return self._policies[role - 1]

    def chances(self, view: View) -> dict[Form, float]:
        role: Seat = 1 if view.seat == view.first else 2
        if view.asks == SECRET:
            return self._secrets(role)
        for policy in (self.of(role), self.of(other(role))):
            try:
                return policy.chances(view)
            except Astray:
                continue
        return evenly(self._timing.shortest(role, *self._stand(view)), view.legal)

    def _secrets(self, role: Seat) -> dict[Form, float]:
        """Also those that are never chosen."""
        every = self.of(other(role)).secrets(role)
        return dict.fromkeys(every, 0.0) | self.of(role).secrets(role)

    def look(self, view: View) -> Outlook:
        """What an answer can bring against the other's plan, where its tree knows the way."""
        role: Seat = 1 if view.seat == view.first else 2
        chances = self.chances(view)
        for policy in (self.of(other(role)), self.of(role)):
            try:
                found = policy.look(view)
            except Astray:
                continue
            if view.asks == SECRET:
                beliefs = self._secrets(other(role))
                return found._replace(chances=chances, beliefs=beliefs)
            return self._whole(view, found._replace(chances=chances))
        return self._guess(view, role, chances)

    def _whole(self, view: View, found: Outlook) -> Outlook:
        """With a value for every legal move, also for those that are given up."""
        missing = [move for move in view.legal if move not in found.values]
        worst = min(found.values.values())
        values = found.values | dict.fromkeys(missing, worst)
        return found._replace(values=values, guessed=frozenset(missing))

    def _guess(self, view: View, role: Seat, chances: dict[Form, float]) -> Outlook:
        doubting, places = self._stand(view)
        values: dict[Form, float] = {
            steps: 2 * chance - 1
            for steps, chance in self._timing.in_times(role, doubting, places).items()
        }
        return Outlook(chances, values, {}, guessed=frozenset(values))

    def _stand(self, view: View) -> tuple[list[int], list[int]]:
        """What both runners doubt who know of no plan, and where they are."""
        doubting, places = [0, 0], [0, 0]
        for seat, steps, trapped in landings_of(view):
            doubts, me = self._doubts[seat - 1], seat - 1
            to = places[me] + steps
            table = doubts.caught if trapped else doubts.passed
            doubting[me], places[me] = int(table[doubting[me], to]), 0 if trapped else to
        return doubting, places
