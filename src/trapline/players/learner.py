"""How strong a learner is, told from past results, so that a computer can play as strongly.

The chance to win against a player of some strength is taken to fall evenly with the odds: a
logistic curve, as in ratings. A learner of whom nothing is known is taken for a little better than
`casual`, and every result moves that; later ones more than earlier ones, since learners learn.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from trapline.core import SEATS, other
from trapline.players import PLAYERS, STRENGTH, strength_of
from trapline.players.blended import PERFECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trapline.referee import Record

EQUAL = "equal"
"""The name of the level that plays as strongly as the learner."""
SUMMARY = "plays at your own strength, told from your past results"
BEGINNER, UNSURE = 30.0, 35.0
"""What a learner is taken for before the first result, and how far that may be off."""
SPREAD = 50.0
"""How many points of strength make the odds of a match e to 1; between `casual` and `perfect` about
so many did in a game without luck, and more in others (`python -m bench.levels`)."""
FADING = 0.98
"""What a result counts against the one that came after it."""


class Result(NamedTuple):
    rival: int
    """The strength of the computer."""
    score: float
    """1 for a win, 0 for a loss."""


def results(records: Iterable[Record], game: str) -> list[Result]:
    """What a learner has reached in a game against computers of known strength, latest last."""
    found = []
    for record in sorted(records, key=lambda record: record.started):
        bots = {seat: _level(record, seat) for seat in SEATS}
        people = [seat for seat in SEATS if bots[seat] is None]
        if record.game != game or record.result is None or len(people) != 1:
            continue
        rival = strength_of(bots[other(people[0])] or "")
        if rival is not None:
            worth = record.result.result(people[0])
            found.append(Result(rival, (1 + (worth > 0) - (worth < 0)) / 2))
    return found


def strength(past: Sequence[Result]) -> int:
    """The likeliest strength of a learner, from 0 to 100."""
    return max(range(PERFECT + 1), key=lambda strong: _likelihood(strong, past))


def as_strong(records: Iterable[Record], game: str) -> str:
    """The name of the player who is as strong as the learner."""
    return f"{STRENGTH}{strength(results(records, game))}"


def level_names() -> dict[str, str]:
    """Whom a person may choose to play against, and what is said of each."""
    return {**{name: player.summary for name, player in PLAYERS.items()}, EQUAL: SUMMARY}


def _level(record: Record, seat: int) -> str | None:
    player = record.players.get(str(seat))
    return None if player is None else player.bot


def _likelihood(strong: int, past: Sequence[Result]) -> float:
    """The logarithm of how likely these results are, and how likely one is as strong at all."""
    found = -(((strong - BEGINNER) / UNSURE) ** 2) / 2
    weight = 1.0
    for rival, score in reversed(past):
        odds = (strong - rival) / SPREAD
        won, lost = -math.log1p(math.exp(-odds)), -math.log1p(math.exp(odds))
        found += weight * (score * won + (1 - score) * lost)
        weight *= FADING
    return found
