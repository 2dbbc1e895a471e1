"""Kuhn poker for OpenSpiel with faults: the library's own Python game, told to talk."""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.games import kuhn_poker


def _type(fault: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=f"kuhn_that_{fault}",
        long_name=f"Kuhn poker that {fault}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


INFO = pyspiel.GameInfo(
    num_distinct_actions=2,
    max_chance_outcomes=3,
    num_players=2,
    min_utility=-2.0,
    max_utility=2.0,
    utility_sum=0.0,
    max_game_length=3,
)


class Game(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    fault = ""
    observer: type[Any] = kuhn_poker.KuhnPokerObserver
    state: type[Any] = kuhn_poker.KuhnPokerState
    type: Any

    def __init__(self, params: Any = None) -> None:
        super().__init__(self.type, INFO, params or {})

    def new_initial_state(self) -> Any:
        return self.state(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        return self.observer(kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class ShowsBothCards(kuhn_poker.KuhnPokerObserver):  # type: ignore[misc]  # pyspiel has no types
    def string_from(self, state: Any, player: int) -> str:
        return f"{super().string_from(state, player)} cards:{state.cards}"


class HintsInNumbers(kuhn_poker.KuhnPokerObserver):  # type: ignore[misc]  # pyspiel has no types
    def set_from(self, state: Any, player: int) -> None:
        super().set_from(state, player)
        if len(state.cards) == 2:
            self.tensor[-1] = state.cards[1 - player] / 10


class ForgetsTheCard(kuhn_poker.KuhnPokerObserver):  # type: ignore[misc]  # pyspiel has no types
    def string_from(self, state: Any, player: int) -> str:
        text = str(super().string_from(state, player))
        return text if len(state.bets) < 2 else f"p{player} {state.bets}"


class OffersOnlyGoodBets(kuhn_poker.KuhnPokerState):  # type: ignore[misc]  # pyspiel has no types
    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1] if self.cards[player] > self.cards[1 - player] else [0]


def _register(fault: str, **parts: Any) -> str:
    kind = _type(fault)
    pyspiel.register_game(kind, type("FaultyKuhn", (Game,), {"type": kind, **parts}))
    return f"kuhn_that_{fault}"


LEAKING = {
    "information state": _register("shows_both_cards", observer=ShowsBothCards),
    "information state tensor": _register("hints_in_numbers", observer=HintsInNumbers),
    "legal actions": _register("offers_only_good_bets", state=OffersOnlyGoodBets),
}
FORGETTING = _register("forgets_the_card", observer=ForgetsTheCard)


def knows(state: Any, player: int) -> Any:
    """One's own card, once it is dealt, and everybody's bets."""
    steps = [step.action for step in state.full_history()]
    return len(steps), steps[player : player + 1] if player < 2 else [], steps[2:]
