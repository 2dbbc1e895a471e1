"""Positions of any sequential OpenSpiel game. Needs no import: the game brings the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    Hidden = Callable[[Any, int, int], bool]
    """(state before, action, player) → may that player not see the action?"""


class OpenSpielWorld:
    label = "start"

    def __init__(self, state: Any) -> None:
        self.state = state
        self.viewers: Sequence[int] = range(state.num_players())
        self._provides = state.get_game().get_type()

    @property
    def actor(self) -> int | None:
        player = self.state.current_player()
        return player if player >= 0 else None

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def visible(self) -> bool:
        return not self.state.is_chance_node()

    def actions(self) -> list[int]:
        return list(self.state.legal_actions())

    def draw(self, rng: Random) -> Any:
        return rng.choice(self.state.legal_actions())

    def after(self, action: Any) -> OpenSpielWorld:
        return OpenSpielWorld(self.state.child(action))

    def shown(self, viewer: Any) -> dict[str, Any]:
        state, provides = self.state, self._provides
        shown: dict[str, Any] = {"legal actions": state.legal_actions(viewer)}
        if provides.provides_information_state_string:
            shown["information state"] = state.information_state_string(viewer)
        if provides.provides_information_state_tensor:
            shown["information state tensor"] = state.information_state_tensor(viewer)
        if provides.provides_observation_string:
            shown["observation"] = state.observation_string(viewer)
        if provides.provides_observation_tensor:
            shown["observation tensor"] = state.observation_tensor(viewer)
        return shown

    def information(self, viewer: Any) -> str:
        return str(self.state.information_state_string(viewer))


def hiding(hidden: Hidden) -> Callable[[Any, int], Any]:
    """What players may know, from a rule for which actions they may not see.

    Of an action that is hidden from them, players still see who acted. Nothing else is hidden,
    and nothing else comes out: where the rules reveal hidden things later, write `knows` yourself.
    """

    def knows(state: Any, player: int) -> list[tuple[int, int | None]]:
        seen: list[tuple[int, int | None]] = []
        before = state.get_game().new_initial_state()
        for step in state.full_history():
            secret = hidden(before, step.action, player)
            seen.append((step.player, None if secret else step.action))
            before.apply_action(step.action)
        return seen

    return knows
