"""The policy of a forced result: keep what is guaranteed, and beyond it wait for mistakes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, SECRET
from trapline.solve.guarantee import Guarantee, SecretsProof
from trapline.solve.history import Place
from trapline.solve.interface import Outlook, evenly
from trapline.solve.machines import ForcedMachine

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View
    from trapline.solve.model import GameModel


class ForcedPolicy:
    """Plays what guarantees the value whatever is hidden; of that, what somebody who errs
    answers worst."""

    def __init__(self, model: GameModel, until: float = math.inf) -> None:
        self.model, self.until = model, until
        self.limit = model.limit
        self._guarantees: dict[Any, Guarantee] = {}

    def guarantee(self, hero: Seat, state: Any = None, holding: int = 0) -> Guarantee:
        """The hero's proof game; drawn anew from a state that the drawn part does not hold."""
        if hero not in self._guarantees:
            proof = SecretsProof(self.model, hero)
            self._guarantees[hero] = Guarantee(proof, self.limit, self.until)
        drawn = self._guarantees[hero]
        if state is None or drawn.holds(state, holding):
            return drawn
        if (hero, state) not in self._guarantees:
            proof = SecretsProof(self.model, hero, state)
            self._guarantees = {s: g for s, g in self._guarantees.items() if s in SEATS}
            self._guarantees[hero, state] = Guarantee(proof, self.limit)
        return self._guarantees[hero, state]

    def chances(self, view: View) -> dict[Form, float]:
        at = Place(self.model, view)
        if at.question.asks == SECRET:
            return at.secrets(self.mix(at.role), at.role)
        best = self.guarantee(at.role, at.state, at.holding).best(
            at.state, at.holding, self._turn(at)
        )
        return at.answers(evenly(best, self.model.actions(at.state)))

    def look(self, view: View) -> Outlook:
        at = Place(self.model, view)
        return self._hide(at) if at.question.asks == SECRET else self._answer(at)

    def mix(self, hero: Seat) -> dict[int, float]:
        """The holdings that guarantee most, and of these the most promising ones."""
        count = range(len(self.model.holdings[hero - 1]))
        return evenly(self.guarantee(hero).holdings(), count)

    def machine(self, role: Seat) -> ForcedMachine:
        return ForcedMachine(self, role)

    def _hide(self, at: Place) -> Outlook:
        return Outlook(
            at.secrets(self.mix(at.role), at.role),
            at.secrets(self.guarantee(at.role).values(), at.role),
            at.secrets(self.mix(at.rival), at.rival),
            at.secrets(self.guarantee(at.role).holding_hopes(), at.role),
            at.secrets(self.guarantee(at.role).holding_hopes(both=True), at.role),
        )

    def _answer(self, at: Place) -> Outlook:
        state, mine = at.state, at.holding
        drawn = self.guarantee(at.role, state, mine)
        turn = self._turn(at)
        actions = self.model.actions(state)
        values = {a: float(v) for a, v in drawn.actions(state, mine, turn).items()}
        over = drawn.drawn(state, mine, turn)
        ended = at.answers({action: float(action in over) for action in actions})
        return Outlook(
            at.answers(evenly(drawn.best(state, mine, turn), actions)),
            at.answers(values),
            at.secrets(self._beliefs(at), at.rival),
            at.answers(drawn.hopes(state, mine, turn)),
            at.answers(drawn.hopes(state, mine, turn, both=True)),
            drawn=frozenset(answer for answer, over in ended.items() if over),
        )

    def _turn(self, at: Place) -> int:
        """How many turns count towards the limit beside those in the state."""
        return 0 if self.model.counts_turns else at.view.turn

    def _beliefs(self, at: Place) -> dict[int, float]:
        """How likely each of the other's secrets is, by the other's mix and answers."""
        villain, likely, turn = at.rival, self.mix(at.rival), 0
        for step in at.steps:
            if self.model.mover(step.before) == villain:
                action = self.model.actions(step.before)[step.action]
                likely = {
                    i: chance * self._chance(villain, step.before, i, turn, action)
                    for i, chance in likely.items()
                    if chance
                }
            turn += step.turns
        possible = [
            i for i in range(at.masks[villain - 1].bit_length()) if at.masks[villain - 1] >> i & 1
        ]
        left = {i: likely.get(i, 0.0) for i in possible}
        whole = sum(left.values())
        return {i: left[i] / whole if whole else 1 / len(possible) for i in possible}

    def _chance(self, seat: Seat, state: Any, holding: int, turn: int, action: Any) -> float:
        """How often the solution makes a move with a holding; 1 where that is not known."""
        drawn = self.guarantee(seat)
        if not drawn.holds(state, holding):
            return 1.0
        turn = 0 if self.model.counts_turns else turn
        return evenly(drawn.best(state, holding, turn), self.model.actions(state))[action]
