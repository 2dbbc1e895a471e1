"""Values as fractions, proven from both sides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from trapline.adapters.efg_tree import EfgTree
from trapline.adapters.trees import tree_of
from trapline.games import make_game
from trapline.solve import exactly, extensive, sequences, solve
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from pathlib import Path

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)

UNEVEN = """EFG 2 R "Uneven" { "One" "Two" }
c "" 1 "" { "a" 0.1234567890123 "b" 0.8765432109877 } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
"""


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
    tree = tree_of("pyspiel:leduc_poker")
    assert tree is not None
    found = extensive.solved(tree)
    assert found.fraction == LEDUC
    assert found.to_json()["fraction"] == str(LEDUC)


def test_chances_that_are_no_simple_fractions_prove_none(tmp_path: Path) -> None:
    file = tmp_path / "uneven.efg"
    file.write_text(UNEVEN, "utf-8")
    found = extensive.solved(EfgTree(file))
    assert found.facts.exact
    assert found.fraction is None


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
