"""Ratings, regret and exploitability, against what is known exactly."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.outside import examples
from trapline.arena import ratings
from trapline.arena.exploiting import exploitability
from trapline.arena.fixtures import Fixture, Played, play
from trapline.arena.strategies import Counts, Sampling, Strategy, sample
from trapline.core import SEATS, Seat, TraplineError, other
from trapline.games import make_game
from trapline.measures import decisions
from trapline.measures.decisions import TooMany, all_decisions
from trapline.solve import best_response as on_the_tree
from trapline.solve import solved, tree
from trapline.solve.model import GameModel
from trapline.solve.sequences import plan_of, uniform

if TYPE_CHECKING:
    from trapline.measures.decisions import Decisions, Floats

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


@pytest.mark.slow
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


SMALL_GAME = make_game("trap-builder", SMALL)


def even(seat: Seat) -> Strategy:
    """A player who was seen to choose everything equally often, everywhere."""
    asked = [
        Counts(number, [10] * len(decision.answers))
        for number, decision in enumerate(all_decisions(SMALL_GAME).of(seat))
    ]
    return Strategy("k", SMALL_GAME.name, SMALL, "even", seat, asked, 0, {})


def exactly_uniform() -> float:
    built = tree.build(GameModel(SMALL_GAME), to_the_end=True)
    return on_the_tree.certify(built, on_the_tree.uniform(built)).exploitability


def test_even_frequencies_are_as_exploitable_as_the_uniform_strategy() -> None:
    known = all_decisions(SMALL_GAME)
    found = exploitability(known, (even(1), even(2)), seed=1)
    assert found.claimed == pytest.approx(exactly_uniform(), abs=1e-12)
    assert found.held_out <= found.claimed


def test_a_uniform_player_who_is_asked_is_as_exploitable_within_the_sampling_error() -> None:
    known = all_decisions(SMALL_GAME)
    gaps = []
    for samples in (30, 600):
        asked = [sampled("random", seat, samples) for seat in SEATS]
        found = exploitability(known, (asked[0], asked[1]), seed=1)
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
    known = all_decisions(SMALL_GAME)
    pair = [sampled("perfect", seat, 60) for seat in SEATS]
    assert exploitability(known, (pair[0], pair[1]), seed=1).low == 0.0
    pure = [one_way(seat) for seat in SEATS]
    found = exploitability(known, (pure[0], pure[1]), seed=1)
    assert found.low == found.high == found.claimed > 0.5  # nothing is left to chance


def one_way(seat: Seat) -> Strategy:
    """The same player, if the first answer of each decision were the only one."""
    asked = sampled("casual", seat, 2)
    firsts = [c._replace(chosen=only_first(c.chosen)) for c in asked.decisions]
    return Strategy("k", asked.game, SMALL, "pure", seat, firsts, 0, {})


def only_first(chosen: list[int]) -> list[int]:
    first = next(index for index, count in enumerate(chosen) if count)
    return [int(index == first) for index in range(len(chosen))]


def test_decisions_that_a_player_never_comes_to_are_not_asked() -> None:
    known = all_decisions(SMALL_GAME)
    assert len(sampled("random", 1, 60).decisions) == len(known.of(1))
    assert len(sampled("perfect", 1, 60).decisions) < len(known.of(1))


def test_mistakes_in_positions_that_are_decided_count() -> None:
    """The solver's own tree ends where all is settled; a careless player may still lose there."""
    options = {"length": 5, "traps": [2, 3], "turn_limit": 6}
    game = make_game("numeric-maze", options)
    whole = tree.build(GameModel(game, counts_turns=True), to_the_end=True)
    exact = on_the_tree.certify(whole, on_the_tree.uniform(whole)).exploitability
    one, two = (sample(Sampling(game.name, options, "random", seat, 30, 1)) for seat in SEATS)
    assert isinstance(one, Strategy)
    assert isinstance(two, Strategy)
    found = exploitability(all_decisions(game), (one, two), seed=1)
    assert found.low <= exact <= found.high
    assert exact > 0.5


