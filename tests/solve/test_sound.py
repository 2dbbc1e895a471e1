"""No method certifies what it does not model: games that used to be solved falsely."""

from __future__ import annotations

from typing import Any

import pytest
from tests.solve import plain, strange
from tests.solve.strange import Strange, make

from trapline.core import SEATS, View
from trapline.solve import TooLarge, Unsuited, methods, solve
from trapline.solve.forced import ForcedMethod
from trapline.solve.interface import Request
from trapline.solve.public import PublicMethod
from trapline.solve.whole import WholeMethod

REFUSED: list[tuple[type[Strange], str]] = [
    (strange.Pennies, "does not tell everybody what was done"),
    (strange.SilentPennies, "does not tell everybody what was done"),
    (strange.LeakingQuestion, "asks for something else if secrets differ"),
    (strange.Spy, "shows a player something of the other's secret"),
    (strange.Rolled, "has chance in it"),
    (strange.Whispers, "tells one player something alone"),
    (strange.Forgetful, "does not tell everybody what was done"),
    (strange.AtOnce, "asks both players at once"),
    (strange.FairlyAtOnce, "asks both players at once"),
]


@pytest.mark.parametrize("method", [ForcedMethod, PublicMethod])
@pytest.mark.parametrize(("kind", "reason"), REFUSED)
def test_methods_for_opening_secrets_refuse_what_hides_more(
    method: Any, kind: type[Strange], reason: str
) -> None:
    with pytest.raises(Unsuited, match=reason):
        method(make(kind), 1).solve(Request())


VALUES: list[tuple[type[Strange], float]] = [
    (strange.Guess, 0.0),
    (strange.Pennies, 0.0),
    (strange.FairlyAtOnce, 0.0),
    (strange.Rolled, 0.5),
    (strange.LeakingQuestion, 1.0),
    (strange.And, 0.0),
    (strange.Counting, -1.0),
]


@pytest.mark.parametrize(("kind", "value"), VALUES)
def test_values_by_hand(kind: type[Strange], value: float) -> None:
    found = solve(make(kind))
    assert found.exact
    assert found.value == pytest.approx(value, abs=1e-9)


PLAYED = [
    strange.Guess, strange.Pennies, strange.Both, strange.And, strange.Spy, strange.Whispers,
    strange.LeakingQuestion, strange.Counting, strange.FairlyAtOnce,
]  # fmt: skip


@pytest.mark.parametrize("kind", PLAYED)
def test_what_is_claimed_is_kept_against_a_plain_best_response(kind: type[Strange]) -> None:
    """Every method that takes the game claims the same, and its policy holds it."""
    game = make(kind)
    claimed = []
    for method in methods(game, 1):
        try:
            found = method.solve(Request(target=0.0))
        except Unsuited:
            continue
        if found is None:
            continue
        claimed.append(found.bounds)
        policy = found.policy

        def chances(view: View, policy: Any = policy) -> dict[Any, float]:
            told: dict[Any, float] = policy.look(view).chances
            return told

        lower, upper = found.bounds
        assert plain.best_response(game, 1, chances) == pytest.approx(upper, abs=1e-9)
        assert -plain.best_response(game, 2, chances) == pytest.approx(lower, abs=1e-9)
    assert claimed
    for bounds in claimed:
        assert bounds == pytest.approx(claimed[-1], abs=1e-9)


def test_a_result_of_both_secrets_at_once_is_solved_on_the_public_tree_too() -> None:
    """Every pair of secrets is told apart, so dependence on both is no guess."""
    for kind in (strange.Both, strange.And):
        by_tree = PublicMethod(make(kind), 1).solve(Request(target=0.0))
        whole = WholeMethod(make(kind), 1).solve(Request(target=0.0))
        assert by_tree.exact
        assert by_tree.value == pytest.approx(whole.value, abs=1e-9)


def test_whoever_forgets_or_sees_too_much_is_refused() -> None:
    with pytest.raises(TooLarge, match="does not show Player 1 all that Player 1 has seen"):
        solve(make(strange.Forgetful))
    with pytest.raises(TooLarge, match="both are asked at once"):
        solve(make(strange.AtOnce))


def test_a_game_that_goes_round_is_a_draw_or_is_refused() -> None:
    assert solve(make(strange.Round)).value == 0
    with pytest.raises(TooLarge, match="for ever"):
        solve(make(strange.RoundWithSecrets))


@pytest.mark.parametrize("kind", [strange.Both, strange.Guess])
def test_the_seat_that_moves_first_may_matter(kind: type[Strange]) -> None:
    game = make(kind)
    for first in SEATS:
        found = solve(game, first=first)
        assert found.facts.first == first
        assert found.value == pytest.approx(solve(game).value, abs=1e-9)
