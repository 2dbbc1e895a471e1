"""Hidden Path by modesty: two smaller trees, each of which proves one bound and no more."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.games.paths import answers, asking, path
from tests.solve import plain
from trapline.contest import next_asked
from trapline.core import SEATS, Seat
from trapline.games import make_game
from trapline.games.hidden_path.solving import sides
from trapline.games.hidden_path.solving.doubts import NO_LIMIT, explore, in_a_hurry
from trapline.games.hidden_path.solving.duel.method import DuelMethod
from trapline.games.hidden_path.solving.duel.tree import measure
from trapline.games.hidden_path.solving.modest import pool, search
from trapline.games.hidden_path.solving.modest.method import ModestMethod, ModestSolution
from trapline.games.hidden_path.solving.modest.pool import Modesty, Pool
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.race.method import RaceMethod
from trapline.players import PLAYERS
from trapline.referee import Match
from trapline.solve import TooLarge, linear, load, tree
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


@pytest.mark.slow
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
    assert list(answers(path(SMALL[number]), solved(number).policy, Random(number)))


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(0), PathMethod(path(SMALL[0])).parts()[2]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    plans = msgspec.msgpack.decode(found.pack())
    for kept in (
        [],
        [[(9, 9), b""], [(9, 9), b""]],
        [[(1,), b""], [(1,), b""]],
        [[numbers, plan, [*secrets, 1 << 9]] for numbers, plan, secrets in plans],
        [[numbers, plan, [*secrets, *secrets]] for numbers, plan, secrets in plans],
    ):
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


@pytest.mark.parametrize(("length", "max_step"), [(9, 3), (8, 2), (7, 3)])
def test_who_may_waste_one_move_of_a_journey_may_do_no_more_than_that(
    length: int, max_step: int
) -> None:
    every = explore(length, max_step, [1 << step for step in range(1, length)])
    once, first, later = (
        in_a_hurry(every, *hurry).doubts.allowed for hurry in ((1, 1, 1), (1, 0), (0, 1))
    )
    assert (first <= once).all()
    assert (once <= every.doubts.allowed).all()
    begun = once[0]  # where nothing has been found out yet
    for place in range(1, length):
        behind = -(-place // max_step) + -(-(length - place) // max_step) > -(-length // max_step)
        assert (begun[place] == (first if behind else later)[0, place]).all()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SMALL) - 1))
def test_who_gives_the_other_luck_proves_bounds_all_the_same(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """And nobody gets more than that before the referee."""
    monkeypatch.setattr(pool, "LUCKS", (1,))
    game = path(SMALL[number])
    found = ModestMethod(game).solve(Request(target=1e-4))
    lower, upper = found.bounds
    value = linear.solve(tree.build(GameModel(game))).value
    assert lower - 1e-9 <= value <= upper + 1e-9
    for seat in SEATS:
        got = plain.by_secret(game, seat, asking(found.policy), first=1)
        assert max(got.values()) <= (upper if seat == 1 else -lower) + 1e-6
    again = ModestMethod(game).restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds


def test_luck_costs_little_where_it_is_needed() -> None:
    """The value is 1/2; without luck the trees have 16,609 and 23,623 nodes."""
    way = ModestMethod(path({"length": 8, "traps": 2}))
    for seat in SEATS:
        sizes = []
        for luck in (0, 1):
            size = measure(way.pair(seat, Modesty(1, 0, luck=luck)), 100_000)
            assert size is not None
            sizes.append(size.nodes)
        assert sizes[1] < sizes[0] / 2


def test_a_plan_that_was_kept_before_there_were_lists_is_proven_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It had all that was worth hiding, and two numbers of modesty."""
    game = path(SMALL[0])
    monkeypatch.setattr(ModestMethod, "_lists", lambda way, _seat: [way._all])
    monkeypatch.setattr(search.Climb, "_tell", lambda _climb, _training: None)
    found = ModestMethod(game).solve(Request())
    plans = msgspec.msgpack.decode(found.pack())
    assert all(numbers[2:] == [NO_LIMIT, 0] for numbers, *_ in plans)
    earlier = msgspec.msgpack.encode([(numbers[:2], plan) for numbers, plan, _ in plans])
    assert ModestMethod(game).restore(found.facts, earlier) is not None


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_who_keeps_to_a_short_list_of_secrets_gets_what_was_proven(
    monkeypatch: pytest.MonkeyPatch, number: int, seat: Seat
) -> None:
    """And no better list is told: the bounds may be wide, but hold before the referee."""
    game = path(SMALL[number])
    monkeypatch.setattr(ModestMethod, "_lists", lambda way, _seat: [way._all[-2:]])
    monkeypatch.setattr(search.Climb, "_tell", lambda _climb, _training: None)
    found = ModestMethod(game).solve(Request(target=1e-5))
    lower, upper = found.bounds
    value = linear.solve(tree.build(GameModel(game))).value
    assert lower - 1e-9 <= value <= upper + 1e-9
    assert all(len(secrets) <= 2 for *_, secrets in msgspec.msgpack.decode(found.pack()))
    got = plain.by_secret(game, seat, asking(found.policy), first=1)
    assert max(got.values()) == pytest.approx(upper if seat == 1 else -lower, abs=1e-6)
    assert list(answers(game, found.policy, Random(number)))
    again = ModestMethod(game).restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds


