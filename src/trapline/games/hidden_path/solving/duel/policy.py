"""The policy of a plan for a duel: what is proven of the plan is what is played.

Beyond the cuts of the tree nothing is chosen any more that could give a secret away: whoever has
won, or is only a number, takes the way that surely takes fewest moves, and whoever runs alone
looks at nothing but the own landings.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS, SECRET, other
from trapline.games.hidden_path.solving.duel.lone import Alone
from trapline.games.hidden_path.solving.duel.nodes import OPEN
from trapline.games.hidden_path.solving.duel.situation import situation_of
from trapline.games.hidden_path.solving.duel.timing import Timing
from trapline.games.hidden_path.solving.duel.training import Room, best_response, reach
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.solve.interface import Outlook, evenly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.duel.situation import Situation
    from trapline.games.hidden_path.solving.duel.training import Plan
    from trapline.games.hidden_path.solving.duel.tree import Tree

    Floats = NDArray[np.float64]


class DuelPolicy:
    def __init__(self, game: HiddenPath, tree: Tree, plan: Plan) -> None:
        self.game, self.tree, self.plan = game, tree, plan
        self._records: dict[int, Form] = {
            secret: game.hiding.record(secret) for secret in secrets_of(game)
        }
        self._secrets = {record: secret for secret, record in self._records.items()}
        self._timing = Timing(tree.doubts(1), tree.doubts(2))
        self._alone = (Alone(tree.doubts(1)), Alone(tree.doubts(2)))

    # --- what is played -------------------------------------------------------------------

    def chances(self, view: View) -> dict[Form, float]:
        role = _role(view)
        return self.secrets(role) if view.asks == SECRET else self._row(self._at(view), role, view)

    def secrets(self, role: Seat) -> dict[Form, float]:
        """How often whoever moves first (1) or second (2) chooses each secret."""
        return self._by_secret(role, self.plan.mixes[role - 1])

    def _by_secret(self, role: Seat, numbers: Floats) -> dict[Form, float]:
        pairs = zip(self.tree.secrets(role), numbers.tolist(), strict=True)
        return {self._records[secret]: number for secret, number in pairs}

    def _at(self, view: View) -> Situation:
        return situation_of(self.tree, view)

    def _row(self, at: Situation, role: Seat, view: View) -> dict[Form, float]:
        assert view.secret is not None
        return self.row(at, role, self._secrets[view.secret], [int(str(m)) for m in view.legal])

    def row(
        self, at: Situation, role: Seat, secret: int, legal: Sequence[int]
    ) -> dict[Form, float]:
        """How often each legal move is made, with a secret as bits."""
        if at.kind == OPEN:
            row = self.tree.table(self.plan.table, at.node)[:, at.held(role, secret)]
        elif at.runner == role and at.point >= 0:
            number = self.tree.point(at.node, at.point)["row"]
            row = self.tree.lone_table(self.plan.lone, at.node)[number]
        else:
            alone = at.alone() if at.runner == role else None
            left = None if alone is None else alone.left
            return evenly(self._timing.shortest(role, at.doubts, at.places, left), legal)
        found: dict[Form, float] = dict.fromkeys(legal, 0.0)
        found.update(zip(at.steps, row.tolist(), strict=False))  # a lone run's rows are wider
        return found

    def _held(self, at: Situation, role: Seat, view: View) -> int:
        assert view.secret is not None
        return at.held(role, self._secrets[view.secret])

    # --- what it is worth -----------------------------------------------------------------

    @cached_property
    def _room(self) -> Room:
        return Room(self.tree)

    @cached_property
    def _reaches(self) -> tuple[Floats, Floats]:
        one, two = (reach(self.tree, seat, self.plan, self._room).copy() for seat in SEATS)
        return one, two

    @cached_property
    def _secret_worths(self) -> dict[int, Floats]:
        return {
            seat: best_response(self.tree, seat, self.plan, self._room).copy() for seat in SEATS
        }

    def look(self, view: View) -> Outlook:
        role = _role(view)
        rival = other(role)
        if view.asks == SECRET:
            worths = self._by_secret(role, self._secret_worths[role])
            return Outlook(self.secrets(role), worths, self.secrets(rival))
        at = self._at(view)
        weights = self._weights(at, rival)
        values = self._values(at, role, view, weights)
        pairs = zip(at.secrets(rival), weights[at.fit[rival - 1]].tolist(), strict=True)
        beliefs = {self._records[secret]: chance for secret, chance in pairs}
        return Outlook(self._row(at, role, view), values, beliefs)

    def _weights(self, at: Situation, rival: Seat) -> Floats:
        """How likely each of the other's secrets at the node is, by the other's mix and moves."""
        reached = self._reaches[rival - 1][self.tree.live(at.node, rival)]
        fits = np.zeros(len(reached))
        fits[at.fit[rival - 1]] = 1.0
        weights = reached * fits
        return np.asarray(weights / weights.sum() if weights.sum() > 0 else fits / fits.sum())

    def _values(self, at: Situation, role: Seat, view: View, weights: Floats) -> dict[Form, float]:
        """What each move can bring against the plan, where the tree or a lone run says it."""
        if at.kind == OPEN:
            return self._open_values(at, role, self._held(at, role, view), weights)
        alone = at.alone() if at.runner == role else None
        if alone is not None:
            held = weights[at.fit[2 - role]]
            runs = self._alone[role - 1]
            found = {to: runs.worth_of(alone, to, held) for to in runs.steps(alone.place)}
            return {to - alone.place: 2 * worth - 1 for to, worth in found.items()}
        chances = self._timing.in_times(role, at.doubts, at.places)
        return {steps: 2 * chance - 1 for steps, chance in chances.items()}

    def _open_values(
        self, at: Situation, role: Seat, held: int, weights: Floats
    ) -> dict[Form, float]:
        tree, room = self.tree, self._room
        best_response(tree, role, self.plan, room, at.node, weights)
        column = tree.table(room.worth, at.node)[:, held]
        return dict(zip(at.steps, column.tolist(), strict=True))


def _role(view: View) -> Seat:
    """1 for whoever moves first."""
    return 1 if view.seat == view.first else 2
