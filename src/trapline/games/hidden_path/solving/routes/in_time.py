"""The best chance to be home within so many moves, when each of some secrets is as likely.

By the rules themselves, over all that a runner may be in doubt about (`doubts`). Where that is too
much, a runner who may land in a block wherever that is best is counted instead (`blocks`), whose
chances are no smaller.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.routes.blocks import SHORT, Homecoming
from trapline.solve.interface import TooLarge

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.doubts import Doubts
    from trapline.games.hidden_path.solving.routes.blocks import Arrangement, Floats

FEW = 250
"""Secrets, times the steps of the path: with more there is too much to be in doubt about."""
FEW_LANDINGS = 20_000
"""And doubts, times steps."""


@lru_cache(maxsize=2_048)
def home_within(arrangement: Arrangement, length: int, max_step: int, moves: int) -> Floats | None:
    """For each number of moves, the best chance to be home within them, or a larger number; None
    if there is too much to count."""
    try:
        if length <= SHORT and arrangement.secrets * length <= FEW:
            return by_the_rules(sorted(arrangement.each(length)), length, max_step, moves)
    except TooLarge:
        pass
    try:
        return Homecoming(arrangement, max_step, moves).chances[:, 0].copy()
    except TooLarge:
        return None


def by_the_rules(secrets: list[int], length: int, max_step: int, moves: int) -> Floats:
    from trapline.games.hidden_path.solving.doubts import explore  # which brings a compiler along

    doubts = explore(length, max_step, secrets, most=FEW_LANDINGS).doubts
    chances = np.zeros((len(doubts.size) + 1, length + 1))  # nothing comes of no doubt: the last
    found = np.zeros(moves + 1)
    for left in range(1, moves + 1):
        chances = _one_move_earlier(doubts, chances)
        found[left] = chances[0, 0]
    return found


def _one_move_earlier(doubts: Doubts, after: Floats) -> Floats:
    """By doubt and place, with one more move left."""
    size = np.append(doubts.size, 0).astype(np.float64)
    found = np.zeros_like(after)
    for place in range(doubts.length):
        for to in range(place + 1, min(place + doubts.max_step, doubts.length) + 1):
            passed, caught = doubts.passed[:, to], doubts.caught[:, to]
            home = 1.0 if to == doubts.length else after[passed, to]
            won = (size[passed] * home + size[caught] * after[caught, 0]) / doubts.size
            np.maximum(found[:-1, place], won, out=found[:-1, place])
    return found
