"""Luck and skill apart: what made the result of a match, from each player's side.

A match begins at even chances. The toss moves them, each mistake gives something of them away, and
what is left of the way to the result was luck: what was hidden, and how it fell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, Outcome, Seat, other
from trapline.core.outcomes import Reason as Ending

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
    """What the player's own mistakes gave away, and what they gave up: nothing, or less."""
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
    """One for each seat that had a choice. One side's luck is the other's bad luck."""
    gave = {seat: _gave(judgements, outcome, seat) for seat in SEATS}
    found = {}
    for seat in {judged.by for judged in judgements}:
        result = (1 + outcome.result(seat) / stake) / 2
        start = _start(judgements, seat)
        own, theirs = -gave[seat], gave[other(seat)]
        luck = result - EVEN - start - own - theirs
        start, own, theirs, luck = (round(part, 6) for part in (start, own, theirs, luck))
        found[str(seat)] = Account(start, own, theirs, luck, result, tossed)
    return found


def _gave(judgements: Sequence[Judgement], outcome: Outcome, seat: Seat) -> float:
    """What a seat's mistakes gave away, and what it gave up by ending the match."""
    costs = [j.expected_before - j.expected_after for j in judgements if j.by == seat]
    gave = sum(cost for cost in costs if cost > MISTAKE)
    if judgements and outcome.reason in list(Ending):
        last = judgements[-1]
        chance = last.expected_after if last.by == seat else 1 - last.expected_after
        gave += max(0.0, chance - (1 + outcome.result(seat) / outcome.score) / 2)
    return gave


def _start(judgements: Sequence[Judgement], seat: Seat) -> float:
    """What a match was worth to a seat beyond even, before anybody had moved.

    Where both hide something first, each has a chance of its own, and both count alike. Whoever
    answers the other's move has seen it: what that was worth is the other's doing.
    """
    begins = {j.by: j.expected_before for j in reversed(judgements)}
    hides = {j.by for j in judgements if not j.turn}
    first = judgements[0].by
    if hides == set(SEATS):
        return (begins[seat] - begins[other(seat)]) / 2
    return (begins[first] - EVEN) * (1 if seat == first else -1)
