"""The policy of plans whose secrets and runs are mostly apart: each seat plays what proves its
bound.

Of several plans one is drawn. Nobody need remember which: how likely each is now follows from the
own secret and the own moves, and all of them together are played accordingly.

Who has won, or is only a number, takes the way that surely takes fewest moves. Who has lost, or has
done what the plan gave up, runs for the goal. What a choice is worth is what it can bring against
the other's plan.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.apart.drawn import believed, drawn, expected
from trapline.games.hidden_path.solving.apart.loose import Loose
from trapline.games.hidden_path.solving.duel.situation import landings_of
from trapline.games.hidden_path.solving.duel.timing import Timing
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.solve.interface import Outlook

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.apart.drawn import Drawn
    from trapline.games.hidden_path.solving.apart.lots import Lots


class ApartPolicy:
    def __init__(self, game: HiddenPath, lots: tuple[Lots, Lots]) -> None:
        self._lots = lots
        every = secrets_of(game)
        self._records: dict[int, Form] = {s: game.hiding.record(s) for s in every}
        self._secrets = {record: secret for secret, record in self._records.items()}
        self._doubts = lots[0].sides[0].running.doubts
        self._timing = Timing(self._doubts, self._doubts)

    def lots(self, role: Seat) -> Lots:
        """What whoever moves first (1) or second (2) plays and proves."""
        return self._lots[role - 1]

    def form(self, secret: int) -> Form:
        """A secret as it is written down."""
        return self._records[secret]

    def secrets(self, role: Seat) -> dict[Form, float]:
        """How often each is hidden, those too that never are."""
        found = dict.fromkeys(self._records.values(), 0.0)
        return found | {self._records[s]: chance for s, chance in self.lots(role).mix.items()}

    def chances(self, view: View) -> dict[Form, float]:
        role = _role(view)
        if view.asks == SECRET:
            return self.secrets(role)
        assert view.secret is not None
        secret = self._secrets[view.secret]
        plans, loose = self._walked(role, view)
        weights = [plan.likely.get(secret, 0.0) for plan in plans]
        if plans and not any(weights):  # nobody who keeps to the plans is here: the first goes on
            weights[0] = 1.0
        found: dict[Form, float] = dict.fromkeys(view.legal, 0.0)
        for plan, weight in zip(plans, weights, strict=True):
            row = plan.row(secret, partial(loose.hurry, role)) if weight else {}
            for steps, chance in row.items():
                found[steps] += weight / sum(weights) * chance
        return found if plans else found | loose.hurry(role)

    def look(self, view: View) -> Outlook:
        role = _role(view)
        chances, rival = self.chances(view), self.lots(other(role))
        if view.asks == SECRET:
            every = rival.sides[0].running.secrets
            pairs = zip(every, (-rival.first_values).tolist(), strict=True)
            hides = {self._records[secret]: value for secret, value in pairs}
            return Outlook(chances, hides, self.secrets(other(role)))
        assert view.secret is not None
        plans, loose = self._walked(other(role), view)
        times = loose.in_times(role)
        guess: dict[Form, float] = {steps: 2 * chance - 1 for steps, chance in times.items()}
        if not plans:
            return Outlook(chances, guess, {}, guessed=frozenset(guess))
        beliefs = {self._records[s]: chance for s, chance in believed(plans).items()}
        sure = [steps for steps in times if chances[steps] > 0.0]
        values: dict[Form, float] = dict(expected(plans, self._secrets[view.secret], sure).items())
        guessed = frozenset(move for move in guess if move not in values)
        return Outlook(chances, guess | values, beliefs, guessed=guessed)

    def _walked(self, seat: Seat, view: View) -> tuple[list[Drawn], Loose]:
        """A seat's plans that know of all that has happened, what is drawn most first."""
        plans = [drawn(*lot) for lot in zip(*self.lots(seat), strict=True)]
        plans.sort(key=attrgetter("whole"), reverse=True)
        loose = Loose(self._doubts, self._timing)
        for landing in landings_of(view):
            hurry = partial(loose.hurry, seat)
            plans = [after for plan in plans if (after := plan.after(landing, hurry))]
            loose.land(landing)
        return plans, loose


def _role(view: View) -> Seat:
    """1 for whoever moves first."""
    return 1 if view.seat == view.first else 2
