"""Who plays the other seat in each lane of a batch: any of the computer's levels.

The level `random` chooses in compiled code, for all lanes at once. Any other is shown a View, and
a View is the referee's: the lanes of such a player are followed by matches of their own, which
take the same actions and in which chance draws the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.adapters.numbered import NumberedMatch
from trapline.core import CHANCE, GameError, TraplineError, brief, other
from trapline.players import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from trapline.adapters.vector import VectorGame
    from trapline.core import Game

RANDOM = "random"


class Rivals:
    def __init__(self, games: VectorGame, names: str | Sequence[str]) -> None:
        """One name for all lanes, or one for each of them."""
        every = [names] * games.batch if isinstance(names, str) else list(names)
        if len(every) != games.batch:
            raise TraplineError(
                f"opponent names {len(every)} players for {games.batch} lanes: name one for all, "
                "or one for each."
            )
        for name in every:
            if name not in PLAYERS:
                known = ", ".join(PLAYERS)
                raise TraplineError(f"There is no opponent {brief(name)}; there are {known}.")
        self._games = games
        self._thinking = {
            lane: Thinking(games, lane, name) for lane, name in enumerate(every) if name != RANDOM
        }

    def begin(self, where: NDArray[np.bool_]) -> None:
        """A new match in these lanes."""
        for lane, thinking in self._thinking.items():
            if where[lane]:
                thinking.begin()

    def actions(self, where: NDArray[np.bool_], rng: Random) -> NDArray[np.int64]:
        """What the rivals do in lanes in which they are to act."""
        chosen = self._games.random_actions(where)
        for lane, thinking in self._thinking.items():
            if where[lane]:
                chosen[lane] = thinking.action(rng)
        return chosen

    def follow(self, where: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Somebody has acted in these lanes."""
        for lane, thinking in self._thinking.items():
            if where[lane]:
                thinking.follow(int(actions[lane]))


class Thinking:
    """A player in one lane, and the match that shows them their View."""

    def __init__(self, games: VectorGame, lane: int, name: str) -> None:
        self._games, self._lane = games, lane
        self._choose = PLAYERS[name].choose
        self.begin()

    def begin(self) -> None:
        first: Any = int(self._games.first[self._lane])
        self._numbered = NumberedMatch(self._games.encoding, first, deals=False)
        self._intended: list[int] = []
        self._deal()

    def follow(self, action: int) -> None:
        self._numbered.act(action)
        self._deal()

    def _deal(self) -> None:
        """Let chance do in the match what it did in the lane."""
        if self._numbered.actor == CHANCE:
            state = self._games.state(self._lane)
            for value in drawn_between(self._numbered.encoding.game, self._numbered.state, state):
                self._numbered.act(value)

    def action(self, rng: Random) -> int:
        """The next action of an answer, which is several where a set is asked for."""
        if not self._intended:
            actor, question = self._numbered.actor, self._numbered.question
            assert actor  # it is a player's turn here
            assert question is not None
            value = question.value(self._choose(self._numbered.view(actor), rng))
            self._intended = self._numbered.encoding.actions_of(question, value)
        return self._intended.pop(0)


def drawn_between(game: Game[Any], before: Any, after: Any) -> list[int]:
    """What chance has answered between two states of which it alone has made the second."""
    found = _drawn(game, before, after)
    if found is None:
        raise GameError(f"{game.title} has come to a state that chance does not lead to.")
    return found


def _drawn(game: Game[Any], before: Any, after: Any) -> list[int] | None:
    question = game.chance(before) if before.outcome is None else None
    if question is None:
        return [] if before == after else None
    for value in question.values():
        more = _drawn(game, game.dealt(before, value), after)
        if more is not None:
            return [value, *more]
    return None


def rival_seats(seats: NDArray[np.int64]) -> NDArray[np.int64]:
    """The seats opposite to an agent's."""
    return other(1) + other(2) - seats
