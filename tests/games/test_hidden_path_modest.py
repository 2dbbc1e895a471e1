"""Hidden Path by modesty: two smaller trees, each of which proves one bound and no more."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from tests.games.test_hidden_path_duel import asking, path
from tests.solve import plain
from trapline.core import SEATS, Seat
from trapline.games.hidden_path.solving import modest_method, sides
from trapline.games.hidden_path.solving.duel_method import DuelMethod
from trapline.games.hidden_path.solving.method import RaceMethod
from trapline.games.hidden_path.solving.modest_method import ModestMethod, ModestSolution
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.referee import Match
from trapline.solve import TooLarge, linear, tree
from trapline.solve.interface import Certificate, Request, bounds_facts
from trapline.solve.model import GameModel

SMALL: list[dict[str, Any]] = [
    {"length": 3, "traps": 2, "max_step": 2},
    {"length": 4, "traps": 2, "goal_traps": False},
    {"length": 5, "traps": 1, "max_step": 2},
    {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False},
    {"length": 8, "traps": 1, "goal_traps": False},
]


@cache
def solved(number: int) -> ModestSolution:
    return ModestMethod(path(SMALL[number])).solve(Request(target=1e-5))


@pytest.mark.parametrize("number", range(len(SMALL) - 1))
def test_bounds_enclose_the_value_of_the_real_rules(number: int) -> None:
    value = linear.solve(tree.build(GameModel(path(SMALL[number])))).value
    lower, upper = solved(number).bounds
    assert lower - 1e-9 <= value <= upper + 1e-9


@pytest.mark.parametrize(("traps", "value"), [(1, 3 / 7), (2, 1 / 3)])
def test_paths_on_which_modesty_costs_nothing(traps: int, value: float) -> None:
    """Blind runners leave them open, from 0 to 1/2 and from 0.227 to 0.611."""
    found = ModestMethod(path({"length": 8, "traps": traps, "goal_traps": False})).solve(Request())
    assert found.bounds == pytest.approx((value, value), abs=1e-3)
    assert found.bounds[0] <= value <= found.bounds[1]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", range(len(SMALL) - 1))
def test_best_responses_before_the_referee_get_what_was_proven(number: int, seat: Seat) -> None:
    """Any secret and any move, also those that the modest gave up."""
    found = solved(number)
    first: Seat = 1 if number % 2 else 2
    got = plain.by_secret(path(SMALL[number]), seat, asking(found.policy), first=first)
    lower, upper = found.bounds
    assert max(got.values()) == pytest.approx(upper if seat == first else -lower, abs=1e-6)
    values = found.policy.look(Match(path(SMALL[number]), first).view(seat)).values
    assert values == pytest.approx(got, abs=1e-6)


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_every_view_that_a_match_can_show_has_an_answer(number: int) -> None:
    """Also for who hides what was given up, wastes moves, or meets somebody who does."""
    game, policy, rng = path(SMALL[number]), solved(number).policy, Random(number)
    for _ in range(40):
        match = Match(game, rng.choice(SEATS))
        for seat in SEATS:
            assert policy.look(match.view(seat)).chances.keys() == set(plain.secrets(game, seat))
            match.play(seat, rng.choice(plain.secrets(game, seat)))
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            outlook = policy.look(view)
            assert set(outlook.chances) == set(outlook.values) == set(view.legal)
            assert sum(outlook.chances.values()) == pytest.approx(1)
            assert all(-1 - 1e-9 <= value <= 1 + 1e-9 for value in outlook.values.values())
            match.play(mover, rng.choice(view.legal))


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(0), PathMethod(path(SMALL[0])).parts()[2]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    for kept in ([], [[(9, 9), b""], [(9, 9), b""]]):
        with pytest.raises(ValueError, match="another game"):
            way.restore(found.facts, msgspec.msgpack.encode(kept))


def test_two_ways_prove_more_than_one() -> None:
    """The lower bound by one way, the upper by another, played, kept and proven together."""
    game = path(SMALL[1])
    blind, looking = RaceMethod(game).solve(Request(0.2)), DuelMethod(game).solve(Request(0.3))
    lower, upper = blind.bounds[0], looking.bounds[1]
    found = sides.SidesMethod(game, PathMethod(game).parts()[:3]).restore(
        msgspec.structs.replace(
            blind.facts, method="sides", **bounds_facts(Certificate(lower, upper))
        ),
        msgspec.msgpack.encode([(s.facts, s.pack()) for s in (blind, looking)]),
    )
    assert found is not None
    for seat in SEATS:
        got = plain.by_secret(game, seat, asking(found.policy), first=1)
        assert max(got.values()) == pytest.approx(upper if seat == 1 else -lower, abs=1e-6)
        assert found.policy.look(Match(game, 1).view(seat)).values == pytest.approx(got, abs=1e-6)
    again = PathMethod(game).parts()[3].restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds


def test_the_better_sides_are_joined() -> None:
    game = path(SMALL[1])
    one, two = solved(1), RaceMethod(game).solve(Request(0.2))
    found = sides.joined(game, [one, two], Request())
    assert found.bounds[0] == max(one.bounds[0], two.bounds[0])
    assert found.bounds[1] == min(one.bounds[1], two.bounds[1])
    assert sides.joined(game, [one], Request()) is one


def test_a_path_without_a_small_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modest_method, "MOST_NODES", 3)
    with pytest.raises(TooLarge, match="no small tree"):
        ModestMethod(path(SMALL[3])).solve(Request())
