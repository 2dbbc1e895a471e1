"""A match played by numbered actions, one seat at a time: what the environments stand on.

Before the first move Player 1 chooses a secret, part by part, and then Player 2. Nothing of
what one chooses reaches the other: their View does not change until the secret is complete, and
every secret of a game has the same number of parts.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from trapline.core import IllegalMove, brief
from trapline.match import Match

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from trapline.adapters.encoding import Chosen, Encoding
    from trapline.core import First, Seat, View

NO_SALT = "0"
"""Nobody looks at the commitments of a match inside an environment; drawing salts is slow."""


class Table:
    def __init__(
        self, encoding: Encoding, first: First | None = None, *, rng: Random | None = None
    ) -> None:
        self.encoding = encoding
        self.match = Match(encoding.game, first, rng=rng, match_id="environment")
        self._chosen: dict[Seat, Chosen] = {1: (), 2: ()}
        self._views: dict[Seat, View] = {}
        self.actor: Seat | None = 1 if encoding.game.secret else self.match.first
        """Whose action is wanted; None when the match is over."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.fork()

    def fork(self) -> Table:
        """A table that goes on from here on its own."""
        twin = copy.copy(self)
        twin.match = self.match.fork()
        vars(twin).update(_chosen=self._chosen.copy(), _views=self._views.copy())
        return twin

    def view(self, seat: Seat) -> View:
        """The seat's View, built once between two actions."""
        if seat not in self._views:
            self._views[seat] = self.match.view(seat)
        return self._views[seat]

    def legal(self, seat: Seat) -> list[int]:
        """The actions that the seat may take now; none while the other is to act."""
        if seat != self.actor:
            return []
        return self.encoding.legal(self.view(seat), self._chosen[seat])

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        return self.encoding.mask(self.legal(seat))

    def observe(self, seat: Seat) -> NDArray[np.float32]:
        return self.encoding.observe(self.view(seat), self._chosen[seat])

    def information_state(self, seat: Seat) -> str:
        return self.encoding.information_state(self.view(seat), self._chosen[seat])

    def act(self, action: int) -> None:
        """Take an action for the seat that is to act; IllegalMove for one it may not take."""
        seat = self.actor
        if seat is None:
            raise IllegalMove("The match is over: start a new one.")
        legal = self.legal(seat)
        if action not in legal:
            allowed = ", ".join(f"{number} ({self.encoding.names[number]})" for number in legal)
            raise IllegalMove(f"{brief(action)} is no legal action now; these are: {allowed}.")
        asks, value = self.encoding.choices[action]
        if asks == "secret":
            self._choose(seat, value)
        else:
            self.match.play(seat, value, salt=NO_SALT)
            self.actor = self.match.to_move
            self._views.clear()

    def _choose(self, seat: Seat, part: Any) -> None:
        self._chosen[seat] += (part,)
        secret = self.encoding.secret(seat, self._chosen[seat])
        if secret is not None:
            self.match.choose_secret(seat, secret, salt=NO_SALT)
            self.actor = self.match.to_move or 2
            self._views.clear()

    def result(self, seat: Seat) -> float:
        """1 for a win, −1 for a loss, 0 for a draw and until the match is over."""
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == seat else -1.0
