"""What the choices of a match cost, worked out from its record alone.

So it is the same for a match that was just played and for one in somebody else's file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from trapline.coach import losses
from trapline.core import SEATS, Reason, other
from trapline.measures.regret import AgainstEquilibrium
from trapline.players.perfect import solution_of
from trapline.referee import Match
from trapline.referee.record import record_game

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.referee import Record


class Costs(NamedTuple):
    lost: dict[str, list[float]] | None
    """By player, what each choice cost against the equilibrium; None if that is not known."""
    forfeited: float | None
    """What the loser's forfeit cost: all that could still be had."""


def costs(record: Record) -> Costs:
    """Of a finished match of the arena, in which nobody resigns but by a forfeit."""
    solution = solution_of(record_game(record), record.first)
    if solution is None:
        return Costs(None, None)
    names = {seat: record.players[str(seat)].bot or "" for seat in SEATS}
    lost: dict[str, list[float]] = {name: [] for name in names.values()}
    for loss in losses(record, solution):
        lost[names[loss.by]].append(round(loss.lost, 6))
    result = record.result
    if result is None or result.winner is None or result.reason != Reason.RESIGNED:
        return Costs(lost, None)
    return Costs(lost, _forfeited(record, other(result.winner)))


def _forfeited(record: Record, loser: Seat) -> float | None:
    """Judged by what the loser was shown when no answer came."""
    match = Match.restore(msgspec.structs.replace(record, result=None))
    given_up = AgainstEquilibrium(match.game).forfeited(match.view(loser))
    return None if given_up is None else round(given_up, 6)