@pytest.mark.parametrize(
    ("name", "options"),
    [("trap-builder", {"length": 9}), ("secret-paths", {}), ("trap-runner", {})],
)
def test_a_game_with_too_many_ways_is_refused_with_the_limit(
    name: str, options: dict[str, object]
) -> None:
    game = make_game(name, options)
    with pytest.raises(TooMany, match=rf"{game.title} can go in more than 100,000 ways"):
        all_decisions(game)
    assert decisions.refusal(game) is not None


def test_a_game_with_too_many_decisions_is_refused_with_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decisions, "MOST_DECISIONS", 20)
    game = make_game("trap-builder", {"length": 5, "traps": 1, "max_step": 4})
    with pytest.raises(TooMany, match="more than 20 decisions for one player"):
        all_decisions(game)


# --- every decision of a game -----------------------------------------------------------

UNIFORM = {
    "kuhn": (1 / 8, 1 / 2, -5 / 12),
    "goofspiel": (0.0, 3 / 4, -3 / 4),
}
"""What even play is worth, and what best responses to it leave the first seat: as OpenSpiel finds
for `kuhn_poker`, and for `goofspiel` with four cards, prizes descending, won or lost."""


@pytest.mark.parametrize("name", UNIFORM)
def test_best_responses_in_games_of_chance_and_at_once(name: str) -> None:
    known = all_decisions(examples.example(name))
    one, two = (plan_of(side, uniform(side)) for side in known.form.sides)
    found = (
        known.worth(one, two),
        known.worth(known.best_response(1, two), two),
        known.worth(one, known.best_response(2, one)),
    )
    assert found == pytest.approx(UNIFORM[name], abs=1e-12)


def test_the_decisions_of_kuhn_poker_are_its_information_sets() -> None:
    known = all_decisions(examples.example("kuhn"))
    assert [len(known.of(seat)) for seat in SEATS] == [6, 6]
    assert known.form.most == 2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hides", ["before the first turn", "in every turn"])
def test_nothing_does_better_than_the_best_response(seed: int, hides: str) -> None:
    builder, runner = make_game("trap-builder", MIXED), make_game("trap-runner", {"length": 5})
    known = all_decisions(builder if hides == "before the first turn" else runner)
    rng = np.random.default_rng(seed)
    for seat in SEATS:
        theirs = plan_of(known.side(other(seat)), mixed(known, other(seat), rng))
        most = gets(known, seat, known.best_response(seat, theirs), theirs)
        for _ in range(20):
            tried = plan_of(known.side(seat), mixed(known, seat, rng))
            assert gets(known, seat, tried, theirs) <= most + 1e-12


def gets(known: Decisions, seat: Seat, mine: Floats, theirs: Floats) -> float:
    return known.worth(mine, theirs) if seat == 1 else -known.worth(theirs, mine)


def mixed(known: Decisions, seat: Seat, rng: np.random.Generator) -> Floats:
    chances = np.ones(known.side(seat).size)
    for decision in known.of(seat):
        chances[decision.sequences] = rng.dirichlet(np.full(len(decision.answers), 0.3))
    return chances


@pytest.mark.parametrize("seed", range(5))
def test_it_is_what_the_solvers_tree_says(seed: int) -> None:
    """Two programs that share nothing but the rules."""
    game = make_game("trap-builder", MIXED)
    known, built = all_decisions(game), tree.build(GameModel(game), to_the_end=True)
    rng = np.random.default_rng(seed)
    mixes = [rng.dirichlet(np.ones(count)) for count in built.holdings]
    profile = on_the_tree.Profile((mixes[0], mixes[1]), on_the_tree.uniform(built).table)
    plans = []
    for seat in SEATS:
        chances = uniform(known.side(seat))
        chances[known.of(seat)[0].sequences] = mixes[seat - 1]
        plans.append(plan_of(known.side(seat), chances))
    bounds = on_the_tree.certify(built, profile)
    one, two = plans
    assert known.worth(known.best_response(1, two), two) == pytest.approx(bounds.upper)
    assert known.worth(one, known.best_response(2, one)) == pytest.approx(bounds.lower)


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
