"""Hidden Path as a duel: the cuts are sound, the bounds hold, and the plan is what is played.

Values are compared with the linear program over the real rules, and the policy with a best
response that plays every line before the referee.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.games.paths import answers, asking, path
from tests.solve import plain
from trapline.core import SEATS, OptionsError, Seat, other
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.duel import method as duel_method
from trapline.games.hidden_path.solving.duel import tree as duel
from trapline.games.hidden_path.solving.duel.method import DuelMethod, DuelSolution
from trapline.games.hidden_path.solving.duel.training import Learner, Room, certify, uniform
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.referee import Match
from trapline.solve import TooLarge, linear, solve, tree
from trapline.solve.interface import Request
from trapline.solve.memory import OutOfMemory
from trapline.solve.model import GameModel

CLOSE = 1e-6
SMALL: list[dict[str, Any]] = [
    {"length": 3, "traps": 2, "max_step": 2},
    {"length": 4, "traps": 1, "max_step": 2},
    {"length": 4, "traps": 2},
    {"length": 4, "traps": 2, "goal_traps": False},
    {"length": 4, "traps": 2, "max_step": 2, "walls": False},
    {"length": 5, "traps": 1, "goal_traps": False},
    {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False},
    {"length": 8, "traps": 1, "goal_traps": False},
]


def tree_of(game: Any) -> duel.Tree:
    every = explore(game.length, game.options.max_step, secrets_of(game))
    hidden = (every, every)
    size = duel.measure(hidden, 1_000_000)
    assert size is not None
    return duel.build(hidden, size)


@cache
def solved(number: int) -> DuelSolution:
    return DuelMethod(path(SMALL[number])).solve(Request(target=1e-5))


# --- the numbers that cut the tree ------------------------------------------------------


def fewest_knowing(length: int, max_step: int, place: int, traps: int) -> int:
    """The fewest moves of a runner who knows where the traps are."""
    best = 10**6
    for to in range(place + 1, min(place + max_step, length) + 1):
        if traps >> to & 1:
            best = min(best, 1 + fewest_knowing(length, max_step, 0, traps & ~(1 << to)))
        elif to == length:
            best = 1
        else:
            best = min(best, 1 + fewest_knowing(length, max_step, to, traps))
    return best


def enough_without_luck(length: int, max_step: int, place: int, left: frozenset[int]) -> int:
    """The moves that suffice whichever of these traps are there."""
    best = 10**6
    for to in range(place + 1, min(place + max_step, length) + 1):
        clear = frozenset(traps for traps in left if not traps >> to & 1)
        sprung = frozenset(traps & ~(1 << to) for traps in left if traps >> to & 1)
        after = [0] if clear and to == length else []
        if clear and to < length:
            after.append(enough_without_luck(length, max_step, to, clear))
        if sprung:
            after.append(enough_without_luck(length, max_step, 0, sprung))
        best = min(best, 1 + max(after))
    return best


@pytest.mark.parametrize("options", SMALL[:6])
def test_both_numbers_are_what_trying_everything_finds(options: dict[str, Any]) -> None:
    game = path(options)
    length, step = game.length, game.options.max_step
    hidden = explore(length, step, secrets_of(game))
    for number, left in enumerate(hidden.left):
        for place in range(length):
            known = (fewest_knowing(length, step, place, int(traps)) for traps in left)
            assert hidden.doubts.fewest[number, place] == min(known)
            sure = enough_without_luck(length, step, place, frozenset(left.tolist()))
            assert hidden.doubts.surely[number, place] == sure


# --- bounds -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_bounds_enclose_the_value_of_the_real_rules(seed: int) -> None:
    rng = Random(seed)
    while True:
        options = {
            "length": rng.randint(2, 4),
            "traps": rng.randint(1, 2),
            "max_step": rng.randint(1, 3),
            "goal_traps": rng.random() < 0.5,
            "walls": rng.random() < 0.5,
        }
        try:
            game = path(options)
        except OptionsError:
            continue
        break
    value = linear.solve(tree.build(GameModel(game))).value
    built = tree_of(game)
    room = Room(built)
    lower, upper = certify(built, uniform(built), room)
    assert lower <= value + 1e-9
    assert value - 1e-9 <= upper
    learner = Learner(built)
    for iterations in (3, 60):
        for _ in range(iterations):
            learner.iterate()
        lower, upper = certify(built, learner.average(), room)
        learner.reach_anew()
        assert lower - 1e-9 <= value <= upper + 1e-9
    assert upper - lower < 0.05


@pytest.mark.slow
def test_what_looking_is_worth() -> None:
    """A path that blind runners leave open between 0 and 1/2."""
    lower, upper = solved(7).bounds
    assert lower <= 3 / 7 <= upper
    assert upper - lower < 1e-4


# --- the policy -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("number", "seat"), list(product(range(len(SMALL) - 1), SEATS)))
def test_best_responses_before_the_referee_get_what_was_proven(number: int, seat: Seat) -> None:
    """For every secret; so the cuts of the tree neither hide nor invent anything."""
    found = solved(number)
    first: Seat = 1 if number % 2 else 2
    got = plain.by_secret(path(SMALL[number]), seat, asking(found.policy), first=first)
    lower, upper = found.bounds
    assert max(got.values()) == pytest.approx(upper if seat == first else -lower, abs=CLOSE)
    values = found.policy.look(Match(path(SMALL[number]), first).view(seat)).values
    assert values == pytest.approx(got, abs=CLOSE)


@pytest.mark.parametrize("number", range(len(SMALL) - 1))
def test_an_opening_is_worth_what_it_gets_against_the_plan(number: int) -> None:
    game, policy = path(SMALL[number]), solved(number).policy
    for secret in plain.secrets(game, 1)[:3]:
        opened = plain.openings(game, 1, asking(policy), secret)
        match = Match(game, 1)
        match.play(1, secret)
        match.play(2, plain.secrets(game, 2)[0])
        assert policy.look(match.view(1)).values == pytest.approx(opened, abs=CLOSE)


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_every_view_that_a_match_can_show_has_an_answer(number: int) -> None:
    """Also far from the plan: chances are chances, and beliefs hold the truth."""
    game, policy = path(SMALL[number]), solved(number).policy
    for mover, hidden, outlook in answers(game, policy, Random(number)):
        assert sum(outlook.beliefs.values()) == pytest.approx(1)
        assert hidden[other(mover)] in outlook.beliefs


# --- kept, chosen, refused --------------------------------------------------------------


def test_a_kept_plan_is_proven_anew() -> None:
    found, method = solved(2), DuelMethod(path(SMALL[2]))
    again = method.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    looking = PathMethod(path(SMALL[2])).parts()[1]
    assert looking.name == found.facts.method
    assert looking.restore(found.facts, found.pack()) is not None
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert method.restore(better, found.pack()) is None
    numbers = np.frombuffer(found.pack(), np.float32).copy()
    numbers[: len(plain.secrets(path(SMALL[2]), 1))] = 1.0
    assert method.restore(found.facts, numbers.tobytes()) is None
    for damaged in (b"", found.pack()[:-4], (-numbers).tobytes()):
        with pytest.raises(ValueError, match="another game"):
            method.restore(found.facts, damaged)


def test_the_better_of_both_ways_is_taken() -> None:
    blind = solve(path({"length": 5, "traps": 2}))
    assert (blind.facts.method, blind.exact) == ("race", True)
    looking = solve(path({"length": 7, "traps": 2, "goal_traps": False, "max_step": 4}))
    assert looking.bounds[1] - looking.bounds[0] <= 0.01


def test_an_interrupt_ends_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """What blind runners had proven by then is the answer, and nothing else is begun."""

    def interrupt(_iterations: int, _proven: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(duel_method.DuelMethod, "solve", None)
    found = PathMethod(path(SMALL[7])).solve(Request(1e-12, progress=interrupt))
    assert found.facts.method == "race"
    lower, upper = found.bounds
    assert lower <= 3 / 7 <= upper


def test_what_does_not_fit_is_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    game = path({"length": 5, "traps": 2})
    monkeypatch.setattr("trapline.solve.memory.room", lambda: 100_000)
    monkeypatch.setattr(duel_method, "room", lambda: 100_000)
    method = DuelMethod(game)
    assert not method.fits
    with pytest.raises(OutOfMemory, match="MB of memory or more, and a search may have"):
        method.solve(Request())
    monkeypatch.setattr(duel_method, "MOST_NODES", 10)
    with pytest.raises(TooLarge, match="more than 10 situations"):
        DuelMethod(game).solve(Request())


def test_a_tree_is_not_begun_that_there_is_no_time_for() -> None:
    game = path({"length": 6, "traps": 2})
    assert DuelMethod(game).fits
    assert not DuelMethod(game, seconds=1.0).fits
    assert not DuelMethod(game, seconds=-5.0).fits
