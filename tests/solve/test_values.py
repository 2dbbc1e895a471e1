"""Values of the games: methods agree with each other, and with play through the referee."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.solve import plain

from trapline.core import SEATS, OptionsError
from trapline.games import make_game
from trapline.games.trap_builder import TrapBuilder
from trapline.solve import TooLarge, best_response, cfr, linear, solve, tree
from trapline.solve.best_response import certify, uniform
from trapline.solve.completion import completed
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from trapline.core import View

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("trap-builder", {"length": 5, "traps": 1}),
    ("trap-builder", {"length": 6, "traps": 2, "walls": False}),
    ("trap-builder", {"length": 7, "traps": 2, "max_step": 2, "walls": False}),
    ("trap-builder", {"length": 6, "traps": 2, "trigger": "passing"}),
    ("secret-paths", {"turn_limit": 3}),
    ("secret-paths", {"size": 3, "turn_limit": 3}),
    ("hidden-path", {"length": 3, "traps": 2, "max_step": 2}),
    ("hidden-path", {"length": 4, "traps": 1}),
    ("hidden-path", {"length": 4, "traps": 2, "goal_traps": False}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_linear_program_and_regret_agree(name: str, options: dict[str, Any]) -> None:
    built = tree.build(GameModel(make_game(name, options)))
    exact = linear.solve(built)
    assert exact.certificate.exploitability < 1e-9
    found = cfr.solve(built, target=1e-6, most_iterations=20_000)
    assert found.certificate.exploitability <= 1e-6
    assert sum(found.certificate) / 2 == pytest.approx(exact.value, abs=1e-6)


def test_no_linear_program_is_begun_when_time_is_up() -> None:
    """However quick it is: a search without time would end differently on a quicker machine."""
    built = tree.build(GameModel(make_game(*SMALL[0])))
    with pytest.raises(linear.NotSolved):
        linear.solve(built, deadline=time.monotonic())


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_a_completed_profile_proves_the_same(name: str, options: dict[str, Any]) -> None:
    built = tree.build(GameModel(make_game(name, options)))
    found = linear.solve(built)
    whole = completed(built, found.profile)
    assert certify(built, whole) == pytest.approx(found.certificate, abs=1e-9)
    bounds = certify(built, whole)
    for seat, best in ((1, bounds.upper), (2, -bounds.lower)):
        reach = best_response.reach(built, seat, whole)
        start = built.sides[seat - 1].start
        for node in np.flatnonzero(built.nodes.mover == seat).tolist():
            before = built.table(found.profile.table, node)
            after = built.table(whole.table, node)
            assert after.sum(axis=0) == pytest.approx(np.ones(after.shape[1]))
            used = reach[start[node] : start[node + 1]] > 1e-9
            if best > -1 + 1e-9:  # who has lost anyway may do what it likes
                assert after[:, used] == pytest.approx(before[:, used], abs=1e-6)


small_builder = st.fixed_dictionaries(
    {
        "length": st.integers(3, 7),
        "traps": st.integers(1, 2),
        "max_step": st.integers(2, 3),
        "walls": st.booleans(),
        "trigger": st.sampled_from(["landing", "passing"]),
    }
)
small_path = st.fixed_dictionaries(
    {
        "length": st.integers(2, 4),
        "traps": st.integers(1, 2),
        "max_step": st.integers(1, 3),
        "goal_traps": st.booleans(),
        "walls": st.booleans(),
    }
)
small_seeker = st.fixed_dictionaries(
    {"size": st.sampled_from([3, 5]), "turn_limit": st.integers(1, 3)}
)
small_games = st.one_of(
    st.tuples(st.just("trap-builder"), small_builder),
    st.tuples(st.just("hidden-path"), small_path),
    st.tuples(st.just("secret-paths"), small_seeker),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(small_games, st.integers(0, 40))
def test_bounds_enclose_the_linear_programs_value(
    drawn: tuple[str, dict[str, Any]], iterations: int
) -> None:
    try:
        game = make_game(*drawn)
    except OptionsError:
        return
    built = tree.build(GameModel(game))
    value = linear.solve(built).value
    lower, upper = certify(built, uniform(built))
    assert lower - 1e-9 <= value <= upper + 1e-9
    found = cfr.solve(built, target=0.0, most_iterations=iterations + 1).certificate
    assert found.lower - 1e-9 <= value <= found.upper + 1e-9
    # Forced results are found by a method that shares nothing with the tree.
    lower, upper = solve(game).bounds
    assert lower - 1e-9 <= value <= upper + 1e-9


TINY: list[tuple[str, dict[str, Any]]] = [
    ("trap-builder", {"length": 4, "traps": 1}),
    ("trap-builder", {"length": 5, "traps": 2, "walls": False}),
    ("secret-paths", {"turn_limit": 2}),
    ("secret-paths", {"size": 3, "turn_limit": 2}),
    ("hidden-path", {"length": 3, "traps": 1}),
    ("hidden-path", {"length": 3, "traps": 2, "max_step": 2}),
    ("trap-runner", {"length": 4, "max_step": 2}),
    ("trap-runner", {"length": 3, "max_step": 1, "turn_limit": 6}),
    ("numeric-maze", {"length": 5, "traps": [3], "turn_limit": 6}),
]


@pytest.mark.parametrize(("name", "options"), TINY)
def test_certificates_hold_against_a_plain_best_response(
    name: str, options: dict[str, Any]
) -> None:
    """What the policy plays, seen only through Views, concedes no more than its bounds."""
    game = make_game(name, options)
    found = solve(game)
    policy = found.policy

    def chances(view: View) -> dict[Any, float]:
        return policy.look(view).chances

    conceded = {seat: plain.best_response(game, seat, chances) for seat in SEATS}
    lower, upper = found.bounds
    assert conceded[1] == pytest.approx(upper, abs=1e-9)
    assert -conceded[2] == pytest.approx(lower, abs=1e-9)


RULEBOOK: list[tuple[str, dict[str, Any], float]] = [
    ("trap-builder", {}, -1.0),
    ("trap-builder", {"trigger": "passing", "walls": False}, -1.0),
    ("trap-runner", {}, 1.0),
    ("trap-runner", {"turn_limit": 7}, 1.0),
    ("trap-runner", {"length": 30, "max_step": 2, "turn_limit": 0}, 1.0),
    ("trap-runner", {"length": 99, "max_step": 4}, 1.0),
    ("secret-paths", {}, 0.0),
    ("secret-paths", {"size": 3}, 1.0),
    ("secret-paths", {"size": 9, "turn_limit": 0}, 0.0),
    ("numeric-maze", {}, 1.0),
    ("numeric-maze", {"turn_limit": 13}, 1.0),
    ("numeric-maze", {"length": 99, "max_step": 9}, 1.0),
]


@pytest.mark.parametrize(("name", "options", "value"), RULEBOOK)
def test_forced_results_are_exact(name: str, options: dict[str, Any], value: float) -> None:
    found = solve(make_game(name, options))
    assert found.exact
    assert found.value == value
    assert found.bounds == (value, value)
    assert found.forced


@pytest.mark.slow
def test_trap_builder_without_walls_at_full_size() -> None:
    built = tree.build(GameModel(make_game("trap-builder", {"walls": False})))
    assert built.holdings == (77, 77)
    found = solve(make_game("trap-builder", {"walls": False}))
    assert found.exploitability <= 1e-4
    lower, upper = found.bounds
    assert lower <= -0.4169543536632 <= upper


def test_the_sentence_names_the_winner_and_the_way() -> None:
    sentence = solve(make_game("trap-runner")).facts.sentence
    assert sentence == (
        "Whoever moves first wins by always making the longest move: "
        "the game is over on turn 7 at the latest."
    )
    assert "the secret 1 2 3" in solve(make_game("trap-builder")).facts.sentence


def test_what_is_too_large_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="fewer traps"):
        solve(make_game("hidden-path", {"length": 30}))
    monkeypatch.setattr("trapline.solve.guarantee.MOST_EDGES", 2_000)
    monkeypatch.setattr("trapline.solve.memory.room", lambda: 100_000)
    monkeypatch.setattr("trapline.solve.decided.LOOK_EVERY", 16)
    with pytest.raises(TooLarge, match="what the players know takes 1 MB of memory or more"):
        solve(make_game("trap-builder", {"walls": False}))


def test_a_game_may_have_a_method_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = solve(make_game("trap-builder", {"length": 3, "traps": 1}))

    class Own:
        name = "own"

        def solve(self, _request: Any) -> Any:
            return stand_in

    monkeypatch.setattr(TrapBuilder, "method", lambda _: Own())
    assert solve(make_game("trap-builder")) is stand_in


def test_hidden_path_of_five_steps_and_two_traps_is_worth_one_half() -> None:
    found = solve(make_game("hidden-path", {"length": 5, "traps": 2}))
    assert found.exact
    assert found.value == pytest.approx(0.5, abs=1e-9)


def test_more_secrets_than_can_be_listed_are_refused() -> None:
    with pytest.raises(TooLarge, match="secrets to choose from"):
        solve(make_game("trap-builder", {"length": 99, "traps": 49, "max_step": 50}))
