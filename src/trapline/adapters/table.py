"""A match played by numbered actions, one seat at a time: what the environments stand on.

Nothing of what one player hides reaches the other, not even by the number of actions it took:

- Before the first move Player 1 chooses a secret, part by part, and then Player 2. Every secret
  of a game has the same number of parts, and the other's View stays as it is until all are chosen.
- In Trap Runner every move that does not end the match is followed by a trap answer. Where the
  rules do not ask, because no trap can be set, `n` is the only legal answer; and the others are
  shown the turn after the answer, asked for or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.adapters import recall
from trapline.core import NO_TRAP, IllegalMove, brief, other
from trapline.match import Match

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from trapline.adapters.encoding import Chosen, Encoding
    from trapline.core import First, Move, Seat, Secret, View
    from trapline.match import Viewer

NO_SALT = "0"
"""Nobody looks at the commitments of a match inside an environment; drawing salts is slow."""


class Table:
    def __init__(
        self, encoding: Encoding, first: First | None = None, *, rng: Random | None = None
    ) -> None:
        self.encoding = encoding
        self.match = Match(encoding.game, first, rng=rng, match_id="environment")
        self.actor: Seat | None = 1 if encoding.game.secret else self.match.first
        """Whose action is wanted; None when the match is over."""
        self._chosen: dict[Seat, Chosen] = {1: (), 2: ()}
        self._views: dict[Viewer, View] = {}
        self._legal: list[int] | None = None
        self._answer_due = False
        """The turn is complete by the rules, but an answer to no question is still to come."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.fork()

    def fork(self) -> Table:
        """A table that goes on from here on its own."""
        twin = Table.__new__(Table)
        own = {"match": self.match.fork(), "_chosen": self._chosen.copy()}
        vars(twin).update({**vars(self), **own, "_views": self._views.copy()})
        return twin

    # --- what a seat sees ---------------------------------------------------------------

    def view(self, viewer: Viewer) -> View:
        """The View of a seat, or of a spectator (None), built once between two actions."""
        if viewer not in self._views:
            self._views[viewer] = self.match.view(viewer)
        return self._views[viewer]

    def legal(self, seat: Seat) -> list[int]:
        """The actions that the seat may take now; none while the other is to act."""
        if seat != self.actor:
            return []
        if self._legal is None:
            asks, answers = self.match.question(seat)
            if self._answer_due:
                asks, answers = "trap", (NO_TRAP,)
            self._legal = self.encoding.legal(seat, asks, answers, self._chosen[seat])
        return self._legal

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        return self.encoding.mask(self.legal(seat))

    def observe(self, seat: Seat) -> NDArray[np.float32]:
        return self.encoding.observe(self.view(seat), self._chosen[seat])

    def information_state(self, seat: Seat) -> str:
        return recall.as_text(self.encoding, self.view(seat), self._chosen[seat])

    def information_tensor(self, seat: Seat) -> NDArray[np.float32]:
        return recall.as_numbers(self.encoding, self.view(seat), self._chosen[seat])

    def result(self, seat: Seat) -> float:
        """1 for a win, −1 for a loss, 0 for a draw and until the match is over."""
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == seat else -1.0

    # --- what a seat does ---------------------------------------------------------------

    def act(self, action: int) -> None:
        """Take an action for the seat that is to act; IllegalMove for one it may not take."""
        seat = self.actor
        if seat is None:
            raise IllegalMove("The match is over: start a new one.")
        legal = self.legal(seat)
        if action not in legal:
            allowed = ", ".join(f"{number} ({self.encoding.names[number]})" for number in legal)
            raise IllegalMove(f"{brief(action)} is no legal action now; these are: {allowed}.")
        self._legal = None
        asks, value = self.encoding.choices[action]
        if asks == "secret":
            self._choose(seat, value)
        else:
            self._play(seat, value)

    def choose_secret(self, seat: Seat, secret: Secret) -> None:
        """Choose a whole secret at once, as the computer's players do."""
        self.match.choose_secret(seat, secret, salt=NO_SALT)
        self._legal = None
        self.actor = self.match.to_move or other(seat)
        self._views.clear()

    def _choose(self, seat: Seat, part: Any) -> None:
        self._chosen[seat] += (part,)
        secret = self.encoding.secret(seat, self._chosen[seat])
        if secret is not None:
            self.choose_secret(seat, secret)

    def _play(self, seat: Seat, move: Move) -> None:
        if self._answer_due:
            self._answer_due = False
            self._views.clear()
            self.actor = self.match.to_move
            return
        asks_always = self.encoding.game.hides_turns and not isinstance(move, str)
        others = {viewer: self.view(viewer) for viewer in (other(seat), None) if asks_always}
        self.match.play(seat, move, salt=NO_SALT)
        self.actor = self.match.to_move
        self._views.clear()
        if asks_always and self.actor == other(seat):
            self._ask_all_the_same(seat)
            self._views |= others

    def _ask_all_the_same(self, seat: Seat) -> None:
        """The turn is complete, but the others must not see that it held no question."""
        self.actor, self._answer_due = seat, True
        view = self.match.view(seat)
        self._views[seat] = msgspec.structs.replace(
            view, turn=view.turn - 1, to_move=seat, asks="trap", legal=(NO_TRAP,)
        )
