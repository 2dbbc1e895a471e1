"""Hidden Path for a seat that draws one of several plans before it hides anything."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest

from tests.games.paths import SMALL, answers, asking, path
from tests.solve import plain
from trapline.core import SEATS, other
from trapline.games.hidden_path.solving.apart.company import Company
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.keeping import packed, played, unpacked
from trapline.games.hidden_path.solving.apart.lots import (
    MOST_DRAWN,
    RARE,
    Lots,
    alone,
    drawn_best,
    most_kept,
)
from trapline.games.hidden_path.solving.apart.method import ApartMethod, ApartSolution
from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
from trapline.games.hidden_path.solving.apart.trial import Trial
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve import certificates
from trapline.solve.interface import Certificate, Request, bounds_facts

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.side import Side
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.solve.interface import Facts

PATHS = [*SMALL[:2], {"length": 5, "traps": 2, "max_step": 2}]


@cache
def every(number: int) -> Hidden:
    game = path(PATHS[number])
    return explore(game.length, game.options.max_step, secrets_of(game))


def beginning_with(seat: Seat, number: int, steps: int) -> Trial:
    """A plan that always begins with so many steps, which its rival knows."""
    running = every(number)
    doubts = running.doubts
    hiding = explore(doubts.length, doubts.max_step, running.secrets, by_sprung=True)
    allowed = np.full(doubts.fewest.shape, (1 << doubts.max_step) - 1, np.int16)
    allowed[:, 0] = 1 << (steps - 1)
    manner = Manner(allowed, 0)
    graph = connect(seat, running, hiding, manner, 10_000)
    assert graph is not None
    mix = dict.fromkeys(running.secrets, 1.0)
    trial = Trial(seat, (running, hiding), manner, graph, mix, None)
    looks = trial.train(lambda: False)
    while trial.iterations < 300:
        next(looks)
    return trial


@cache
def plans(seat: Seat, number: int) -> tuple[Side, ...]:
    steps = range(1, PATHS[number].get("max_step", 3) + 1)
    return tuple(beginning_with(seat, number, k).look() for k in steps)


def facts(way: ApartMethod, one: Lots, two: Lots) -> Facts:
    proven = bounds_facts(Certificate(one.bound, two.bound))
    return facts_of(way.game, way.name, Request(), proven, ([], []))


def test_whoever_draws_one_of_several_plans_keeps_more_than_any_of_them() -> None:
    for number, seat, kept, drawn in ((0, 1, 0, 1 / 2), (0, 2, -1, -2 / 3), (1, 1, 1 / 3, 5 / 9)):
        some = plans(seat, number)
        assert [side.first_values.min() for side in some] == pytest.approx(
            [kept] * len(some), abs=1e-3
        )
        lots = drawn_best(some)
        assert lots.first_values.min() == pytest.approx(drawn, abs=1e-3)
        assert sum(lots.shares) == pytest.approx(1)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", [0, 1])
def test_nobody_gets_more_against_a_draw_than_was_proven(number: int, seat: Seat) -> None:
    """The proof tells the rival which plan was drawn, the referee does not: so it may get less,
    and a certificate, which trusts no proof, says how much."""
    game = path(PATHS[number])
    both = [played(drawn_best(plans(role, number))) for role in SEATS]
    policy = ApartPolicy(game, (both[0][0], both[1][0]))
    bound = policy.lots(seat).bound
    got = plain.by_secret(game, other(seat), asking(policy), first=1)
    rival = max(got.values())
    assert rival <= (-bound if seat == 1 else bound) + 1e-9
    found = facts(ApartMethod(game), both[0][0], both[1][0])
    solution = ApartSolution(game, found, [*both[0][1], *both[1][1]], policy)
    told = Fraction(certificates.certificate(solution)["bounds"][seat - 1])
    assert float(told) == pytest.approx(-rival if seat == 1 else rival, abs=2e-5)


def test_a_seat_that_drew_answers_whatever_has_happened() -> None:
    game = path(PATHS[1])
    policy = ApartPolicy(game, (drawn_best(plans(1, 1)), drawn_best(plans(2, 1))))
    likely = 0
    for mover, hidden, outlook in answers(game, policy, Random(1)):
        likely += outlook.beliefs.get(hidden[other(mover)], 0.0) > 0
        assert sum(outlook.beliefs.values()) == pytest.approx(1) or not outlook.beliefs
    assert likely > 10


def test_plans_that_learn_together_keep_what_none_keeps_alone() -> None:
    trials = [beginning_with(1, 1, k) for k in (1, 2, 3)]
    best = max(trial.kept for trial in trials)
    company = Company(trials)
    sides = next(iter(company.train(lambda: True)))
    assert drawn_best(sides).first_values.min() > best + 0.2
    hiders = {id(trial.learner.hider) for trial in trials}
    assert len(hiders) == 1
    assert {id(trial) for trial in company.by_share} == {id(trial) for trial in trials}


def test_what_is_drawn_is_the_best_draw() -> None:
    values = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [-0.5, -0.5, -0.5]])
    assert most_kept(values) == pytest.approx([0.5, 0.5, 0.0])
    assert most_kept(values[:1]) == pytest.approx([1.0])


def test_no_more_plans_are_drawn_than_are_kept() -> None:
    """Where each is needed against a secret of its own, those stay that are drawn most."""
    one = plans(1, 2)[0]
    begin, count = one.graph.states["begin"][-1], len(one.first_values)
    assert count > MOST_DRAWN
    some = []
    for k in range(count):
        values = one.answer.values.copy()
        values[begin:][:count] = 1.0
        values[begin + k] = -k / count
        some.append(one._replace(answer=one.answer._replace(values=values)))
    drawn = most_kept(np.array([side.first_values for side in some]))
    assert np.all(drawn > 0.0)
    lots = drawn_best(some)
    assert len(lots.sides) == len(lots.shares) == MOST_DRAWN
    assert sum(lots.shares) == pytest.approx(1)


def test_what_is_hardly_ever_drawn_is_left_out() -> None:
    """It would have to be kept and proven like any other, and what is left is as good a draw."""
    one = plans(1, 1)[0]
    begin, count = one.graph.states["begin"][-1], len(one.first_values)
    some = []
    for kept, failing in ((0.5, -0.01), (0.0, 1.0)):
        values = one.answer.values.copy()
        values[begin:][:count] = kept
        values[begin] = failing
        some.append(one._replace(answer=one.answer._replace(values=values)))
    assert min(most_kept(np.array([side.first_values for side in some]))) > 0.1
    some[1].answer.values[begin] = 100.0
    assert 0.0 < min(most_kept(np.array([side.first_values for side in some]))) < RARE
    assert drawn_best(some) == alone(some[0])


@pytest.mark.parametrize("number", range(len(PATHS)))
def test_several_plans_are_kept_and_proven_anew(number: int) -> None:
    way = ApartMethod(path(PATHS[number]))
    (one, ours), (two, theirs) = (played(drawn_best(plans(seat, number))) for seat in SEATS)
    assert max(len(one.sides), len(two.sides)) > 1
    data = packed([*ours, *theirs])
    found = facts(way, one, two)
    again = way.restore(found, data)
    assert again is not None
    assert again.pack() == data
    assert [again.policy.lots(seat).bound for seat in SEATS] == [one.bound, two.bound]
    for shares in ([0.0], [-1.0], [float("nan")], [float("inf")]):
        wrong = unpacked(data)
        wrong[0].share = shares[0]
        with pytest.raises(ValueError, match="another game"):
            way.restore(found, packed(wrong))
    wrong = unpacked(data)
    wrong[0].seat = 3
    with pytest.raises(ValueError, match="another game"):
        way.restore(found, packed(wrong))


def test_plans_from_when_each_seat_had_one_stand_in_order() -> None:
    way = ApartMethod(path(PATHS[0]))
    (one, ours), (two, theirs) = (played(alone(plans(seat, 0)[0])) for seat in SEATS)
    old = [list(msgspec.structs.astuple(plan))[:6] for plan in (*ours, *theirs)]
    found = facts(way, one, two)
    again = way.restore(found, msgspec.msgpack.encode(old))
    assert again is not None
    assert again.bounds == (one.bound, two.bound)
    assert isinstance(again.policy.lots(2), Lots)
