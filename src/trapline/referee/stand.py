"""How a match stands at a moment: all that anybody's View of it is made of."""

from __future__ import annotations

from typing import Any

import msgspec

from trapline.core import Board, Outcome, Question, Seat
from trapline.core.questions import Form


class Stand(msgspec.Struct, frozen=True, gc=False):
    """Held by the referee, for it has every secret; it costs little, and Views come from it later.

    Nothing in here changes, so what a seat saw then can be told after the match has gone on.
    """

    state: Any
    turn: int
    outcome: Outcome | None
    to_move: Seat | None
    questions: tuple[Question | None, Question | None]
    ready: tuple[bool, bool]
    secrets: tuple[Form | None, Form | None]
    """What each has chosen, for that seat alone."""
    shown: tuple[Form | None, Form | None] | None
    """The same for everybody, once the match is over."""
    draw_offer: Seat | None
    may_claim: Seat | None
    board: Board | None = None
    """Where everybody sees the same."""
