"""The race of Hidden Path as a solution: kept, damaged, interrupted, and at the rulebook's size."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.solve import plain
from trapline import solve as solving
from trapline.coach import analyse, hint
from trapline.core import SEATS
from trapline.games import make_game
from trapline.games.hidden_path.solving import path_method
from trapline.games.hidden_path.solving.race import training
from trapline.games.hidden_path.solving.race.method import RaceSolution
from trapline.games.hidden_path.solving.race.races import RaceBounds, journey_of
from trapline.games.hidden_path.solving.routes.method import RouteMethod
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import TooLarge, cfr, linear, load, solved, storage

if TYPE_CHECKING:
    from trapline.core import View
    from trapline.solve.interface import Certificate


def small() -> Any:
    return make_game("hidden-path", {"length": 5, "traps": 2})


def test_the_race_is_kept_and_proven_anew() -> None:
    found = solved(small())
    assert found.to_json()["fraction"] == "1/2"
    assert (found.facts.method, found.exact) == ("race", True)
    assert found.value == pytest.approx(1 / 2)
    again = load(small())
    assert again is not None
    assert again.facts == found.facts
    opening = Match(small(), 1).view(2)
    assert again.policy.look(opening) == found.policy.look(opening)


@pytest.mark.parametrize("at", [10, 100, -100])
def test_a_damaged_race_is_worked_out_again(at: int) -> None:
    found = solved(small())
    file = storage.path(small())
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(bytes(data))
    assert load(small()) is None
    assert solved(small()).bounds == found.bounds
    assert load(small()) is not None


def test_strategies_that_prove_something_else_are_not_believed() -> None:
    solved(small())
    file = storage.path(small())
    kept = storage.unpack(file)
    assert kept is not None
    facts, numbers = kept
    storage.write(file, facts, numbers)
    assert load(small()) is not None
    race = RaceBounds.from_bytes(small(), numbers)
    equal = np.full(len(race.first.mixture), 1 / len(race.first.mixture))
    for changed in (equal.tobytes() + numbers[equal.nbytes :], numbers[:-8], b""):
        storage.write(file, facts, changed)
        assert load(small()) is None


def test_progress_is_told_and_time_respected() -> None:
    told: list[Certificate] = []
    solving.solve(small(), progress=lambda _, certificate: told.append(certificate))
    assert told
    assert told[-1].exploitability < 1e-9
    hurried = solving.solve(make_game("hidden-path", {"length": 6}), time_limit=0)
    assert hurried.bounds[0] <= hurried.value <= hurried.bounds[1]


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_interrupt_leaves_what_was_proven(
    wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_training: object) -> None:
        if wrapped:  # as compiled code raises it
            raise SystemError from KeyboardInterrupt()
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "trapline.games.hidden_path.solving.race.training.Training.step", interrupted
    )
    found = solving.solve(make_game("hidden-path", {"length": 6}))
    assert found.bounds[0] <= found.value <= found.bounds[1]
    assert not found.exact


OPEN = {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False}
"""Blind runners leave this open."""


def stopped(*_: object, **__: object) -> Any:
    raise KeyboardInterrupt


def unasked(*_: object, **__: object) -> Any:
    pytest.fail("Another way was tried after an interrupt.")


def test_an_interrupt_before_anything_is_proven_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Long paths take a while until then; it counted as no time for this way alone."""
    monkeypatch.setattr(training, "MANY_JOURNEYS", 0)
    monkeypatch.setattr(training.Training, "step", stopped)
    monkeypatch.setattr(RouteMethod, "solve", unasked)
    with pytest.raises(KeyboardInterrupt):
        solving.solve(make_game("hidden-path", {"length": 6}))


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_interrupt_between_two_ways_leaves_what_the_first_has_proven(
    wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        if wrapped:
            raise SystemError from KeyboardInterrupt()
        raise KeyboardInterrupt

    monkeypatch.setattr(path_method, "FEW_JOURNEYS", 0)
    monkeypatch.setattr(RouteMethod, "solve", interrupted)
    lower, upper = solving.solve(make_game("hidden-path", OPEN)).bounds
    assert -1 < lower <= 1 / 3 <= upper < 1


def test_an_interrupt_of_the_tree_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has learnt by then is the answer, without another program."""
    monkeypatch.setattr(cfr.Learner, "iterate", stopped)
    monkeypatch.setattr(linear, "solve", unasked)
    monkeypatch.setattr(RouteMethod, "solve", unasked)
    lower, upper = solving.solve(make_game("hidden-path", OPEN)).bounds
    assert -1 <= lower <= 1 / 3 <= upper <= 1


def test_the_tree_helps_where_the_race_falls_short() -> None:
    found = solving.solve(make_game("hidden-path", OPEN))
    assert (found.facts.method, found.exact) == ("tree", True)
    assert found.value == pytest.approx(1 / 3)


@pytest.mark.parametrize("options", [{"length": 40, "traps": 6}, {"length": 99, "traps": 30}])
def test_what_cannot_be_listed_is_refused_at_once(options: dict[str, int]) -> None:
    with pytest.raises(TooLarge, match="shorter path or fewer traps"):
        solving.solve(make_game("hidden-path", options))


@pytest.mark.slow
def test_the_rulebooks_game() -> None:
    game = make_game("hidden-path")
    found = solved(game)
    assert isinstance(found, RaceSolution)
    assert found.exact
    assert found.to_json()["bounds"] == pytest.approx([13 / 27, 13 / 27], abs=1e-6)
    assert found.to_json()["fraction"] == "13/27"
    assert "74.1%" in found.facts.sentence
    assert [secret for secret, _ in found.facts.secrets[0]] == [(7, 8, 10), (7, 9, 10), (8, 9, 10)]
    for seat, value in ((SEATS[0], 13 / 27), (SEATS[1], -13 / 27)):
        outlook = found.policy.look(Match(game, 1).view(seat))
        for secret, chance in outlook.chances.items():
            if chance > 1e-6:
                assert outlook.values[secret] == pytest.approx(value, abs=1e-9)
    rng = Random(2)
    match = Match(game, 2)
    for seat in SEATS:
        match.play(seat, rng.choice(plain.secrets(game, seat)))
    assert "Perfect play answers" in hint(match.view(2))
    free = 0
    while (mover := match.to_move) is not None:
        view = match.view(mover)
        free += len(view.legal) > 1
        chances = found.policy.look(view).chances
        assert chances == perfect.chances(view)
        if runs(found.race, view):
            assert {m: c for m, c in chances.items() if c > 0} == found.race.move_chances(view)
        match.play(mover, rng.choice(view.legal))
    judged = analyse(match.sealed_record(), found)
    assert judged.exact
    assert len(judged.judgements) == 2 + free  # one answer alone is no choice
    for seed in range(20):
        match = Match(game, 1)
        for seat in SEATS:
            match.play(seat, perfect.choose(match.view(seat), Random(seed)))
        while (mover := match.to_move) is not None:
            outlook = found.policy.look(match.view(mover))
            best = max(outlook.values.values())
            usual = [m for m, c in outlook.chances.items() if c > 1e-6]
            assert all(outlook.values[m] > best - 1e-6 for m in usual)
            match.play(mover, rng.choice(usual))


def runs(race: Any, view: View) -> bool:
    """Whether the strategy of the seat that looks can have run as it did."""
    reach = race.journeys.reach(race.strategy(view).policy)
    return bool(reach[race.journeys.follow(journey_of(view, view.seat))] > 0)
