"""Ratings, regret and exploitability, against what is known exactly."""

from __future__ import annotations

import sys
from random import Random

import numpy as np
import pytest

from trapline.arena import ratings, strategies
from trapline.arena.exploiting import exploitability
from trapline.arena.fixtures import Fixture, Played, play
from trapline.arena.strategies import Counts, Sampling, Strategy, full_tree, sample
from trapline.core import SEATS, Seat, TraplineError
from trapline.games import make_game
from trapline.solve import best_response, solved, tree
from trapline.solve.best_response import Profile
from trapline.solve.model import GameModel, TooLarge

SMALL = {"length": 5, "traps": 1}
MIXED = {"length": 6, "traps": 2, "walls": False}


# --- regret -----------------------------------------------------------------------------


def test_perfect_regrets_nothing_in_a_mixed_game_and_random_does() -> None:
    assert solved(make_game("trap-builder", MIXED)).exact
    lost: dict[str, list[float]] = {"perfect": [], "random": []}
    for number in range(24):
        played = play(Fixture("trap-builder", MIXED, "perfect", "random", number, 1))
        assert isinstance(played, Played)
        assert played.lost is not None
        for player, values in played.lost.items():
            lost[player] += values
    assert len(lost["perfect"]) > 30
    assert max(lost["perfect"]) < 1e-6
    assert np.mean(lost["random"]) > 0.02


def test_a_game_that_is_too_large_to_solve_has_no_regret() -> None:
    played = play(Fixture("hidden-path", {"length": 30, "traps": 6}, "casual", "random", 0, 1))
    assert isinstance(played, Played)
    assert played.lost is None


def test_seats_and_first_move_take_all_four_turns() -> None:
    fixtures = [Fixture("numeric-maze", {}, "a", "b", number, 0) for number in range(4)]
    assert {(f.seats[1], f.seats[f.first]) for f in fixtures} == {
        ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b"),
    }  # fmt: skip


# --- exploitability ---------------------------------------------------------------------


def evenly(seat: Seat) -> Strategy:
    """A player who was seen to choose everything equally often, everywhere."""
    game = make_game("trap-builder", SMALL)
    built = full_tree(game)
    decisions = [
        Counts(node, int(holding), [10] * int(built.nodes.actions[node]))
        for node in range(built.size)
        if built.nodes.mover[node] == seat
        for holding in built.live(node, seat)
    ]
    secrets = [10] * built.holdings[seat - 1]
    return Strategy("k", game.name, SMALL, "even", seat, secrets, decisions, 0, {})


def exactly_uniform() -> float:
    built = full_tree(make_game("trap-builder", SMALL))
    return best_response.certify(built, best_response.uniform(built)).exploitability


def test_even_frequencies_are_as_exploitable_as_the_uniform_strategy() -> None:
    built = full_tree(make_game("trap-builder", SMALL))
    found = exploitability(built, (evenly(1), evenly(2)), seed=1)
    assert found.claimed == pytest.approx(exactly_uniform(), abs=1e-12)
    assert found.held_out <= found.claimed


def test_a_uniform_player_who_is_asked_is_as_exploitable_within_the_sampling_error() -> None:
    built = full_tree(make_game("trap-builder", SMALL))
    gaps = []
    for samples in (30, 600):
        asked = [sampled("random", seat, samples) for seat in SEATS]
        found = exploitability(built, (asked[0], asked[1]), seed=1)
        assert found.low <= exactly_uniform() <= found.high
        assert found.low <= found.estimate <= found.high
        gaps.append(found.high - found.low)
    assert gaps[1] < gaps[0] / 3
    assert found.estimate == pytest.approx(exactly_uniform(), abs=0.04)


def sampled(player: str, seat: Seat, samples: int) -> Strategy:
    found = sample(Sampling("trap-builder", SMALL, player, seat, samples, 1))
    assert isinstance(found, Strategy)
    return found


def test_the_solution_cannot_be_exploited_and_a_predictable_player_can() -> None:
    built = full_tree(make_game("trap-builder", SMALL))
    pair = [sampled("perfect", seat, 60) for seat in SEATS]
    assert exploitability(built, (pair[0], pair[1]), seed=1).low == 0.0
    pure = [one_way(seat) for seat in SEATS]
    found = exploitability(built, (pure[0], pure[1]), seed=1)
    assert found.low == found.high == found.claimed > 0.5  # nothing is left to chance


