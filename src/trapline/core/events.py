"""Events: what happened, as a seat may hear it."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from trapline.core.seats import Actor

Cell = tuple[int, int]
"""A cell of a grid: row and column, both counted from 1."""
Place = int | Cell
"""A place on a board: a square of a track, or a cell of a grid."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    private: ClassVar[bool] = False
    """Whether only the one it is about hears it."""

    by: Actor


class Moved(Event, frozen=True, tag="moved"):
    start: Place
    to: Place


class Triggered(Event, frozen=True, tag="triggered"):
    """Landed on a trap, which everybody now knows."""

    at: Place


class Returned(Event, frozen=True, tag="returned"):
    """Went back to the start because of a trap."""


class TrapTried(Event, frozen=True, tag="trap tried"):
    """Tried to set a trap on the square just left. Only the one who tried hears this."""

    private: ClassVar[bool] = True

    at: Place
    succeeded: bool


class Told(Event, frozen=True, tag="told"):
    """Anything else that happened, as a sentence; `{by}` and `{other}` stand for the players."""

    text: str
    at: Place | None = None


class Whispered(Event, frozen=True, tag="whispered"):
    """A sentence that only `by` hears: a card dealt, what a search has found."""

    private: ClassVar[bool] = True

    text: str
    at: Place | None = None


class MoveRefused(Event, frozen=True, tag="move refused"):
    """An illegal move, the `count`th in a row (only in games that count them)."""

    count: int


class ClaimWaived(Event, frozen=True, tag="claim waived"):
    pass


class DrawOffered(Event, frozen=True, tag="draw offered"):
    pass


class DrawDeclined(Event, frozen=True, tag="draw declined"):
    pass


class TakenBack(Event, frozen=True, tag="taken back"):
    """A turn of this player was taken back, and whatever came after it. What is told before this
    event is told of what stands."""


BESIDE_THE_GAME = (MoveRefused, ClaimWaived, DrawOffered, DrawDeclined, TakenBack)
"""What players may do and hear that no rule knows of."""

AnyEvent = (
    Moved
    | Triggered
    | Returned
    | TrapTried
    | Told
    | Whispered
    | MoveRefused
    | ClaimWaived
    | DrawOffered
    | DrawDeclined
    | TakenBack
)
