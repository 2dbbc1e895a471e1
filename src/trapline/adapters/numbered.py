"""A match played by numbered actions, one seat at a time: what the environments stand on.

Every question is answered by actions, one for an answer, or one for each member of a set.
Nothing of what one player hides reaches the other, not even by the number of actions it took:
where both are asked at once, Player 1 acts first and then Player 2, and a question with one
possible answer is put like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import CHANCE, SEATS, IllegalMove, brief
from trapline.referee import Match
from trapline.simulate import recall

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from trapline.core import Actor, First, Question, Seat, View, Viewer
    from trapline.simulate.encoding import Encoding
    from trapline.simulate.recall import Answered

NO_SALT = "0"
"""Nobody looks at the commitments of a match inside an environment; drawing salts is slow."""


class NumberedMatch:
    def __init__(
        self,
        encoding: Encoding,
        first: First | None = None,
        *,
        rng: Random | None = None,
        deals: bool = True,
    ) -> None:
        """Unless the referee `deals`, chance takes actions too: the values of its answers."""
        self.encoding = encoding
        self.match = Match(encoding.game, first, rng=rng, match_id="environment", deals=deals)
        self._answered: dict[Seat, Answered] = dict.fromkeys(SEATS, ())
        self.look_again()

    def __deepcopy__(self, memo: dict[int, Any]) -> NumberedMatch:
        return self.fork()

    def fork(self) -> NumberedMatch:
        """A match that goes on from here on its own."""
        twin = NumberedMatch.__new__(NumberedMatch)
        own = {"match": self.match.fork(), "_answered": self._answered.copy()}
        vars(twin).update({**vars(self), **own, "_views": self._views.copy()})
        return twin

    def look_again(self) -> None:
        """Forget what was seen of the match: somebody has acted in it."""
        self.actor: Actor | None
        """Whose action is wanted; None when the match is over."""
        self.question: Question | None = self.match.chance
        """What the actor is asked."""
        self.actor = CHANCE if self.question is not None else None
        if self.question is None and self.match.outcome is None:
            for seat in SEATS:
                if (question := self.match.question(seat)) is not None:
                    self.actor, self.question = seat, question
                    break
        self._chosen = 0
        self._views: dict[Viewer, View] = {}
        self._legal: list[int] | None = None

    # --- what a seat sees ---------------------------------------------------------------

    def view(self, viewer: Viewer) -> View:
        """The View of a seat, or of a spectator (None), built once between two answers."""
        if viewer not in self._views:
            self._views[viewer] = self.match.view(viewer)
        return self._views[viewer]

    def legal(self, actor: Actor) -> list[int]:
        """The actions that may be taken now; none for whoever is not to act."""
        if actor != self.actor or self.question is None:
            return []
        if self._legal is None:
            if actor == CHANCE:
                self._legal = list(self.question.values())
            else:
                self._legal = self.encoding.legal(self.question, self._chosen)
        return self._legal

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """1 for each legal action; after the end for every one, so that one can be drawn."""
        if self.actor is None:
            return self.encoding.mask(list(range(self.encoding.actions)))
        return self.encoding.mask(self.legal(seat))

    def observe(self, seat: Seat) -> NDArray[np.float32]:
        return self.encoding.observe(self.view(seat), self._chosen_by(seat))

    def information_state(self, seat: Seat) -> str:
        return recall.as_text(
            self.encoding, self.view(seat), self._chosen_by(seat), self._answered[seat]
        )

    def information_tensor(self, seat: Seat) -> NDArray[np.float32]:
        return recall.as_numbers(
            self.encoding, self.view(seat), self._chosen_by(seat), self._answered[seat]
        )

    def _chosen_by(self, seat: Seat) -> int:
        return self._chosen if seat == self.actor else 0

    def result(self, seat: Seat) -> float:
        """What the match was worth to a seat: 1 for a plain win; 0 until it is over."""
        outcome = self.match.outcome
        return 0.0 if outcome is None else outcome.result(seat)

    # --- what a seat does ---------------------------------------------------------------

    def act(self, action: int) -> None:
        """Take an action for whoever is to act; IllegalMove for one that may not be taken."""
        actor, question = self.actor, self.question
        if actor is None or question is None:
            raise IllegalMove("The match is over: start a new one.")
        legal = self.legal(actor)
        if action not in legal:
            allowed = ", ".join(f"{number} ({self.encoding.names[number]})" for number in legal)
            raise IllegalMove(f"{brief(action)} is no legal action now; these are: {allowed}.")
        if actor == CHANCE:
            self.match.deal(action)
            self.look_again()
            return
        self._answered[actor] += ((self.match.heard(actor), action),)
        self._chosen, complete = self.encoding.take(question, self._chosen, action)
        self._legal = None
        if complete:
            self.match.play(actor, question.record(self._chosen), salt=NO_SALT)
            self.look_again()
