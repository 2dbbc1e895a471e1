"""Any game as an OpenSpiel game: importing this registers `trapline_hidden_path` and so on.

    import pyspiel, trapline.adapters.open_spiel
    game = pyspiel.load_game("trapline_hidden_path(length=4,traps=1,first=1)")
    game = pyspiel.load_game(trapline.adapters.open_spiel.register("./pebbles.py"))

Parameters are the game's options; a list is written `5;10;15`, since commas separate parameters,
and a list of one `5;`, since OpenSpiel takes `5` for a number.
`first` is 1 or 2, or 0 for a toss, which is then a chance node before everything else; its
default is the rulebook's. All that chance decides is a chance node. Players 0 and 1 are the
rulebooks' Players 1 and 2, and act in the order that `numbered` explains: what both are asked at
once is asked one after the other, and shown to nobody in between. OpenSpiel's games must end, so
a game without a limit of turns is refused.

Information states and observations, strings and tensors, are made from the player's View, as
`encoding` and `recall` describe. `str(state)` is for the referee's eyes: it tells everything, by
the position where nothing is hidden, so that two ways to it are one state to value iteration.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from trapline.adapters import needs
from trapline.adapters.numbered import NumberedMatch
from trapline.adapters.resampling import resampled
from trapline.core import CHANCE, SEATS, OptionsError
from trapline.games import GAMES, find_game, make_game
from trapline.simulate import recall
from trapline.simulate.encoding import Encoding

with needs("OpenSpiel"):
    import numpy as np
    import pyspiel

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Actor, Game, Seat

TOSS = 0
FIRST: dict[int | str, int] = {"toss": TOSS, 1: 1, 2: 2}
_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_PLAYERS: dict[Actor | None, int] = {CHANCE: _CHANCE, 1: 0, 2: 1, None: _TERMINAL}
"""What OpenSpiel calls whoever acts."""


class TraplineGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    kind: ClassVar[type[Game[Any]]]
    type: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any]) -> None:
        values = dict(parameters)
        self.first = int(values.pop("first"))
        if self.first not in FIRST.values():
            raise OptionsError(f"first must be 1, 2, or 0 for a toss, not {self.first}.")
        game = make_game(self.kind, {name: _read(value) for name, value in values.items()})
        encoding = Encoding(game)
        if not encoding.longest:
            raise OptionsError(
                f"{game.title} needs a limit of turns (`longest`): every game of OpenSpiel ends."
            )
        drawn = self.first == TOSS or encoding.chances
        described = self.type if drawn else _game_type(self.kind, drawn=False)
        super().__init__(described, _game_info(encoding), _written(parameters))
        self.encoding = encoding

    def __repr__(self) -> str:
        """OpenSpiel's own fails, and Python with it, for a game that could not be made."""
        return str(super().__repr__()) if "encoding" in vars(self) else f"no {self.kind.title}"

    def new_initial_state(self) -> TraplineState:
        return TraplineState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The toss, and what chance may draw beside each action of the players."""
        return 1 + (self.encoding.most_actions + 1 if self.encoding.chances else 0)

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
        self.numbered: NumberedMatch | None = None
        """None before the toss."""
        self._player = _CHANCE
        """Who acts: OpenSpiel asks several times between two actions."""
        if game.first != TOSS:
            self._begin(game, SEATS[game.first - 1])

    def _begin(self, game: TraplineGame, first: Seat) -> None:
        self.numbered = NumberedMatch(game.encoding, first, deals=False)
        self._player = _PLAYERS[self.numbered.actor]

    def current_player(self) -> int:
        return self._player

    def is_terminal(self) -> bool:
        return self._player == _TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        question = self.numbered.question if self.numbered else None
        if question is None:
            return [(seat - 1, 1 / len(SEATS)) for seat in SEATS]
        total = sum(question.weights)
        weighed = zip(question.answers, question.weights, strict=True)
        return [(answer.value, weight / total) for answer, weight in weighed]

    def returns(self) -> list[float]:
        return [self.numbered.result(seat) if self.numbered else 0.0 for seat in SEATS]

    def legal_actions(self, *player: int) -> list[int]:
        """As OpenSpiel's own, which asks three times who acts before it asks for the actions."""
        if player or self.numbered is None or self._player < 0:
            as_usual: list[int] = super().legal_actions(*player)
            return as_usual
        return self.numbered.legal(SEATS[self._player]).copy()

    def _legal_actions(self, player: int) -> list[int]:
        assert self.numbered is not None  # OpenSpiel asks for a chance node's outcomes instead
        return self.numbered.legal(SEATS[player])

    def _apply_action(self, action: int) -> None:
        numbered = self.numbered
        if numbered is None:
            self._begin(self.get_game(), SEATS[action])
        else:
            numbered.act(action)
            self._player = _PLAYERS[numbered.actor]

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(self.get_game().encoding.names[action])
        if self.numbered is None or not self.get_game().encoding.chances:
            return f"Player {action + 1} moves first"
        question = self.numbered.question
        if question is None or not question.weights:
            return f"chance {action}"
        return f"{question.asks} {question.text(action)}"

    def hides_state_from_agents(self) -> bool:
        """Whether agents must not be handed this state: serialised, it holds every secret.

        Kaggle's environments ask this, and hand it to all agents where nobody answers.
        """
        return bool(self.get_game().encoding.game.hides)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TraplineState:
        """A state that `player` cannot tell from this one, what is hidden drawn anew.

        This is what OpenSpiel's search over information sets (ISMCTS) begins each look ahead with.
        """
        if self.numbered is None or not self.get_game().encoding.game.hides:
            return self.clone()  # type: ignore[no-any-return]  # pyspiel has no types
        state = self.get_game().new_initial_state()
        if state.numbered is None:
            state.apply_action(self.numbered.first - 1)
        for action in resampled(self.numbered, SEATS[player], Random(sampler())):
            state.apply_action(action)
        return state  # type: ignore[no-any-return]  # likewise

    def __str__(self) -> str:
        """Where nothing is hidden, the position; elsewhere what has happened, step by step."""
        game = self.get_game()
        if self.numbered is not None and not game.encoding.game.hides:
            return self.numbered.position()
        state, said = game.new_initial_state(), []
        for step in self.full_history():
            said.append(state.action_to_string(step.player, step.action))
            state.apply_action(step.action)
        return "; ".join(said) or "start"


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
        numbered, seat = state.numbered, SEATS[player]
        if numbered is None:
            self.tensor.fill(0)
        elif self._remembers:
            self.tensor[:] = numbered.information_tensor(seat)
        else:
            self.tensor[:] = numbered.observe(seat)

    def string_from(self, state: TraplineState, player: int) -> str:
        numbered, seat = state.numbered, SEATS[player]
        if numbered is None:
            return f"player {seat}; before the toss"
        if self._remembers:
            return numbered.information_state(seat)
        return self._encoding.described(numbered.observe(seat))


