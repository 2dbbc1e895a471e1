"""What other ways have found, for a search that begins: what they hide, and what they prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SEATS
from trapline.solve.interface import Certificate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Solution

LATEST = 12
"""To begin with, a seat hides one of so many secrets, those with the last steps."""
OFTEN_HIDDEN = 0.02
"""Or what is hidden more often by other ways to solve the path."""


def first_lists(
    game: HiddenPath, every: Sequence[int], found: Sequence[Solution]
) -> dict[Seat, set[int]]:
    """What each seat hides to begin with, as bits."""
    ways = {game.hiding.record(secret): secret for secret in every}
    lists: dict[Seat, set[int]] = {seat: set(every[-LATEST:]) for seat in SEATS}
    for solution in found:
        for seat in SEATS:
            pairs = solution.facts.secrets[seat - 1]
            lists[seat] |= {ways[form] for form, chance in pairs if chance > OFTEN_HIDDEN}
    return lists


def proven_by(found: Sequence[Solution]) -> Certificate:
    """All bounds together."""
    return Certificate(
        max((solution.bounds[0] for solution in found), default=-1.0),
        min((solution.bounds[1] for solution in found), default=1.0),
    )
