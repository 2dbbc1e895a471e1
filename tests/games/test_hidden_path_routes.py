"""Simple strategies for Hidden Path: blocks of traps, a few routes, and bounds that hold."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from tests.games.paths import answers, asking, path
from tests.solve import plain
from trapline.core import SEATS, Seat
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.routes import routes
from trapline.games.hidden_path.solving.routes.blocks import (
    Arrangement,
    Block,
    Homecoming,
    arrangements,
)
from trapline.games.hidden_path.solving.routes.in_time import by_the_rules
from trapline.games.hidden_path.solving.routes.method import RouteMethod, RouteSolution
from trapline.referee import Match
from trapline.solve import TooLarge, judged, linear, tree
from trapline.solve.certificates import certificate
from trapline.solve.interface import Request
from trapline.solve.model import GameModel

SMALL: list[dict[str, Any]] = [
    {"length": 3, "traps": 2, "max_step": 2},
    {"length": 4, "traps": 2},
    {"length": 4, "traps": 2, "goal_traps": False},
    {"length": 4, "traps": 1, "max_step": 2, "walls": False},
    {"length": 5, "traps": 1, "max_step": 2},
    {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False},
]


@cache
def solved(number: int) -> RouteSolution:
    return RouteMethod(path(SMALL[number])).solve(Request())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_bounds_enclose_the_value_of_the_real_rules(number: int) -> None:
    value = linear.solve(tree.build(GameModel(path(SMALL[number])))).value
    lower, upper = solved(number).bounds
    assert lower - 1e-9 <= value <= upper + 1e-9


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_nobody_gets_more_before_the_referee(number: int, seat: Seat) -> None:
    """With any secret: what each may bring at most is what the policy says of it."""
    found = solved(number)
    first: Seat = 1 if number % 2 else 2
    got = plain.by_secret(path(SMALL[number]), seat, asking(found.policy), first=first)
    lower, upper = found.bounds
    assert max(got.values()) <= (upper if seat == first else -lower) + 1e-9
    told = found.policy.look(Match(path(SMALL[number]), first).view(seat))
    assert told.guessed == told.values.keys() == got.keys()
    assert all(got[secret] <= told.values[secret] + 1e-9 for secret in got)


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_every_view_that_a_match_can_show_has_an_answer(number: int) -> None:
    assert list(answers(path(SMALL[number]), solved(number).policy, Random(number)))


def exact_chance(length: int, max_step: int, secrets: list[int], moves: int) -> float:
    """To be home within so many moves, by trying everything that the rules allow."""

    @cache
    def best(at: int, held: tuple[int, ...], left: int) -> float:
        if left == 0:
            return 0.0
        chances = []
        for to in range(at + 1, min(at + max_step, length) + 1):
            caught = tuple(sorted(s & ~(1 << to) for s in held if s >> to & 1))
            passed = tuple(s for s in held if not s >> to & 1)
            won = len(passed) if to == length else best(to, passed, left - 1) if passed else 0.0
            chances.append(won + (best(0, caught, left - 1) if caught else 0.0))
        return max(chances)

    return best(0, tuple(sorted(secrets)), moves) / len(secrets)


@pytest.mark.parametrize(
    ("length", "max_step", "traps"), [(5, 2, 2), (6, 3, 2), (7, 3, 2), (7, 2, 1), (4, 4, 2)]
)
def test_counting_gives_a_runner_no_less_than_the_rules_do(
    length: int, max_step: int, traps: int
) -> None:
    for found in arrangements(length, max_step, traps, goal_traps=True, walls=True):
        secrets = list(found.each(length))
        assert len(set(secrets)) == found.secrets
        assert all(found.holds(secret, length) for secret in secrets)
        counted = Homecoming(found, max_step, 9).chances[:, 0]
        within = by_the_rules(sorted(secrets), length, max_step, 9)
        for moves in range(10):
            chance = exact_chance(length, max_step, secrets, moves)
            assert within[moves] == pytest.approx(chance, abs=1e-9)
            assert counted[moves] >= chance - 1e-9


def test_at_the_rulebooks_size_counting_loses_nothing() -> None:
    """The figures of the proof by hand."""
    hidden = Arrangement((Block(1, 6, 1), Block(7, 9, 1)), goal=True)
    within = Homecoming(hidden, 3, 13).chances[:, 0]
    assert within[7:] == pytest.approx([0, 4 / 9, 5 / 9, 2 / 3, 8 / 9, 17 / 18, 1])


@pytest.mark.parametrize("moves", [5, 6, 11])
def test_with_longer_journeys_the_figures_of_the_proof_are_the_same(moves: int) -> None:
    """One of the six steps before the last three is trapped, and one of the last three."""
    length = 3 * moves - 2
    early = (Block(1, length - 10, 0), Block(length - 9, length - 4, 1))
    hidden = Arrangement((*early, Block(length - 3, length - 1, 1)), goal=True)
    within = Homecoming(hidden, 3, 3 * moves).chances[:, 0]
    assert within[2 * moves - 1] == 0
    for more, home in ((0, 4), (moves - 4, 4), (moves - 3, 5), (moves - 2, 6), (moves - 1, 8)):
        assert within[2 * moves + more] == pytest.approx(home / 9)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "traps", "value"), [(10, 3, 13 / 27), (8, 2, 1 / 2), (9, 2, 1)])
def test_exact_values_by_simple_strategies(length: int, traps: int, value: float) -> None:
    found = RouteMethod(path({"length": length, "traps": traps})).solve(Request())
    assert found.bounds == pytest.approx((value, value), abs=1e-9)
    assert found.exact


@pytest.mark.slow
def test_twelve_steps_are_proven_to_a_program_that_knows_the_rules_alone() -> None:
    """Blind runners and modest trees left them open, from 0.0984 to 0.4286."""
    found = RouteMethod(path({"length": 12, "traps": 2})).solve(Request())
    assert found.exact
    assert certificate(found)["bounds"] == ["3/7", "3/7"]


@pytest.mark.slow
def test_a_longer_path_is_proven_to_a_program_that_knows_the_rules_alone() -> None:
    """Thirteen steps: blind runners come to know too much there, and the tree is out of reach."""
    found = RouteMethod(path({"length": 13})).solve(Request())
    assert found.bounds == pytest.approx((65 / 141, 13 / 27), abs=1e-9)
    assert certificate(found)["bounds"] == ["65/141", "13/27"]


def test_the_worst_secrets_for_steady_routes_are_the_worst_of_all() -> None:
    for length, max_step, traps in ((7, 3, 2), (8, 3, 3), (6, 2, 3)):
        steady = routes.steady_routes(length, max_step)
        every = [sum(1 << s for s in c) for c in combinations(range(1, length + 1), traps)]
        worst = routes.worst_for_steady(length, max_step, traps, goal_traps=True)
        assert set(worst) <= set(every)
        late = routes.Times(steady, worst).repeated.T
        for times in routes.Times(steady, every).repeated.T:
            assert (late >= times).all(axis=1).any()


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(1), PathMethod(path(SMALL[1])).parts()[-1]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    for kept in (solved(0), solved(4)):
        with pytest.raises(ValueError, match="another game"):
            way.restore(found.facts, kept.pack())
    plans = msgspec.msgpack.decode(found.pack())
    plans[0][2][0] += 0.5
    with pytest.raises(ValueError, match="add up"):
        way.restore(found.facts, msgspec.msgpack.encode(plans))


@pytest.mark.parametrize("length", [30, 99])
def test_beyond_what_can_be_played_there_are_bounds(length: int) -> None:
    found = judged(path({"length": length}))
    assert found.bounds == pytest.approx((-3 / 17, 13 / 27), abs=1e-6)
    assert "simple strategies" in found.facts.sentence
    with pytest.raises(TooLarge, match="more than 1500 secrets"):
        _ = found.policy


def test_where_some_of_a_block_is_forbidden_nothing_is_claimed() -> None:
    with pytest.raises(TooLarge, match="without walls"):
        RouteMethod(path({"length": 6, "traps": 3, "walls": False})).solve(Request())