def one_way(seat: Seat) -> Strategy:
    """The same player, if the first answer of each decision were the only one."""
    asked = sampled("casual", seat, 2)
    firsts = [c._replace(chosen=only_first(c.chosen)) for c in asked.decisions]
    return Strategy("k", asked.game, SMALL, "pure", seat, only_first(asked.secrets), firsts, 0, {})


def only_first(chosen: list[int]) -> list[int]:
    first = next(index for index, count in enumerate(chosen) if count)
    return [int(index == first) for index in range(len(chosen))]


def test_decisions_that_a_player_never_comes_to_are_not_asked() -> None:
    built = full_tree(make_game("trap-builder", SMALL))
    every = sum(len(built.live(n, 1)) for n in range(built.size) if built.nodes.mover[n] == 1)
    assert len(sampled("random", 1, 60).decisions) == every
    assert len(sampled("perfect", 1, 60).decisions) < every


def test_mistakes_in_positions_that_are_decided_count() -> None:
    """The solver's own tree ends where all is settled; a careless player may still lose there."""
    options = {"length": 5, "traps": [2, 3], "turn_limit": 6}
    game = make_game("numeric-maze", options)
    whole = tree.build(GameModel(game), settle=False)
    exact = best_response.certify(whole, best_response.uniform(whole)).exploitability
    one, two = (sample(Sampling(game.name, options, "random", seat, 30, 1)) for seat in SEATS)
    assert isinstance(one, Strategy)
    assert isinstance(two, Strategy)
    found = exploitability(full_tree(game), (one, two), seed=1)
    assert found.low <= exact <= found.high
    assert exact > 0.5


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        (
            "trap-builder",
            {"length": 9},
            r"Trap Builder has [\d,]+ information sets .* at most 5,000",
        ),
        ("secret-paths", {}, "Secret Paths has more than 500,000 positions"),
        ("trap-runner", {}, "Trap Runner hides choices within its turns"),
    ],
)
def test_a_game_with_too_many_decisions_is_refused_with_the_limit(
    name: str, options: dict[str, object], sentence: str
) -> None:
    game = make_game(name, options)
    with pytest.raises(TooLarge, match=sentence):
        full_tree(game)
    assert strategies.refusal(game) is not None


@pytest.mark.parametrize("seed", range(5))
def test_responses_get_what_the_best_response_promises(seed: int) -> None:
    built = full_tree(make_game("trap-builder", MIXED))
    rng = np.random.default_rng(seed)
    profile = best_response.uniform(built)
    for node in np.flatnonzero(built.nodes.mover).tolist():
        part = built.table(profile.table, node)
        part[:] = rng.dirichlet(np.ones(len(part)), part.shape[1]).T
    one, two = (rng.dirichlet(np.ones(n)) for n in built.holdings)
    profile = Profile((one, two), profile.table)
    found = best_response.responses(built, profile)
    bounds = best_response.certify(built, profile)
    assert best_response.value(built, found, profile) == pytest.approx(bounds.upper)
    assert best_response.value(built, profile, found) == pytest.approx(bounds.lower)


# --- ratings ----------------------------------------------------------------------------


def test_ratings_put_players_in_order_whatever_the_order_of_matches() -> None:
    rng = Random(1)
    strength = {"strong": 4.0, "middle": 2.0, "weak": 1.0}
    results: list[ratings.Result] = []
    for one, two in (("strong", "middle"), ("middle", "weak"), ("strong", "weak")):
        for _ in range(60):
            chance = strength[one] / (strength[one] + strength[two])
            results.append((one, two, one if rng.random() < chance else two))
    players = list(strength)
    found = ratings.rate(players, results, 1)
    assert found["strong"].mean > found["middle"].mean > found["weak"].mean
    assert ratings.rate(players, results[::-1], 1) == found
    other_orders = ratings.rate(players, results, 2)
    for player in players:
        assert found[player].mean == pytest.approx(other_orders[player].mean, abs=1.5)
        assert 0 < found[player].deviation < 8


def test_draws_bring_nobody_forward_and_matches_make_sure() -> None:
    few = ratings.rate(["a", "b"], [("a", "b", None)] * 4, 1)
    many = ratings.rate(["a", "b"], [("a", "b", None)] * 40, 1)
    assert few["a"].mean == pytest.approx(few["b"].mean)
    assert many["a"].deviation < few["a"].deviation


def test_without_openskill_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    with pytest.raises(TraplineError, match=r"pip install 'trapline\[arena\]'"):
        ratings.must_be_installed()
