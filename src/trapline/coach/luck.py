"""Luck and skill apart: what made the result of a match, from each player's side.

A match begins at even chances. The toss moves them, each mistake gives something of them away, and
so does an end before the end. What is left of the way to the result was luck: what was hidden, and
how it fell. Where nothing is hidden and nothing drawn there is none: chances are those among
people, who slip, and it is the slips that stayed away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import SEATS, Outcome, Seat, other
from trapline.core.outcomes import Reason as Ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.coach.judging import Judgement
    from trapline.core import Game

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
    ending: float
    """What an end without playing on gave or gave up: a resignation, an agreed draw, the clock."""
    luck: float
    """The rest: what was hidden, and how it fell."""
    unmade: float
    """The rest where there is no luck: slips that were to be expected, and were not made."""
    result: float
    tossed: bool
    """Whether the start was a matter of luck, too."""


def accounts(
    judgements: Sequence[Judgement], outcome: Outcome, game: Game[Any], *, tossed: bool
) -> dict[str, Account]:
    """One for each seat that had a choice. One side's luck is the other's bad luck."""
    found = {}
    for seat in {judged.by for judged in judgements}:
        result = (1 + outcome.result(seat) / game.stake) / 2
        start = _start(judgements, seat)
        own, theirs = -_gave(judgements, seat), _gave(judgements, other(seat))
        ending = result - last_chance(judgements, seat) if ended_early(outcome) else 0.0
        rest = result - EVEN - start - own - theirs - ending
        luck, unmade = (rest, 0.0) if game.hides or game.draws else (0.0, rest)
        found[str(seat)] = Account(
            start=round(start, 6),
            own=round(own, 6),
            other=round(theirs, 6),
            ending=round(ending, 6),
            luck=round(luck, 6),
            unmade=round(unmade, 6),
            result=result,
            tossed=tossed,
        )
    return found


def ended_early(outcome: Outcome) -> bool:
    """Whether players ended the match themselves, and not the rules."""
    return outcome.reason in list(Ending)


def last_chance(judgements: Sequence[Judgement], seat: Seat) -> float:
    """What a seat could expect after the last choice of a match."""
    last = judgements[-1]
    return last.expected_after if last.by == seat else 1 - last.expected_after


def _gave(judgements: Sequence[Judgement], seat: Seat) -> float:
    """What a seat's mistakes gave away."""
    costs = (j.expected_before - j.expected_after for j in judgements if j.by == seat)
    return sum(cost for cost in costs if cost > MISTAKE)


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
