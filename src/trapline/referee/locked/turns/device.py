"""The own device of a player whose turns leave something behind: it alone knows what lies where.

All that it ever draws is a seed. Salts and questions come from it, so the seed opens everything.
"""

from __future__ import annotations

import secrets as random_source
from typing import TYPE_CHECKING, Any

from trapline.core import IllegalMove, NotNow, other
from trapline.referee.commitments import commitment
from trapline.referee.locked.turns import transfer
from trapline.referee.locked.turns.trail import (
    Seals,
    asking,
    giving,
    left_key,
    turn_key,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Form, Game, Seat
    from trapline.referee.locked.evidence import Awaited

Command = dict[str, Any]
GREEDY = "More is asked for than moves can depend on: this device opens nothing."


class TrailDevice:
    def __init__(
        self, game: Game[Any], match_id: str, seat: Seat, *, seed: str | None = None
    ) -> None:
        leaving = game.leaving()
        assert leaving is not None  # nothing else needs such a device
        self._answers = leaving.answers
        self._facts = (game.name, match_id)
        self.seat = seat
        self.seed = seed or random_source.token_hex(32)
        self.lies: set[int] = set()
        """Where something of this player lies."""
        self.found: set[int] = set()
        """Where this player has found something of the other's by trying."""
        self._left: dict[int, int] = {}
        """The last turn in which each place was left."""
        self._tries: dict[int, bool] = {}
        self._answered: dict[tuple[int, str], tuple[str, str]] = {}
        """For each turn of the other's, and what was wanted, the place it was about and what was
        asked. Whoever puts another question of their own in its place would read the answer."""
        self._taken: dict[int, str] = {}
        """What was given in each turn. To whom something else were given as well, a second
        commitment would show whether it could be read, and so whether something was tried."""

    def said(self, turn: int) -> Form | None:
        """What was answered in a turn, if anything was: what is sent again must be the same."""
        return self._answers[self._tries[turn]] if turn in self._tries else None

    def hide(self, turn: int, place: int, answer: Form, *, contested: bool) -> Command:
        """What fixes a turn's hidden answer: contested is a place that the other has just left."""
        tries = answer == self._answers[1]
        if tries and place in self.lies and self._left[place] != turn:
            raise IllegalMove("Something of yours lies there already.")
        self._tries[turn] = tries
        locks = [self._lock(turn_key(turn, self.seat), answer)]
        if contested:
            salt = self._salt(asking(turn))
            asks = transfer.asked(salt, wanted=tries)
            return {"do": "lock", "locks": locks, "asks": asks}
        return {"do": "lock", "locks": [*locks, self._leave(turn, place, tries)]}

    def respond(self, awaited: Awaited, commitments: Mapping[str, str]) -> Command:
        """What this device is waited for."""
        match awaited.wants:
            case "open":
                return self._open(awaited)
            case "give":
                return {"do": "give", "gives": self._given(awaited)}
            case "lock":
                return {"do": "lock", "locks": [self._settle(awaited, commitments)]}

    def rest(self) -> Command:
        """What opens everything, when the match is decided."""
        return {"do": "open seed", "seed": self.seed}

    # --- inside -------------------------------------------------------------------------

    def _open(self, awaited: Awaited) -> Command:
        place = int(awaited.place)
        self._must_be_due(awaited)
        holds, salt = place in self.lies, self._salt(left_key(self._left[place]))
        return {"do": "open", "place": awaited.place, "holds": holds, "salt": salt}

    def _given(self, awaited: Awaited) -> str:
        self._must_be_due(awaited)
        message = self._salt(left_key(self._left[int(awaited.place)]))
        return transfer.given(awaited.asks, message, self._salt(giving(awaited.turn)))

    def _must_be_due(self, awaited: Awaited) -> None:
        """Once a turn of the other's, of each kind, and nothing about places that were not left."""
        turn, kind, place = awaited.turn, awaited.wants, int(awaited.place)
        asked = (awaited.place, awaited.asks)
        known = self._answered.get((turn, kind), asked)
        latest = max((at for at, _ in self._answered), default=turn)
        own = any((turn - one) % 2 == 0 for one in self._tries)
        strange = place not in self._left
        stale = kind == "give" and self._left.get(place) != turn - 1
        if known != asked or turn < latest or own or strange or stale:
            raise NotNow(GREEDY)
        self._answered[turn, kind] = asked

    def _settle(self, awaited: Awaited, commitments: Mapping[str, str]) -> str:
        """What lies there, now that the other's device has answered."""
        turn, place = awaited.turn, int(awaited.place)
        if self._taken.setdefault(turn, awaited.gives) != awaited.gives:
            raise NotNow(GREEDY)
        salt = transfer.taken(awaited.gives, self._salt(asking(turn)))
        seals = Seals(*self._facts, commitments)
        tries = self._tries[turn]
        if tries and seals.fits(other(self.seat), left_key(turn - 1), 1, salt):
            self.found.add(place)
        return self._leave(turn, place, tries and place not in self.found)

    def _leave(self, turn: int, place: int, sets: bool) -> str:
        if sets:
            self.lies.add(place)
        self._left[place] = turn
        return self._lock(left_key(turn), int(place in self.lies))

    def _salt(self, subject: str) -> str:
        return transfer.derived(self.seed, subject)

    def _lock(self, key: str, value: Form) -> str:
        return commitment(*self._facts, self.seat, key, value, self._salt(key))
