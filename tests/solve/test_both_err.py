"""What comes of matches between two who can err, against sums that are made another way."""

from __future__ import annotations

from math import inf
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
        for turns in (inf, 2, 5, 8):
            told = runner.race(mine, theirs, turns)
            came = sum(_run(needed, mine, theirs, turns, rng) for _ in range(4_000)) / 4_000
            assert told == pytest.approx(came, abs=0.06)


def _run(needed: list[int], mine: int, theirs: int, turns: float, rng: Random) -> int:
    """What comes of it for the one who is not to move: 0 where nobody arrives in time."""
    while mine < 10:
        if turns < 1:
            return 0
        theirs = _step(needed, theirs, rng)
        if theirs == 10:
            return -1
        if turns < 2:
            return 0
        mine, turns = _step(needed, mine, rng), turns - 2
    return 1


def test_hope_against_one_who_stumbles_ends_as_when_it_is_run() -> None:
    needed = [4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]
    runner, rng = Stumbler(needed, lambda square: square, 3), Random(2)
    for mine, turns in ((2, inf), (2, 4), (2, 3), (1, 1), (3, 2), (0, 0)):
        came = sum(_chase(needed, mine, 5, turns, rng) for _ in range(4_000)) / 4_000
        assert runner.hope(mine, 5, turns) == pytest.approx(came, abs=0.06)


def _chase(needed: list[int], mine: int, theirs: int, turns: float, rng: Random) -> int:
    """The same for one who needs so many moves and never errs."""
    while mine:
        if turns < 1:
            return 0
        theirs = _step(needed, theirs, rng)
        if theirs == 10:
            return -1
        mine, turns = mine - 1, turns - 2
    return int(turns >= 0)


@pytest.mark.parametrize("name", ["secret-paths", "numeric-maze", "trap-runner"])
def test_the_last_turn_is_told_as_it_ends(name: str) -> None:
    """A certain draw is an even chance for nobody: the coach knows when the turns are over."""
    game = make_game(name, {"turn_limit": 13})
    solution = perfect.solution_of(game)
    assert solution is not None
    match = Match(game, 1)
    for seat in SEATS:
        if not match.ready:  # goals are far from where the shortest moves lead
            match.play(seat, match.view(seat).legal[-1])
    while match.view(None).turn < 12:
        seat = match.asked[0]
        match.play(seat, match.view(seat).legal[0])
    seat = match.asked[0]
    outlook = solution.policy.look(match.view(seat))
    for answer in match.view(seat).legal:
        last = match.fork()
        last.play(seat, answer)
        while last.outcome is None:  # the other is asked whether there is a trap
            last.play(last.asked[0], last.view(last.asked[0]).legal[-1])
        came = {None: 0.0, seat: 1.0}[last.outcome.winner]
        assert outlook.expected(answer) == pytest.approx(came, abs=1e-6)
        assert (answer in outlook.drawn) == (last.outcome.winner is None)


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
