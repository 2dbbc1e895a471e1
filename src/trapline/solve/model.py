"""What a solver needs to know of a game: public states, and how moves split secrets.

A `Model` describes a two-player game by what everybody sees. Each seat has one private
holding from a list (a secret, a card); a public state tells who moves and which actions
there are; an action leads to branches, one for each thing that everybody may see happen,
and each branch says with which holdings it happens. So the secrets of both players are
explored side by side, as a sum, and never as a product.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import msgspec
import numpy as np

from trapline.core import SEATS, TraplineError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from trapline.core import Game, Outcome, Seat, Secret, State

ALL = -1
"""The mask that keeps every holding: all bits of Python's unbounded −1 are set."""

CHANCE: Literal[0] = 0
"""The mover of a state in which something is dealt."""


class TooLarge(TraplineError):
    """This game, under these options, is beyond what the solver can hold."""


class Branch(NamedTuple):
    """One thing that everybody may see happen."""

    state: Hashable | None
    """The public state it leads to; None at the end of the game."""
    masks: tuple[int, int]
    """Bit i is set if this happens with the i-th holding of that seat."""
    payoff: float = 0.0
    """What seat 1 gets at the end of the game."""
    table: int | None = None
    """Which of the model's tables multiplies the payoff, by pairs of holdings."""


class Model(Protocol):
    """A game as the solvers take it. The branches of an action part the holdings, except
    after a deal, whose chances lie in the tables."""

    tables: NDArray[np.float64]

    @property
    def holdings(self) -> tuple[Sequence[Any], Sequence[Any]]: ...

    @property
    def chosen(self) -> bool:
        """Whether players choose their holdings; otherwise the tables hold the deal's chances."""

    @property
    def root(self) -> Any: ...

    def mover(self, state: Any) -> int: ...

    def actions(self, state: Any) -> Sequence[Any]: ...

    def branches(self, state: Any, action: Any) -> Sequence[Branch]: ...


def payoff(outcome: Outcome) -> float:
    """The result for seat 1: win 1, draw 0, loss −1."""
    return {1: 1.0, 2: -1.0, None: 0.0}[outcome.winner]


# --- the project's own games ------------------------------------------------------------

MOST_SECRETS = 20_000
"""A seat can have more secrets than any machine can list: 49 traps on 99 squares."""


def _secrets(game: Game[Any, Any], seat: Seat) -> tuple[Secret, ...]:
    found = tuple(islice(game.secrets(seat), MOST_SECRETS + 1)) or ((),)
    if len(found) > MOST_SECRETS:
        raise TooLarge(
            f"{game.title}: there are more than {MOST_SECRETS} secrets to choose from; "
            "a shorter path or fewer traps make fewer."
        )
    return found


class GameModel:
    """A game of secrets that are fixed before the first move, Player 1 moving first.

    A public state is the game's own State with blank secrets. `endless` leaves out the
    count of turns, and with it the turn limit, so that equal positions are one state.
    """

    chosen = True
    tables = np.zeros((0, 1, 1))

    def __init__(self, game: Game[Any, Any], *, endless: bool = False) -> None:
        limit = getattr(game.options, "turn_limit", 0)
        if endless and limit:
            game = type(game)(msgspec.structs.replace(game.options, turn_limit=0))
        self.game = game
        self.counts_turns = bool(limit) and not endless
        self.holdings: tuple[Sequence[Secret], Sequence[Secret]] = (
            _secrets(game, 1),
            _secrets(game, 2),
        )
        self.root = self._hide(game.start(1, {}))
        self._branches: dict[tuple[State, Any], tuple[Branch, ...]] = {}

    def mover(self, state: State) -> Seat:
        return state.mover

    def actions(self, state: State) -> Sequence[Any]:
        return self.game.legal(state)

    def branches(self, state: State, action: Any) -> tuple[Branch, ...]:
        known = self._branches.get((state, action))
        if known is None:
            known = self._branches[state, action] = self._explore(state, action)
        return known

    def _hide(self, state: State) -> State:
        hidden: State = self.game.with_secrets(state, ((), ()))
        return hidden if self.counts_turns else msgspec.structs.replace(hidden, turn=0)

    def _explore(self, state: State, action: Any) -> tuple[Branch, ...]:
        """What happens depends on one seat's secret at a time: find out on whose."""
        results = [self._results(state, action, seat) for seat in SEATS]
        if len(results[0]) > 1 and len(results[1]) > 1:
            raise TooLarge(f"{self.game.title}: one move depends on both secrets at once.")
        seat = 1 if len(results[0]) > 1 else 2
        return tuple(
            Branch(
                None if after.outcome else after,
                (mask, ALL) if seat == 1 else (ALL, mask),
                payoff(after.outcome) if after.outcome else 0.0,
            )
            for after, mask in results[seat - 1].items()
        )

    def _results(self, state: State, action: Any, seat: Seat) -> dict[State, int]:
        """For each public state that may follow: with which of the seat's secrets it does."""
        masks: dict[State, int] = {}
        for index, secret in enumerate(self.holdings[seat - 1]):
            theirs = self.holdings[2 - seat][0]
            secrets = (secret, theirs) if seat == 1 else (theirs, secret)
            after = self._hide(self.game.apply(self.game.with_secrets(state, secrets), action))
            masks[after] = masks.get(after, 0) | 1 << index
        return masks
