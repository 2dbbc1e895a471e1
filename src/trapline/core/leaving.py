"""What turns leave behind, for a referee who does not see it.

In such a game a turn ends with a hidden answer: whether something is left on the place that was
just left. Both players' own devices know what they left; the referee's state holds what was shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from trapline.core.questions import Form
    from trapline.core.seats import Seat

S = TypeVar("S")


class Leaving(Protocol[S]):
    answers: tuple[Form, Form]
    """To the hidden question: to leave nothing, and to leave something. It is what is sealed."""

    places: range
    """On which something can be left."""

    def arrives(self, state: S, seat: Seat, answer: int) -> int | None:
        """The place where a move arrives, if only the other's device knows what lies there."""

    def place(self, state: S, seat: Seat) -> int:
        """The place on which something may be left, where that is asked now."""

    def contested(self, state: S, seat: Seat) -> bool:
        """Whether the other may have left something there since the player arrived."""

    def lies(self, state: S, owner: Seat, place: int, finder: Seat | None = None) -> S:
        """The state in which it is known that something lies there; to everybody, or to one."""

    def left(self, state: S, owner: Seat) -> frozenset[int]:
        """The places on which a player's things are known to lie."""
