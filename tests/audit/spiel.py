"""Kuhn poker for OpenSpiel with faults beside its leaks, which `tests.testing.kuhn` has."""

from __future__ import annotations

import random
from typing import Any

from open_spiel.python.games import kuhn_poker

from tests.testing import kuhn


class Fails(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # pyspiel has no types
    def _apply_action(self, action: int) -> None:
        super()._apply_action(action)
        if self.bets == [1, 0]:
            raise IndexError("no such card")


class Sticks(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.bets == [0] else [0, 1]


class GivesBoth(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def returns(self) -> list[float]:
        won = super().returns()
        return [abs(result) for result in won]


class Overpays(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def returns(self) -> list[float]:
        return [5 * result for result in super().returns()]


class GoesOn(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def _apply_action(self, action: int) -> None:
        super()._apply_action(action)
        del self.bets[:-1]
        self._game_over = False


class Shuffles(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def _apply_action(self, action: int) -> None:
        super()._apply_action(action)
        if len(self.cards) == 2 and not self.bets:
            self.cards[:] = random.sample(range(3), 2)


class ListsTooMuch(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # likewise
    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1, 7] if self.bets == [1] else [0, 1]


class Divides(kuhn_poker.KuhnPokerObserver):  # type: ignore[misc]  # likewise
    def set_from(self, state: Any, player: int) -> None:
        super().set_from(state, player)
        self.tensor[0] = float("nan") if state.bets else self.tensor[0]


FAULTS = {
    "crash": kuhn._register("fails", state=Fails),
    "deadlock": kuhn._register("sticks", state=Sticks),
    "rewards": kuhn._register("gives_both", state=GivesBoth),
    "endless": kuhn._register("goes_on", state=GoesOn),
    "space": kuhn._register("divides", observer=Divides),
    "leak": kuhn.LEAKING["information state"],
    "recall": kuhn.FORGETTING,
}
MORE = {
    "chance": kuhn._register("shuffles", state=Shuffles),
    "rewards": kuhn._register("overpays", state=Overpays),
    "space": kuhn._register("lists_too_much", state=ListsTooMuch),
    "leak": kuhn.LEAKING["information state tensor"],
}
