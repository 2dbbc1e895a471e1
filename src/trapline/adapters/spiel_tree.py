"""A game of OpenSpiel's, by its name, as a tree that can be solved."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.core import TraplineError
from trapline.solve.interface import Unsuited

if TYPE_CHECKING:
    from collections.abc import Sequence


class SpielNode:
    """One state; see `trapline.solve.extensive.Node`."""

    __slots__ = ("_actions", "_state", "mover")

    def __init__(self, state: Any) -> None:
        self._state = state
        self._actions: list[int] = []
        self.mover: int | None = None
        if state.is_terminal():
            return
        self.mover = 0 if state.is_chance_node() else int(state.current_player()) + 1
        self._actions = state.legal_actions()

    @property
    def known(self) -> str:
        return str(self._state.information_state_string(self._state.current_player()))

    @property
    def shares(self) -> list[float]:
        likely = dict(self._state.chance_outcomes())
        return [float(likely[action]) for action in self._actions]

    @property
    def ways(self) -> int:
        return len(self._actions)

    @property
    def results(self) -> Sequence[float]:
        return [float(result) for result in self._state.returns()]

    def after(self, way: int) -> SpielNode:
        return SpielNode(self._state.child(self._actions[way]))


class SpielTree:
    text = ""

    def __init__(self, name: str) -> None:
        """`name` is what `pyspiel.load_game` takes: `kuhn_poker`, `goofspiel(num_cards=3)`."""
        with needs("OpenSpiel"):
            import pyspiel
        if name.partition("(")[0] not in pyspiel.registered_names():
            raise TraplineError(f"OpenSpiel knows no game {name!r}.")
        try:
            game = pyspiel.load_game(name)
        except pyspiel.SpielError as error:
            why = str(error).strip().splitlines()[0]
            raise TraplineError(f"OpenSpiel cannot make {name!r}: {why}") from None
        kind = game.get_type()
        self.name, self.title = f"pyspiel:{name}", str(kind.long_name)
        self.digest = f"{game} {version('open_spiel')}"
        if game.num_players() != 2:
            raise Unsuited(f"{self.title} has {game.num_players()} players here, not two.")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise Unsuited(f"{self.title} does not say how likely its draws are.")
        if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
        elif kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise Unsuited(f"{self.title} is no game of turns.")
        if not game.get_type().provides_information_state_string:
            raise Unsuited(f"{self.title} does not tell what a player knows.")
        self._game = game

    def root(self) -> SpielNode:
        return SpielNode(self._game.new_initial_state())