# --- registering ------------------------------------------------------------------------


def short_name(name: str) -> str:
    """hidden-path is called trapline_hidden_path"""
    return f"trapline_{name.replace('-', '_')}"


def register(game: str) -> str:
    """Add a game to OpenSpiel's list, if it is not there yet; returns its name there."""
    kind = find_game(game)
    name = short_name(kind.name)
    if name not in pyspiel.registered_names():
        # A class, since OpenSpiel keeps what it is given beyond the end of the interpreter, and
        # only a class survives that.
        described = _game_type(kind)
        made = type(f"{kind.__name__}Game", (TraplineGame,), {"kind": kind, "type": described})
        pyspiel.register_game(described, made)
    return name


def _game_type(kind: type[Game[Any]], *, drawn: bool = True) -> pyspiel.GameType:
    """What OpenSpiel is told of a game; without a toss chance may have no part in it."""
    usual = kind.options_type()
    parameters: dict[str, Any] = {"first": FIRST[kind.default_first]}
    for option in usual.__struct_fields__:
        value = getattr(usual, option)
        parameters[option] = ";".join(map(str, value)) if isinstance(value, tuple) else value
    information, modes = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=short_name(kind.name),
        long_name=f"Trapline: {kind.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if drawn else modes.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if kind.hides
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


def _game_info(encoding: Encoding) -> pyspiel.GameInfo:
    stake = float(encoding.game.stake)
    drawn = [len(question.answers) for question in encoding.chances]
    return pyspiel.GameInfo(
        num_distinct_actions=encoding.actions,
        max_chance_outcomes=max(len(SEATS), *drawn) if drawn else len(SEATS),
        num_players=len(SEATS),
        min_utility=-stake,
        max_utility=stake,
        utility_sum=0.0,
        max_game_length=encoding.most_actions,
    )


def _read(value: Any) -> Any:
    """A parameter as an option's value: commas separate parameters, so lists have semicolons."""
    return value.rstrip(";").replace(";", ",") if isinstance(value, str) else value


def _written(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters that OpenSpiel reads back as they are: a list of one would come back a number."""
    return {
        name: f"{value};" if isinstance(value, str) and value.isdigit() else value
        for name, value in parameters.items()
    }


for _name in GAMES:
    register(_name)
