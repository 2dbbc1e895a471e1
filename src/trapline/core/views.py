"""What one seat, or a spectator, may know of a match: built from nothing, never redacted."""

from __future__ import annotations

from typing import Any

import msgspec

from trapline.core.boards import Board
from trapline.core.events import AnyEvent, Place
from trapline.core.outcomes import Outcome
from trapline.core.questions import Form, Question
from trapline.core.seats import Seat


class Suspicion(msgspec.Struct, frozen=True):
    """How likely the other hides something at a place, as far as one player can know."""

    place: Place
    chance: float


class View(msgspec.Struct, frozen=True, gc=False):
    """All that one seat, or a spectator (`seat` None), may know of a match."""

    game: str
    options: dict[str, Any]
    seat: Seat | None
    first: Seat
    tossed: bool
    turn: int
    """Completed turns of both players together."""
    to_move: Seat | None
    """Whose turn it is; None while both are asked at once, and at the end."""
    question: Question | None
    """What the viewer is asked now."""
    secret: Form | None
    """What the viewer has chosen in secret before the first turn."""
    ready: tuple[bool, bool]
    """Who has answered what both are, or were, asked at once."""
    board: Board
    events: tuple[AnyEvent, ...]
    draw_offer: Seat | None
    may_claim: Seat | None
    outcome: Outcome | None
    secrets: tuple[Form | None, Form | None] | None
    """Both secrets, once the match is over."""

    @property
    def asks(self) -> str | None:
        """What the viewer is asked for, in a word."""
        return self.question.asks if self.question is not None else None

    @property
    def legal(self) -> tuple[Form, ...]:
        """The answers that may be given, as records hold them; none where a set is wanted."""
        return self.question.legal if self.question is not None else ()
