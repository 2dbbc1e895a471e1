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
from trapline.games.hidden_path.solving.duel import OPEN
from trapline.games.hidden_path.solving.duel_training import Room, best_response, reach
from trapline.games.hidden_path.solving.lone_kernels import lone_best, lone_worth
from trapline.games.hidden_path.solving.races import secrets_of
from trapline.games.hidden_path.solving.situation import situation_of
from trapline.solve.interface import ROUNDING, Outlook, evenly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.duel import Tree
    from trapline.games.hidden_path.solving.duel_training import Plan
    from trapline.games.hidden_path.solving.situation import Situation

    Floats = NDArray[np.float64]


class DuelPolicy:
    def __init__(self, game: HiddenPath, tree: Tree, plan: Plan) -> None:
        self.game, self.tree, self.plan = game, tree, plan
        self._records: dict[int, Form] = {
            secret: game.hiding.record(secret) for secret in secrets_of(game)
        }
        self._secrets = {record: secret for secret, record in self._records.items()}
        self._timely: dict[tuple[int, int, int, int], float] = {}

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
        elif at.runner == role and self._chooses(at):
            point = self.tree.runs.points[self.tree.point(at.node, at.point)]
            row = self.tree.lone_table(self.plan.lone, at.node)[point["row"]]
        else:
            return evenly(self._shortest(at, role), legal)
        return {m + 1: float(chance) for m, chance in enumerate(row[: len(legal)])}

    def _held(self, at: Situation, role: Seat, view: View) -> int:
        assert view.secret is not None
        return at.held(role, self._secrets[view.secret])

    def _chooses(self, at: Situation) -> bool:
        points = self.tree.runs.points
        return at.point >= 0 and bool(points[self.tree.point(at.node, at.point)]["open"])

    def _shortest(self, at: Situation, role: Seat) -> dict[Form, float]:
        """Of the moves with the best chance to be in time, those that surely take fewest."""
        doubts, doubt, place = self.tree.doubts(role), at.doubts[role - 1], at.places[role - 1]
        chances = self._in_times(at, role)
        best = max(chances.values()) - ROUNDING
        worst: dict[Form, float] = {}
        for steps in (steps for steps, chance in chances.items() if chance >= best):
            to = place + steps
            good, bad = doubts.passed[doubt, to], doubts.caught[doubt, to]
            sure = doubts.surely[good, to] if good >= 0 else 0
            worst[steps] = -float(max(sure, doubts.surely[bad, 0] if bad >= 0 else 0))
        return worst

    def _in_times(self, at: Situation, role: Seat) -> dict[int, float]:
        """For each move, the chance to be there before the other surely is."""
        theirs, me = self.tree.doubts(other(role)), role - 1
        left = int(theirs.surely[at.doubts[2 - role], at.places[2 - role]])
        farthest = min(theirs.max_step, theirs.length - at.places[me])
        return {
            steps: self._after(role, at.doubts[me], at.places[me] + steps, left - 1)
            for steps in range(1, farthest + 1)
        }

    def _after(self, role: Seat, doubt: int, to: int, left: int) -> float:
        """The chance to be there in time after a landing, all secrets equally likely."""
        doubts = self.tree.doubts(role)
        good, bad = int(doubts.passed[doubt, to]), int(doubts.caught[doubt, to])
        share = doubts.size[bad] / doubts.size[doubt] if bad >= 0 else 0.0
        chance = share * self._in_time(role, bad, 0, left) if bad >= 0 else 0.0
        return chance + ((1 - share) * self._in_time(role, good, to, left) if good >= 0 else 0.0)

    def _in_time(self, role: Seat, doubt: int, place: int, left: int) -> float:
        doubts = self.tree.doubts(role)
        if doubts.fewest[doubt, place] > left:
            return 0.0
        if doubts.surely[doubt, place] <= left:
            return 1.0
        key = (role, doubt, place, left)
        if key not in self._timely:
            farthest = min(place + doubts.max_step, doubts.length)
            self._timely[key] = max(
                self._after(role, doubt, to, left - 1) for to in range(place + 1, farthest + 1)
            )
        return self._timely[key]

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
        if at.runner == role and self._chooses(at):
            return self._lone_values(at, weights, len(view.legal))
        return {steps: 2 * chance - 1 for steps, chance in self._in_times(at, role).items()}

    def _open_values(
        self, at: Situation, role: Seat, held: int, weights: Floats
    ) -> dict[Form, float]:
        tree, room = self.tree, self._room
        best_response(tree, role, self.plan, room, at.node, weights)
        column = tree.table(room.worth, at.node)[:, held]
        return {m + 1: float(worth) for m, worth in enumerate(column)}

    def _lone_values(self, at: Situation, weights: Floats, legal: int) -> dict[Form, float]:
        runs, worths = self.tree.runs, self._room.spare
        run = runs.runs[self.tree.nodes[at.node]["run"]]
        lone_best(run, *runs[1:], weights, 0, worths)
        here = self.tree.point(at.node, at.point)
        found = [lone_worth(runs.passed, runs.caught, here, m, worths) for m in range(legal)]
        return {m + 1: 2 * float(worth) - 1 for m, worth in enumerate(found)}


def _role(view: View) -> Seat:
    """1 for whoever moves first."""
    return 1 if view.seat == view.first else 2
