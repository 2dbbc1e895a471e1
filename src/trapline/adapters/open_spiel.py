"""The games as OpenSpiel games: importing this registers `trapline_hidden_path` and so on.

    import pyspiel, trapline.adapters.open_spiel
    game = pyspiel.load_game("trapline_hidden_path(length=4,traps=1,first=1)")

Parameters are the game's options; Numeric Maze's traps are written `5;10;15`, since commas
separate parameters. `first` is 1 or 2, or 0 for a toss, which is then a chance node before
everything else; its default is the rulebook's. Players 0 and 1 are the rulebooks' Players 1 and
2, and act in the order that `table` explains. OpenSpiel's games must end, so `turn_limit=0` is
refused.

Information states and observations, strings and tensors, are made from the player's View, as
`encoding` and `recall` describe. `str(state)` is for the referee's eyes: it tells everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from trapline.adapters import needs, recall
from trapline.adapters.encoding import Encoding
from trapline.adapters.table import Table
from trapline.core import SEATS, OptionsError
from trapline.games import GAMES, make_game

with needs("OpenSpiel"):
    import numpy as np
    import pyspiel

if TYPE_CHECKING:
    from trapline.core import Seat

TOSS = 0
FIRST: dict[int | str, int] = {"toss": TOSS, 1: 1, 2: 2}


def short_name(name: str) -> str:
    """hidden-path is called trapline_hidden_path"""
    return f"trapline_{name.replace('-', '_')}"


class TraplineGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    name: ClassVar[str]
    type: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any]) -> None:
        values = dict(parameters)
        self.first = int(values.pop("first"))
        if self.first not in FIRST.values():
            raise OptionsError(f"first must be 1, 2, or 0 for a toss, not {self.first}.")
        if values.get("turn_limit") == 0:
            raise OptionsError("turn_limit must be at least 1 here: in OpenSpiel every game ends.")
        if isinstance(values.get("traps"), str):
            values["traps"] = values["traps"].replace(";", ",")
        self.encoding = Encoding(make_game(self.name, values))
        super().__init__(self.type, self._info(), parameters)

    def _info(self) -> pyspiel.GameInfo:
        encoding = self.encoding
        actions_a_turn = 2 if encoding.game.hides_turns else 1
        return pyspiel.GameInfo(
            num_distinct_actions=encoding.actions,
            max_chance_outcomes=len(SEATS),
            num_players=len(SEATS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * encoding.secret_parts + actions_a_turn * encoding.horizon,
        )

    def new_initial_state(self) -> TraplineState:
        return TraplineState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> Observer | None:
        """Observations as a player has them; None for those of the public alone or of both."""
        if params:
            raise OptionsError("Observations of Trapline's games have no parameters.")
        if kind is None:
            kind = pyspiel.IIGObservationType(perfect_recall=False)
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not single or not kind.public_info:
            return None
        return Observer(self.encoding, remembers=kind.perfect_recall)


class TraplineState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    def __init__(self, game: TraplineGame) -> None:
        super().__init__(game)
        self._table: Table | None = None
        """None before the toss, and before anybody has looked: a clone begins as a new state."""

    @property
    def table(self) -> Table | None:
        if self._table is None:
            game = self.get_game()
            if game.first != TOSS:
                self._table = Table(game.encoding, game.first)
        return self._table

    def current_player(self) -> int:
        table = self.table
        if table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if table.actor is None else table.actor - 1

    def is_terminal(self) -> bool:
        return self.table is not None and self.table.actor is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seat - 1, 1 / len(SEATS)) for seat in SEATS]

    def returns(self) -> list[float]:
        return [self.table.result(seat) if self.table else 0.0 for seat in SEATS]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.table is not None  # OpenSpiel asks for a chance node's outcomes instead
        return self.table.legal(SEATS[player])

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            self._table = Table(self.get_game().encoding, SEATS[action])
        else:
            self.table.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"Player {action + 1} moves first"
        return str(self.get_game().encoding.names[action])

    def __str__(self) -> str:
        steps = self.full_history()
        return "; ".join(self.action_to_string(s.player, s.action) for s in steps) or "start"


class Observer:
    """What OpenSpiel asks for observations: numbers in `tensor` and `dict`, or text."""

    def __init__(self, encoding: Encoding, *, remembers: bool) -> None:
        self._encoding = encoding
        self._remembers = remembers
        size = recall.size(encoding) if remembers else encoding.size
        self.tensor = np.zeros(size, np.float32)
        if remembers:
            self.dict = {"information_state": self.tensor}
        else:
            self.dict = {part: self.tensor[place] for part, place in encoding.layout.items()}

    def set_from(self, state: TraplineState, player: int) -> None:
        if state.table is None:
            self.tensor.fill(0)
            return
        seat: Seat = SEATS[player]
        table = state.table
        self.tensor[:] = table.information_tensor(seat) if self._remembers else table.observe(seat)

    def string_from(self, state: TraplineState, player: int) -> str:
        if state.table is None:
            return f"player {player + 1}; before the toss"
        seat: Seat = SEATS[player]
        if self._remembers:
            return state.table.information_state(seat)
        return self._encoding.described(state.table.observe(seat))


def _game_type(name: str) -> pyspiel.GameType:
    kind = GAMES[name]
    usual = kind.options_type()
    parameters: dict[str, Any] = {"first": FIRST[kind.default_first]}
    for option in usual.__struct_fields__:
        value = getattr(usual, option)
        parameters[option] = ";".join(map(str, value)) if isinstance(value, tuple) else value
    hidden = kind.secret is not None or kind.hides_turns
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Trapline: {kind.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION
        if hidden
        else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(SEATS),
        min_num_players=len(SEATS),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


for _name, _kind in GAMES.items():
    # A class, since OpenSpiel keeps what it is given beyond the end of the interpreter, and
    # only a class survives that.
    _type = _game_type(_name)
    _game = type(f"{_kind.__name__}Game", (TraplineGame,), {"name": _name, "type": _type})
    pyspiel.register_game(_type, _game)
