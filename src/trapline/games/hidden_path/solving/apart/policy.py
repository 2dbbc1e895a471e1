"""The policy of two plans whose secrets and runs are mostly apart: each seat plays what proves its
bound.

Who has won, or is only a number, takes the way that surely takes fewest moves. Who has lost, or has
done what the plan gave up, runs for the goal. What a choice is worth is what it can bring against
the other's plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.apart.side import stand_of
from trapline.games.hidden_path.solving.duel.situation import Astray, landings_of
from trapline.games.hidden_path.solving.duel.timing import Timing
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.solve.interface import Outlook, evenly

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.apart.side import Side, Stand


class ApartPolicy:
    def __init__(self, game: HiddenPath, sides: tuple[Side, Side]) -> None:
        self._sides = sides
        every = secrets_of(game)
        self._records: dict[int, Form] = {s: game.hiding.record(s) for s in every}
        self._secrets = {record: secret for secret, record in self._records.items()}
        self._doubts = sides[0].running.doubts
        self._timing = Timing(self._doubts, self._doubts)

    def side(self, role: Seat) -> Side:
        """What whoever moves first (1) or second (2) plays and proves."""
        return self._sides[role - 1]

    def form(self, secret: int) -> Form:
        """A secret as it is written down."""
        return self._records[secret]

    def secrets(self, role: Seat) -> dict[Form, float]:
        """How often each is hidden, those too that never are."""
        side = self.side(role)
        pairs = zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True)
        found = dict.fromkeys(self._records.values(), 0.0)
        return found | {self._records[secret]: chance for secret, chance in pairs}

    def chances(self, view: View) -> dict[Form, float]:
        role = _role(view)
        if view.asks == SECRET:
            return self.secrets(role)
        try:
            assert view.secret is not None
            row = stand_of(self.side(role), view).row(self._secrets[view.secret])
        except Astray:
            row = None
        if row is None:
            return evenly(self._timing.shortest(role, *self._loose(view)), view.legal)
        return {move: row.get(int(str(move)), 0.0) for move in view.legal}

    def look(self, view: View) -> Outlook:
        role = _role(view)
        chances, rival = self.chances(view), self.side(other(role))
        if view.asks == SECRET:
            pairs = zip(rival.running.secrets, (-rival.first_values).tolist(), strict=True)
            values = {self._records[secret]: value for secret, value in pairs}
            return Outlook(chances, values, self.secrets(other(role)))
        try:
            stand = stand_of(rival, view)
        except Astray:
            return Outlook(chances, guess := self._guess(role, view), {}, guessed=frozenset(guess))
        beliefs = {self._records[secret]: chance for secret, chance in stand.beliefs().items()}
        return self._values(view, stand, Outlook(chances, self._guess(role, view), beliefs))

    def _values(self, view: View, stand: Stand, found: Outlook) -> Outlook:
        """With what the rival's side knows of the moves; the others stay guessed."""
        assert view.secret is not None
        secret = self._secrets[view.secret]
        known: dict[Form, float] = dict(stand.values(secret).items())
        number = stand.number_value(secret)
        if number is not None:
            known = {move: number for move, chance in found.chances.items() if chance > 0.0}
        guessed = frozenset(move for move in found.values if move not in known)
        return found._replace(values=found.values | known, guessed=guessed)

    def _guess(self, role: Seat, view: View) -> dict[Form, float]:
        """What each move brings to somebody who only hurries."""
        chances = self._timing.in_times(role, *self._loose(view))
        return {steps: 2 * chance - 1 for steps, chance in chances.items()}

    def _loose(self, view: View) -> tuple[list[int], list[int]]:
        """What both runners doubt who know of no plan, and where they are."""
        doubting, places = [0, 0], [0, 0]
        for seat, steps, trapped in landings_of(view):
            me, to = seat - 1, places[seat - 1] + steps
            table = self._doubts.caught if trapped else self._doubts.passed
            doubting[me], places[me] = int(table[doubting[me], to]), 0 if trapped else to
        return doubting, places


def _role(view: View) -> Seat:
    """1 for whoever moves first."""
    return 1 if view.seat == view.first else 2
