"""OpenSpiel's own checks and solvers on our games, and ours on them."""

from __future__ import annotations

import subprocess
import sys
import unittest
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import cfr, exploitability, get_all_states, ismcts, mcts

from tests import worlds
from tests.adapters import spec
from tests.adapters.outside import ANY_GAME, GOOFSPIEL, KUHN, SMALLER
from trapline.adapters import open_spiel
from trapline.core import OptionsError
from trapline.games import GAMES, make_game
from trapline.solve import solve
from trapline.testing import assert_no_leak, assert_perfect_recall

SMALL: dict[str, dict[str, Any]] = {
    "hidden-path": worlds.SMALL["hidden-path"][0],
    "trap-builder": worlds.SMALL["trap-builder"][2],
    "trap-runner": {"length": 5, "max_step": 2, "turn_limit": 5},
    "secret-paths": {"size": 3, "turn_limit": 2},
    "numeric-maze": {"length": 5, "traps": "2;3", "turn_limit": 6},
    **SMALLER,
}


def load(name: str, first: int, **options: Any) -> Any:
    return pyspiel.load_game(open_spiel.register(name), {"first": first, **options})


@pytest.mark.parametrize("name", ANY_GAME)
def test_random_play_as_open_spiel_checks_it(name: str) -> None:
    """With serialization, at the rulebook's size."""
    game = pyspiel.load_game(open_spiel.register(name))
    pyspiel.random_sim_test(game, 2, True, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_perfect_recall_as_open_spiel_checks_it(name: str) -> None:
    for first in (0, 1):
        assert api_test._assert_is_perfect_recall(load(name, first, **SMALL.get(name, {})))


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_the_interface_as_open_spiel_checks_it(name: str) -> None:
    case = type(
        "Case",
        (api_test.EnforceAPIOnPartialTreeBase,),
        {"game_name": name, "game": load(name, 0, **SMALL.get(name, {}))},
    )
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    assert result.failures + result.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_nothing_leaks_and_nothing_is_forgotten(name: str) -> None:
    game = load(name, 0, **SMALL.get(name, {}))
    report = assert_no_leak(game, spec.of_state, budget=800)
    assert report.pairs > (100 if name in GAMES else 15) or not game.encoding.game.hides
    assert_perfect_recall(game, budget=500)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "numeric-maze"])
def test_nothing_leaks_at_the_rulebooks_size(name: str) -> None:
    limit = {"turn_limit": 12} if "turn_limit" in make_game(name).options.__struct_fields__ else {}
    assert assert_no_leak(load(name, 1, **limit), spec.of_state, budget=150).pairs > 20


def test_cfr_of_open_spiel_finds_the_value_that_we_find() -> None:
    options = {"length": 4, "traps": 1, "max_step": 3}
    game = load("trap-builder", 1, **options)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    ours = solve(make_game("trap-builder", options)).value
    assert -1 < ours < 1
    assert value == pytest.approx(ours, abs=1e-3)


def test_cfr_and_exploitability_in_python_run_on_our_games() -> None:
    game = load("trap-runner", 1, length=4, max_step=2, turn_limit=4)
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.05


def test_the_toss_is_a_chance_node_or_a_parameter() -> None:
    state = pyspiel.load_game("trapline_numeric_maze").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    assert state.current_player() == 1
    assert str(state) == "mover 2; turn 0; positions (0, 0)"
    state = pyspiel.load_game("trapline_numeric_maze(first=2)").new_initial_state()
    assert state.current_player() == 1
    assert pyspiel.load_game("trapline_trap_builder").get_parameters()["first"] == 1


def test_where_nothing_is_hidden_a_position_has_a_text_of_its_own() -> None:
    """OpenSpiel's value iteration knows states by their text: it meets each position once."""
    game = load("numeric-maze", 1, length=6, traps="3;", turn_limit=8)
    states = get_all_states.get_all_states(game, include_terminals=True, to_string=str)
    assert 50 < len(states) < (6 + 1) ** 2 * 9  # both places, and the turn
    values: dict[str, float] = {}
    for text in sorted(states, key=lambda text: states[text].move_number(), reverse=True):
        state = states[text]
        best = max if state.current_player() == 0 else min
        values[text] = (
            state.returns()[0]
            if state.is_terminal()
            else best(values[str(state.child(action))] for action in state.legal_actions())
        )
    rules = make_game("numeric-maze", {"length": 6, "traps": [3], "turn_limit": 8})
    assert values[str(game.new_initial_state())] == pytest.approx(solve(rules).value)
    two_ways = [game.new_initial_state() for _ in range(2)]
    for state, actions in zip(two_ways, ([0, 0, 1, 1], [1, 1, 0, 0]), strict=True):
        for action in actions:
            state.apply_action(action)
    assert str(two_ways[0]) == str(two_ways[1])
    hidden = load("hidden-path", 1).new_initial_state()
    hidden.apply_action(hidden.legal_actions()[0])
    assert str(hidden) == "trap 1"


