"""Ratings with their uncertainty, by the Bradley-Terry model of openskill.

openskill learns from one match after the other, so the order of matches leaves a trace in the
ratings. Here all matches are gone through several times, each time from the beginning and in
another order drawn by the seed, and the ratings are averaged. Which order the matches were
finished in makes no difference at all.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec

from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ORDERS, FEWEST_ORDERS = 20, 3
ENOUGH_STEPS = 200_000
"""More steps than this are not spent on further orders of a long tournament."""

Result = tuple[str, str, str | None]
"""Two players, and which of them won."""


class Rating(msgspec.Struct, frozen=True):
    mean: float
    deviation: float
    """How sure it is: the true one lies within twice this, nineteen times out of twenty."""


def must_be_installed() -> None:
    """Before anything is played: a tournament without ratings would have to be held again."""
    try:
        import openskill  # noqa: F401 (only whether it is there)
    except ImportError:
        raise TraplineError(
            "Ratings need openskill: install it with  pip install 'trapline[arena]'."
        ) from None


def rate(players: Sequence[str], results: Sequence[Result], seed: int) -> dict[str, Rating]:
    must_be_installed()
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull()
    rng = Random(f"{seed} ratings")  # noqa: S311 (an order of matches)
    sums = {player: [0.0, 0.0] for player in players}
    known = sorted(results, key=str)
    orders = max(FEWEST_ORDERS, min(MOST_ORDERS, ENOUGH_STEPS // (len(known) or 1)))
    for _ in range(orders):
        now = {player: model.rating() for player in players}
        for one, two, winner in rng.sample(known, len(known)):
            ranks = [float(winner == two), float(winner == one)]
            (now[one],), (now[two],) = model.rate([[now[one]], [now[two]]], ranks=ranks)
        for player, rating in now.items():
            sums[player][0] += rating.mu / orders
            sums[player][1] += rating.sigma / orders
    return {player: Rating(mean, deviation) for player, (mean, deviation) in sums.items()}
