"""What comes of matches between two who can err, against sums that are made another way."""

from __future__ import annotations

from random import Random

import pytest

from trapline.core import SEATS
from trapline.games import make_game
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import best_response
from trapline.solve.arrivals import Stumbler
from trapline.solve.public import PublicSolution


def test_what_one_gets_the_other_loses() -> None:
    """Both sums run over the same tree from opposite sides."""
    solution = perfect.solution_of(make_game("trap-builder", {"length": 5, "traps": 1}))
    assert isinstance(solution, PublicSolution)
    for profile in (solution.profile, best_response.uniform(solution.tree)):
        worth = [
            float(best_response.mean_root_values(solution.tree, seat, profile) @ mix)
            for seat, mix in zip(SEATS, profile.mixes, strict=True)
        ]
        assert worth[0] == pytest.approx(-worth[1], abs=1e-12)
    value = best_response.mean_root_values(solution.tree, 1, solution.profile)
    assert float(value @ solution.profile.mixes[0]) == pytest.approx(solution.value, abs=1e-9)


def test_a_race_of_two_who_stumble_ends_as_when_it_is_run() -> None:
    needed = [4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]
    runner, rng = Stumbler(needed, lambda square: square, 3), Random(1)
    for mine, theirs in ((3, 0), (0, 0), (6, 8), (10, 2)):
        told = runner.race(mine, theirs)
        won = sum(_run(needed, mine, theirs, rng) for _ in range(4_000)) / 4_000
        assert told == pytest.approx(2 * won - 1, abs=0.06)


def _run(needed: list[int], mine: int, theirs: int, rng: Random) -> bool:
    """Whether the one who is not to move arrives first."""
    while mine < 10:
        theirs = _step(needed, theirs, rng)
        if theirs == 10:
            return False
        mine = _step(needed, mine, rng)
    return True


def _step(needed: list[int], at: int, rng: Random) -> int:
    ahead = range(at + 1, min(at + 3, 10) + 1)
    if rng.random() < 0.25:
        return rng.choice(ahead)
    fewest = min(needed[to] for to in ahead)
    return rng.choice([to for to in ahead if needed[to] == fewest])


def test_whoever_is_ahead_near_the_goal_can_expect_more() -> None:
    """Two moves before the goal there is less left to go wrong than at the start."""
    game = make_game("numeric-maze")
    solution = perfect.solution_of(game)
    assert solution is not None
    start, near = Match(game, 1), Match(game, 1)
    for step in (3, 1, 3, 1, 3, 1, 3, 1, 2, 1, 3, 1):
        assert near.to_move is not None
        near.play(near.to_move, step)
    chances = []
    for match in (start, near):
        outlook = solution.policy.look(match.view(1))
        best = max(outlook.likely, key=lambda answer: outlook.likely[answer])
        assert outlook.expected(best) == outlook.likely[best]
        chances.append(outlook.likely[best])
    assert chances[0] < 0.9 < chances[1] == pytest.approx(1.0)
