"""Values as fractions, proven from both sides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.solve.open_spiel import sequence_form

from trapline.games import make_game
from trapline.solve import exactly, sequences, solve
from trapline.solve.whole_tree import WholeTree

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)


@pytest.mark.parametrize(
    ("name", "value"), [("kuhn", "-1/18"), ("liars_dice", "1/16"), ("battleship", "5/16")]
)
def test_small_games_have_small_fractions(name: str, value: str) -> None:
    found = solve(make_game(f"examples/games/{name}.py"), target=0.0)
    assert found.fraction == Fraction(value)
    assert found.to_json()["fraction"] == value


def test_a_fraction_is_for_whoever_moves_first() -> None:
    found = solve(make_game("examples/games/kuhn.py"), first=2, target=0.0)
    assert found.fraction == Fraction("-1/18")


def test_leduc_poker_has_a_fraction_of_its_own() -> None:
    form = sequence_form("leduc_poker", 13.0)
    assert exactly.value(form, sequences.by_program(form)) == LEDUC


def test_strategies_that_are_not_best_play_prove_nothing() -> None:
    form = WholeTree(make_game("examples/games/kuhn.py"), 1).form()
    uniform = sequences.uniform(form.sides[0]), sequences.uniform(form.sides[1])
    assert exactly.value(form, uniform) is None


def test_other_payoffs_have_another_value() -> None:
    """What is proven is proven of the fractions, and not of the floating-point numbers beside."""
    form = WholeTree(make_game("examples/games/kuhn.py"), 1).form()
    assert form.exact is not None
    doubled = replace(form, exact={pair: 2 * result for pair, result in form.exact.items()})
    assert exactly.value(doubled, sequences.by_program(form)) == Fraction(-1, 9)


def test_too_many_unknowns_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    form = WholeTree(make_game("examples/games/kuhn.py"), 1).form()
    monkeypatch.setattr(exactly, "MOST_UNKNOWNS", 5)
    assert exactly.value(form, sequences.by_program(form)) is None
