"""Hidden Path for runners who look at each other, by every way that gives something up: what is
proven is what is kept before the referee."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from tests.games.paths import SMALL, answers, asking, path
from tests.solve import plain
from trapline.core import SEATS, Seat
from trapline.games.hidden_path.solving.apart.method import ApartMethod
from trapline.games.hidden_path.solving.modest.method import ModestMethod
from trapline.referee import Match
from trapline.solve import Solution, linear, tree
from trapline.solve.interface import Request
from trapline.solve.model import GameModel

WAYS = (ApartMethod, ModestMethod)
FARTHER = {(ApartMethod, 2): 0.005}
"""Where a way comes no closer, however long it searches."""


@cache
def solved(way: Any, number: int) -> Solution:
    target = FARTHER.get((way, number), 1e-4)
    found: Solution = way(path(SMALL[number])).solve(Request(target=target))
    return found


@pytest.mark.parametrize("number", range(len(SMALL) - 1))
@pytest.mark.parametrize("way", WAYS)
def test_bounds_enclose_the_value_of_the_real_rules(way: Any, number: int) -> None:
    value = linear.solve(tree.build(GameModel(path(SMALL[number])))).value
    lower, upper = solved(way, number).bounds
    assert lower - 1e-9 <= value <= upper + 1e-9


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", range(len(SMALL) - 1))
@pytest.mark.parametrize("way", WAYS)
def test_best_responses_get_what_was_proven(way: Any, number: int, seat: Seat) -> None:
    """Any secret and any move, also those that a seat gave up, and all that a player may see and
    remember."""
    found = solved(way, number)
    first: Seat = 1 if number % 2 else 2
    got = plain.by_secret(path(SMALL[number]), seat, asking(found.policy), first=first)
    lower, upper = found.bounds
    assert max(got.values()) == pytest.approx(upper if seat == first else -lower, abs=1e-6)
    values = found.policy.look(Match(path(SMALL[number]), first).view(seat)).values
    assert values == pytest.approx(got, abs=1e-6)


@pytest.mark.parametrize("number", range(len(SMALL)))
@pytest.mark.parametrize("way", WAYS)
def test_every_view_that_a_match_can_show_has_an_answer(way: Any, number: int) -> None:
    """Also for who hides what was given up, wastes moves, or meets somebody who does."""
    assert list(answers(path(SMALL[number]), solved(way, number).policy, Random(number)))
