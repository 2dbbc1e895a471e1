"""What policies are worth, and what choices cost, against what is known exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from trapline import exploitability, solved
from trapline.core import SEATS, OptionsError, TraplineError, other
from trapline.games import make_game
from trapline.measures.decisions import all_decisions
from trapline.measures.exploiting import certify, plan
from trapline.measures.policies import KNOWN, by_network, uniform
from trapline.measures.regret import AgainstEquilibrium, AgainstOpponent
from trapline.referee import Match
from trapline.solve import best_response as on_the_tree
from trapline.solve import tree
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from trapline.core import Form, Game, View
    from trapline.measures.policies import Policy
    from trapline.measures.regret import Judge

MIXED = make_game("trap-builder", {"length": 5, "traps": 1})
OPEN = make_game("numeric-maze", {"length": 5, "traps": [2, 3], "turn_limit": 6})
DEALT = make_game("examples/games/kuhn.py")


def without_regret(judge: Judge) -> Policy:
    """Always the first of the answers that cost nothing."""

    def policy(view: View) -> dict[Form, float]:
        assert view.question is not None
        answers = [view.question.record(value) for value in view.question.values()]
        free = (answer for answer in answers if (judge.lost(view, answer) or 0.0) < 1e-9)
        return {next(free): 1.0}

    return policy


# --- whole policies ---------------------------------------------------------------------


def test_the_uniform_policy_is_as_exploitable_as_the_solvers_tree_says() -> None:
    built = tree.build(GameModel(MIXED), to_the_end=True)
    exact = on_the_tree.certify(built, on_the_tree.uniform(built)).exploitability
    assert exploitability(uniform, MIXED) == pytest.approx(exact, abs=1e-12)
    assert exploitability(uniform, "trap-builder", length=5, traps=1) == pytest.approx(exact)


@pytest.mark.parametrize("game", [MIXED, OPEN, DEALT], ids=lambda game: game.name)
def test_nobody_gets_more_than_the_value_from_perfect_play(game: Game[Any]) -> None:
    """The best possible result against `perfect` is the value of the game, in either seat."""
    found, solution = certify(KNOWN["perfect"], game), solved(game)
    assert found.lower == pytest.approx(solution.value, abs=1e-6)
    assert found.upper == pytest.approx(solution.value, abs=1e-6)


def test_a_network_is_a_policy_and_sets_are_chosen_part_by_part() -> None:
    game = make_game("trap-builder", {"length": 5, "traps": 2, "walls": False})
    rng = np.random.default_rng(1)
    weights: dict[int, Any] = {}

    def network(observation: Any, mask: Any) -> Any:
        hidden = weights.setdefault(0, rng.normal(size=(len(observation), 16)))
        out = weights.setdefault(1, rng.normal(size=(16, len(mask))))
        logits = np.exp(np.tanh(observation @ hidden) @ out) * mask
        return logits / logits.sum()

    policy = by_network(game, network)
    view = Match(game, 1).view(1)
    assert view.question is not None
    assert sum(policy(view).values()) == pytest.approx(1.0)
    assert len(policy(view)) == view.question.count()
    assert 0.1 < exploitability(policy, game) <= 1.0


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda _view: {}, "must add up to 1, not to 0"),
        (lambda _view: 3, "must give the chance of each answer, not 3"),
        (lambda view: dict.fromkeys(uniform(view), float("nan")), "must add up to 1, not to nan"),
        (
            by_network(MIXED, lambda _observation, mask: mask * float("nan")),
            "must add up to 1, not to nan",
        ),
        (
            by_network(MIXED, lambda _observation, _mask: [1.0]),
            "for each of the 7 actions, not 1 of them",
        ),
        (lambda _view: {"nonsense": 1.0}, "gives 'nonsense', which is not allowed there"),
        (lambda view: dict.fromkeys(uniform(view), 0.5), "must add up to 1, not to 2"),
        (
            lambda view: dict(zip(uniform(view), (1.5, -0.5, 0.0, 0.0), strict=False)),
            "A chance of a policy is below 0: -0.5",
        ),
    ],
)
def test_what_is_no_policy_is_refused(policy: Policy, sentence: str) -> None:
    with pytest.raises(OptionsError, match=sentence):
        exploitability(policy, MIXED)


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(TraplineError, match="more than 100,000 ways"):
        exploitability(uniform, "trap-builder")


# --- single choices ---------------------------------------------------------------------


@pytest.mark.parametrize("game", [MIXED, OPEN, DEALT], ids=lambda game: game.name)
@pytest.mark.parametrize("seat", SEATS)
def test_who_regrets_nothing_against_an_opponent_is_its_best_response(
    game: Game[Any], seat: Any
) -> None:
    known = all_decisions(game)
    theirs = plan(known, other(seat), uniform)
    mine = plan(known, seat, without_regret(AgainstOpponent(game, uniform)))
    best = known.best_response(seat, theirs)
    pairs = [(mine, theirs), (best, theirs)] if seat == 1 else [(theirs, mine), (theirs, best)]
    assert known.worth(*pairs[0]) == pytest.approx(known.worth(*pairs[1]), abs=1e-9)


def test_what_an_opponent_never_lets_happen_has_no_worth() -> None:
    def always_first(view: View) -> dict[Form, float]:
        return {next(iter(uniform(view))): 1.0}

    judge = AgainstOpponent(MIXED, always_first)
    known = all_decisions(MIXED)
    found = [judge.lost(known.view(1, decision), decision.answers[0]) for decision in known.of(1)]
    assert None in found
    assert any(isinstance(lost, float) for lost in found)


def test_where_nothing_is_mixed_no_regret_is_no_weakness() -> None:
    assert exploitability(without_regret(AgainstEquilibrium(OPEN)), OPEN) < 1e-9


def test_where_the_solution_mixes_no_regret_can_still_be_exploited() -> None:
    """Each choice is free against the equilibrium; the habit is not free against a reader of it."""
    assert exploitability(without_regret(AgainstEquilibrium(MIXED)), MIXED) > 0.2


def test_a_view_from_another_game_is_refused() -> None:
    with pytest.raises(TraplineError, match="is no decision of this game"):
        all_decisions(MIXED).find(Match(OPEN, 1).view(1))
