"""Positions of any OpenSpiel game. Needs no import: the game brings the library.

Where all act at once, they are asked one after the other, and nobody is shown anything between.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from trapline.worlds.world import Between, Key, Stuck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    Hidden = Callable[[Any, int, int], bool]
    """(state before, action, player) → may that player not see the action?"""

ROUNDING = 1e-6
INFORMATION, OBSERVATION = "information state", "observation"


class OpenSpielWorld:
    label = "start"
    seed = 0
    lists_all = True

    def __init__(self, state: Any, chosen: tuple[int, ...] = ()) -> None:
        self.state = state
        self.chosen = chosen
        """What those before the actor have chosen, where all act at once."""
        self.viewers: Sequence[int] = range(state.num_players())
        self._game = state.get_game()
        self._provides = self._game.get_type()

    @property
    def actor(self) -> int | None:
        if self.state.is_simultaneous_node():
            return len(self.chosen)
        player = self.state.current_player()
        return player if player >= 0 else None

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def visible(self) -> bool:
        return not self.state.is_chance_node() and not self.chosen

    @property
    def at_once(self) -> bool:
        return bool(self.state.is_simultaneous_node())

    def actions(self) -> list[int]:
        if self.state.is_simultaneous_node():
            return list(self.state.legal_actions(len(self.chosen)))
        return list(self.state.legal_actions())

    def unlisted(self) -> Sequence[int]:
        """OpenSpiel leaves open what an action does that is not legal."""
        return ()

    def refused(self, before: Any) -> str:  # likewise
        return ""

    def draw(self, rng: Random) -> int:
        if not self.state.is_chance_node():
            listed = self.actions()
            if not listed:
                raise Stuck
            return rng.choice(listed)
        actions, weights = zip(*self.state.chance_outcomes(), strict=True)
        return int(rng.choices(actions, weights)[0])

    def after(self, action: int) -> OpenSpielWorld:
        if not self.state.is_simultaneous_node():
            return OpenSpielWorld(self.state.child(action))
        return self._chosen(self.state.clone(), action)

    def moved(self, action: int) -> OpenSpielWorld:
        if not self.state.is_simultaneous_node():
            self.state.apply_action(action)
            return OpenSpielWorld(self.state)
        return self._chosen(self.state, action)

    def _chosen(self, state: Any, action: int) -> OpenSpielWorld:
        chosen = (*self.chosen, action)
        if len(chosen) < state.num_players():
            return OpenSpielWorld(state, chosen)
        state.apply_actions(chosen)
        return OpenSpielWorld(state)

    def shown(self, viewer: Any) -> dict[str, Any]:
        state, provides = self.state, self._provides
        shown: dict[str, Any] = {"legal actions": state.legal_actions(viewer)}
        shown |= self.information(viewer)
        if provides.provides_observation_string:
            shown[OBSERVATION] = state.observation_string(viewer)
        if provides.provides_observation_tensor:
            shown[f"{OBSERVATION} tensor"] = state.observation_tensor(viewer)
        return shown

    def information(self, viewer: Any) -> dict[str, Any]:
        state, provides = self.state, self._provides
        held: dict[str, Any] = {}
        if provides.provides_information_state_string:
            held[INFORMATION] = state.information_state_string(viewer)
        if provides.provides_information_state_tensor:
            held[f"{INFORMATION} tensor"] = state.information_state_tensor(viewer)
        return held

    def rewards(self) -> Mapping[int, float]:
        return dict(enumerate(self.state.returns()))

    def winner(self) -> None:
        """OpenSpiel's games name none."""

    def strays(self) -> Iterator[str]:
        if not self.visible or self.over:
            return
        sizes = {
            INFORMATION: "information_state_tensor_size",
            OBSERVATION: "observation_tensor_size",
        }
        for viewer in self.viewers:
            shown = self.shown(viewer)
            for what, size in sizes.items():
                tensor = shown.get(f"{what} tensor")
                if tensor is None:
                    continue
                declared = getattr(self._game, size)()
                if len(tensor) != declared:
                    yield f"the {what} tensor has {len(tensor)} numbers, not {declared}"
                if not all(map(math.isfinite, tensor)):
                    yield f"the {what} tensor holds a number that is none"
        most = self._game.num_distinct_actions()
        for action in self.actions():
            if not 0 <= action < most:
                yield f"action {action} is listed, but actions go from 0 to {most - 1}"

    def key(self) -> Key | None:
        """Where nothing is hidden a position is what it is called, and not how it came about."""
        information = str(self._provides.information).rpartition(".")[2]
        if information != "PERFECT_INFORMATION":
            return Key((self.state.history_str(), self.chosen), None)
        turn = self.state.move_number(), self.state.current_player()
        return Key((str(self.state), turn, self.chosen), None)


class OpenSpielGame:
    seeded = False
    recalls = True
    open_moves = False
    knows = None

    def __init__(self, game: Any) -> None:
        self.game = game
        kind = game.get_type()
        self.hides: bool | None = str(kind.information).rpartition(".")[2] != "PERFECT_INFORMATION"
        utility = str(kind.utility).rpartition(".")[2]
        fixed = {"ZERO_SUM": 0.0, "CONSTANT_SUM": game.utility_sum()}
        self.total: float | None = fixed.get(utility)
        self.prizes = Between(game.min_utility() - ROUNDING, game.max_utility() + ROUNDING)
        self.draws = str(kind.chance_mode).endswith("SAMPLED_STOCHASTIC")
        """Whether it draws by itself, so that its actions do not say all that happens."""
        self.pays_at_end = str(kind.reward_model).endswith("TERMINAL")
        choosing = game.num_players() if str(kind.dynamics).endswith("SIMULTANEOUS") else 1
        self.longest = game.max_game_length() * choosing + _most_chances(game)

    def starts(self) -> Iterator[OpenSpielWorld]:
        yield OpenSpielWorld(self.game.new_initial_state())


def _most_chances(game: Any) -> int:
    """How often chance may draw in a match, which its length does not count."""
    try:
        return int(game.max_chance_nodes_in_history())
    except Exception:  # noqa: BLE001 - not every game says
        return int(game.max_game_length())


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
