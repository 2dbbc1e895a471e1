"""How much a measure of strength still shakes, for what it took to take it.

All three are told as shares of a match, so they can be compared: of two players the same distance
apart, the measure with half the noise tells them apart with half the tokens. Win rate shakes with
every opponent and every draw of chance; regret only with what the player itself decides.
"""

from __future__ import annotations

import math
from statistics import variance
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.arena.exploiting import Exploitability

WIDTH = 2 * 1.96
"""Of a 95% interval, in standard deviations."""


class Noise(msgspec.Struct, frozen=True):
    """The variance of each measure times what it took: the less, the more a token tells."""

    unit: str
    """What was counted: tokens, or choices of players who read none."""
    win_rate: float | None
    regret: float | None
    exploitability: float | None


def noise(
    results: Sequence[float],
    given_away: Sequence[float],
    found: Sequence[Exploitability],
    *,
    playing: tuple[int, int],
    asking: tuple[int, int],
) -> Noise:
    """Of a player's matches, as shares of each, and of its exploitability in each game.

    `playing` and `asking` are what its matches and its strategies took: tokens, or else choices.
    """
    unit, at = ("tokens", 0) if playing[0] or asking[0] else ("choices", 1)
    widths = [(each.high - each.low) / WIDTH / 2 for each in found]  # half: as a share of a match
    strategies = math.fsum(width**2 for width in widths) / len(widths) ** 2 if widths else None
    return Noise(
        unit,
        _of_mean(results, playing[at]),
        _of_mean(given_away, playing[at]),
        None if strategies is None else strategies * asking[at],
    )


def _of_mean(values: Sequence[float], took: int) -> float | None:
    return variance(values) / len(values) * took if len(values) > 1 else None