@pytest.mark.parametrize("name", ["hidden-path", "trap-runner", "secret-paths", KUHN, GOOFSPIEL])
def test_what_is_hidden_is_drawn_anew_for_a_player_who_cannot_tell(name: str) -> None:
    game = load(name, 0, **({"turn_limit": 12} if name == "trap-runner" else {}))
    rng = Random(name)
    other_worlds = 0
    for _ in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            for player in (0, 1) if not state.is_chance_node() else ():
                twin = state.resample_from_infostate(player, rng.random)
                assert twin.information_state_string(player) == state.information_state_string(
                    player
                )
                assert twin.current_player() == state.current_player()
                assert len(twin.history()) == len(state.history())
                other_worlds += twin.history() != state.history()
            state.apply_action(rng.choice(state.legal_actions()))
    assert other_worlds > 2


def test_a_search_over_information_sets_plays_our_games() -> None:
    game = load("hidden-path", 1, length=4, traps=1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 20, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert state.returns()[0] in (-1, 1)


def test_what_chance_draws_is_a_chance_node() -> None:
    game = load(KUHN, 1)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert [round(1 / chance) for _, chance in state.chance_outcomes()] == [6] * 6
    assert state.action_to_string(1) == "deal 1"
    for action in (1, 1, 3):  # jack and king are dealt, a bet is called
        state.apply_action(action)
    assert str(state) == "deal 1; bet; call"
    assert state.returns() == [-2, 2]
    assert (game.min_utility(), game.max_utility(), game.max_game_length()) == (-2, 2, 6)


def test_what_both_are_asked_at_once_is_shown_when_both_have_answered() -> None:
    state = load(GOOFSPIEL, 1).new_initial_state()
    told = []
    for bid in state.legal_actions():
        following = state.child(bid)
        assert following.current_player() == 1
        told.append((following.information_state_string(1), following.observation_tensor(1)))
    assert len(told) == 4
    assert all(one == told[0] for one in told)


def test_kuhn_poker_is_worth_what_kuhn_found() -> None:
    game = load(KUHN, 1)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    assert value == pytest.approx(-1 / 18, abs=1e-3)


def test_a_clone_goes_its_own_way() -> None:
    state = load("secret-paths", 1, **SMALL["secret-paths"]).new_initial_state()
    twin = state.clone()
    state.apply_action(state.legal_actions()[0])
    assert (state.history(), twin.history()) == ([9], [])
    twin.apply_action(twin.legal_actions()[1])
    assert state.information_state_string(0) != twin.information_state_string(0)
    assert state.information_state_string(1) == twin.information_state_string(1)


def test_the_longest_match_is_as_long_as_open_spiel_is_told() -> None:
    game = load("numeric-maze", 1, length=5, traps="1;2", turn_limit=8)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert state.move_number() == game.max_game_length() == 8
    assert load("hidden-path", 1).max_game_length() == 2 * 3 + 2 * 10 * (3 + 1)


def test_what_makes_no_game_is_refused_with_a_sentence() -> None:
    with pytest.raises(OptionsError, match="every game of OpenSpiel ends"):
        load("numeric-maze", 1, turn_limit=0)
    with pytest.raises(OptionsError, match="first must be 1, 2, or 0"):
        load("numeric-maze", 3)


def test_the_interpreter_ends_quietly() -> None:
    """OpenSpiel holds on to registered games until after Python is gone."""
    code = "import pyspiel, trapline.adapters.open_spiel; pyspiel.load_game('trapline_hidden_path')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("written", ["numeric_maze(traps=5;)", "numeric_maze(traps=5;7)"])
def test_a_list_of_options_comes_back_as_it_was(written: str) -> None:
    game = pyspiel.load_game(f"trapline_{written}")
    again, _ = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(game, game.new_initial_state())
    )
    assert again.encoding.game.options == game.encoding.game.options
    assert len(game.encoding.game.options.traps) == written.count(";") + written.count("7")


def test_a_list_of_one_may_come_as_text() -> None:
    game = pyspiel.load_game("trapline_numeric_maze", {"traps": "5"})
    assert pyspiel.load_game(str(game)).encoding.game.options.traps == (5,)


def test_without_a_toss_a_game_is_deterministic() -> None:
    modes = pyspiel.GameType.ChanceMode
    assert load("hidden-path", 1).get_type().chance_mode == modes.DETERMINISTIC
    assert load("hidden-path", 0).get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
    assert load(KUHN, 1).get_type().chance_mode == modes.EXPLICIT_STOCHASTIC


@pytest.mark.parametrize("name", GAMES)
def test_no_agent_is_handed_a_state_that_holds_secrets(name: str) -> None:
    state = pyspiel.load_game(open_spiel.short_name(name)).new_initial_state()
    assert state.hides_state_from_agents() == make_game(name).hides
