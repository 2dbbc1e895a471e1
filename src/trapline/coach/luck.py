"""Luck and skill apart: what made the result of a match, from each player's side.

A match begins at even chances. The toss moves them, each mistake gives something of them away, and
what is left of the way to the result was luck: what was hidden, and how it fell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, Outcome, Seat, other

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.coach.judging import Judgement

EVEN = 0.5
MISTAKE = 0.03
"""A choice that costs no more of the match than this is no mistake, and is not counted: over two
hundred turns a hair's breadth each would add up to a match that nobody lost."""


class Account(msgspec.Struct, frozen=True):
    """Shares of a match, from 0, lost, to 1, won; together they lead from even to the result."""

    start: float
    """What moving first or second was worth beyond even, by the toss or as the game has it."""
    own: float
    """What the player's own mistakes gave away: nothing, or less."""
    other: float
    """What the other's mistakes gave."""
    luck: float
    """The rest: what was hidden, and how it fell."""
    result: float
    tossed: bool
    """Whether the start was a matter of luck, too."""


def accounts(
    judgements: Sequence[Judgement], outcome: Outcome, stake: int, *, tossed: bool
) -> dict[str, Account]:
    """One for each seat that had a choice."""
    gave: dict[Seat, float] = {
        seat: -sum(cost for j in judgements if j.by == seat and (cost := _cost(j)) > MISTAKE)
        for seat in SEATS
    }
    found = {}
    for seat in SEATS:
        start = _start(judgements, seat)
        if start is None:
            continue
        result = (1 + outcome.result(seat) / stake) / 2
        own, theirs = gave[seat], -gave[other(seat)]
        luck = result - EVEN - start - own - theirs
        start, own, theirs, luck = (round(part, 6) for part in (start, own, theirs, luck))
        found[str(seat)] = Account(start, own, theirs, luck, result, tossed)
    return found


def _cost(judged: Judgement) -> float:
    return judged.expected_before - judged.expected_after


def _start(judgements: Sequence[Judgement], seat: Seat) -> float | None:
    """What a match was worth to a seat beyond even, before anybody had moved."""
    own = next((index for index, j in enumerate(judgements) if j.by == seat), None)
    if own is None:
        return None
    # Whoever answers the other's move has seen it, and what it was worth is the other's doing.
    moved = next((j for j in judgements[:own] if j.turn), None)
    return EVEN - moved.expected_before if moved else judgements[own].expected_before - EVEN