def test_two_secrets_prove_what_all_of_them_do_not() -> None:
    """Whoever knows the list is soon only a number, and who runs alone is in no hurry."""
    way = ModestMethod(path({"length": 8, "traps": 3, "max_step": 2}))
    short = tuple(sum(1 << step for step in secret) for secret in ((4, 6, 8), (6, 7, 8)))
    sizes = [measure(way.pair(2, Modesty(0, 0), support), 10_000) for support in (None, short)]
    assert [size.nodes for size in sizes if size is not None] == [5_992, 233]
    lower, upper = way.solve(Request(target=1e-3)).bounds
    assert -2e-3 <= lower <= 0.0 <= upper <= 2e-3


def test_larger_trees_come_later_and_no_tree_is_too_large() -> None:
    way = ModestMethod(path({"length": 9, "traps": 2, "goal_traps": False}))
    every = way._all
    trees = Pool(1, way.pair, [every, every[:3]], 60_000)
    assert trees.levels_left == 4
    found, caps = [], []
    while True:
        attempt = trees.next()
        if attempt is None:
            caps.append(trees.cap)
            if not trees.rise():
                break
            continue
        assert attempt.size.nodes <= trees.cap
        attempt.over = True
        found.append((attempt.support, attempt.modesty))
    assert caps == [3_000, 12_000, 48_000, 60_000]
    assert len(set(found)) == len(found)
    assert (every, Modesty(1, 0)) in found
    assert (every, Modesty(1, 1, 1)) not in found
    trees.tell(every[3:6], np.full(3, 1 / 3))
    assert trees.waiting
    late = trees.next()
    assert late is not None
    assert set(late.support) <= set(every[3:6])
    assert Pool(1, way.pair, [every], 60_000).next(until=0.0) is None


@pytest.mark.parametrize(
    ("modesty", "nodes"),
    [
        (Modesty(0, 0), (17_869, 43_620)),
        (Modesty(1, 0, luck=1), (70_541, 60_723)),
    ],
)
def test_trees_are_as_large_as_the_page_says(modesty: Modesty, nodes: tuple[int, int]) -> None:
    way = ModestMethod(path({"length": 11, "traps": 2}))
    sizes = [measure(way.pair(seat, modesty), 100_000) for seat in SEATS]
    assert tuple(size.nodes for size in sizes if size is not None) == nodes


def test_both_have_a_plan_also_where_one_of_them_has_proven_all() -> None:
    found = ModestMethod(path({"length": 6, "traps": 2})).solve(Request())
    lower, upper = found.bounds
    assert upper - lower <= 2e-4
    for seat in SEATS:
        assert sum(
            found.policy.chances(Match(path({"length": 6, "traps": 2}), 1).view(seat)).values()
        )


def test_an_interrupt_ends_both_searches_and_all_that_would_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was proven by then is the answer."""

    def interrupt(_iterations: int, _proven: object) -> None:
        raise KeyboardInterrupt

    way = ModestMethod(path(SMALL[4]))
    monkeypatch.setattr(search, "OFTEN", 0.0)
    lower, upper = way.solve(Request(0.0, progress=interrupt)).bounds
    assert way.interrupted
    assert lower <= 3 / 7 <= upper


def test_a_path_without_a_small_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_NODES", 0)
    with pytest.raises(TooLarge, match="no small tree"):
        ModestMethod(path(SMALL[3])).solve(Request())


def test_what_is_told_of_a_small_plan_is_made_of_plain_numbers() -> None:
    """Whoever sends it on as JSON meets no number of an array."""
    rng, game = Random(5), make_game("hidden-path", {"length": 8, "max_step": 2})
    solution = load(game)
    assert solution is not None
    for _ in range(40):
        match = Match(game, rng.choice(SEATS), rng=rng)
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            told = solution.policy.look(view)
            for numbers in (told.chances, told.values, told.beliefs):
                assert all(type(number) is float for number in numbers.values())
            match.play(seat, PLAYERS["random"].choose(view, rng))
