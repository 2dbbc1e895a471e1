"""A runner alone against a number: what can be won, and where nothing is left to choose."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from trapline.games.hidden_path.solving.doubts import Hidden, explore
from trapline.games.hidden_path.solving.duel.lone import Alone, Position, lone_runs

PATHS = [(6, 2, 2), (6, 3, 2), (7, 3, 2), (6, 2, 3)]
"""Length, longest move and traps."""


def doubted(length: int, max_step: int, traps: int) -> Hidden:
    steps = range(1, length + 1)
    secrets = [sum(1 << step for step in chosen) for chosen in combinations(steps, traps)]
    return explore(length, max_step, secrets)


def beaten(hidden: Hidden, at: Position) -> set[frozenset[int]]:
    """For every way to run: the places of the secrets with which it is in time, by trying all."""
    doubts = hidden.doubts
    if at.place == doubts.length:
        return {frozenset(range(len(hidden.left[at.doubt])))}
    if at.left == 0:
        return {frozenset()}
    found: set[frozenset[int]] = set()
    for to in range(at.place + 1, min(at.place + doubts.max_step, doubts.length) + 1):
        held = [int(left) >> to & 1 for left in hidden.left[at.doubt]]
        ends = []
        for trapped, table in ((0, doubts.passed), (1, doubts.caught)):
            places = [place for place, caught in enumerate(held) if caught == trapped]
            if places:
                after = Position(int(table[at.doubt, to]), 0 if trapped else to, at.left - 1)
                ways = beaten(hidden, after)
                ends.append({frozenset(places[k] for k in way) for way in ways})
        found |= ends[0] if len(ends) == 1 else {one | two for one in ends[0] for two in ends[1]}
    return {way for way in found if not any(way < more for more in found)}


@pytest.mark.parametrize(("length", "max_step", "traps"), PATHS)
def test_what_can_be_won_alone_is_what_trying_every_way_wins(
    length: int, max_step: int, traps: int
) -> None:
    hidden, rng = doubted(length, max_step, traps), Random(length)
    alone, fewest = Alone(hidden.doubts), int(hidden.doubts.fewest[0, 0])
    seen = set()
    for left in range(fewest, fewest + 5):
        for doubt in rng.sample(range(len(hidden.left)), 12):
            at = Position(doubt, rng.randrange(length), left)
            ways, found = beaten(hidden, at), alone.prospect(at)
            assert set(np.flatnonzero(found.winnable)) == frozenset().union(*ways)
            assert found.clear == (len(ways) == 1)
            weights = np.array([rng.random() for _ in hidden.left[doubt]])
            most = max(float(sum(weights[k] for k in way)) for way in ways)
            assert alone.worth(at, weights) == pytest.approx(most)
            seen.add(found.clear)
    assert seen == {True, False}


def test_a_run_of_which_everything_is_clear_has_no_choice() -> None:
    hidden = doubted(7, 3, 2)
    alone, start = Alone(hidden.doubts), int(hidden.doubts.fewest[0, 0])
    for left in range(start, start + 6):
        runs = lone_runs((hidden.doubts, hidden.doubts), [(0, Position(0, 0, left))])
        (rows,) = runs.runs["rows"]
        assert bool(rows == 0) == alone.prospect(Position(0, 0, left)).clear
