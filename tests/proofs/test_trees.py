"""Certificates of anybody's game, given as a tree, and the checker that reads the tree itself."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from tests.proofs.checkers import PROOFS, checker, verdict
from trapline.adapters.trees import tree_of
from trapline.cli.commands import app
from trapline.solve import Request, Uncertified, extensive, tree_certificates

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from trapline.solve.certificates import Written
    from trapline.solve.extensive import ExtensiveSolution, Tree

VALUES = [
    ("pyspiel:kuhn_poker", "-1/18"),
    ("pyspiel:liars_dice(numdice=1,dice_sides=2)", "1/2"),
    ("pyspiel:goofspiel(num_cards=3,points_order=descending,imp_info=True)", "0"),
]
PENNIES = """EFG 2 R "Pennies with an entry fee" { "One" "Two" } "a comment"
p "" 1 7 "" { "heads" "tails" } 1 "the fee" { -1/4, 1/4 }
p "" 2 3 "" { "heads" "tails" } 0
t "" 2 "" { 1, -1 }
t "" 3 "" { -1.0, 1.0 }
p "" 2 3 0
t "" 3
t "" 2
"""


def program() -> ModuleType:
    return checker((PROOFS / "check_tree.py").read_text("utf-8"))


def solved(name: str, **how: Any) -> tuple[Tree, ExtensiveSolution]:
    tree = tree_of(name)
    assert tree is not None
    return tree, extensive.solve(tree, extensive.sequence_form(tree), Request(**how))


def certificate(name: str, **how: Any) -> Written:
    return tree_certificates.certificate(*solved(name, **how))


def proven(written: Written) -> tuple[Fraction, Fraction] | None:
    return verdict(json.dumps(written), program())


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_the_value_is_proven_as_a_fraction(name: str, value: str) -> None:
    assert proven(certificate(name)) == (Fraction(value), Fraction(value))


def test_a_long_fraction_is_proven_to_the_letter() -> None:
    tree, solution = solved("pyspiel:leduc_poker", target=0.0)
    assert solution.fraction is not None
    assert len(str(solution.fraction)) > 40
    written = tree_certificates.certificate(tree, solution)
    assert proven(written) == (solution.fraction, solution.fraction)


def test_strategies_that_are_not_finished_prove_the_bounds_that_they_keep() -> None:
    tree, solution = solved("pyspiel:leduc_poker", deadline=0.0)
    written = tree_certificates.certificate(tree, solution)
    bounds = proven(written)
    assert bounds is not None
    assert solution.fraction is None
    assert [float(bound) for bound in bounds] == pytest.approx(solution.facts.bounds, abs=1e-9)
    assert bounds[0] < Fraction("-0.0856064") < bounds[1]


def test_a_gambit_file_stands_in_its_certificate_as_it_is(tmp_path: Path) -> None:
    """An outcome on the way adds to the result; sets and outcomes are named again by number."""
    file = tmp_path / "pennies.efg"
    file.write_text(PENNIES)
    written = certificate(str(file))
    assert written["tree"] == PENNIES
    assert written["first"] == {"7": ["1/2", "1/2"]}
    assert proven(written) == (Fraction(-1, 4), Fraction(-1, 4))


def test_no_change_of_what_is_claimed_proves_more_than_the_truth() -> None:
    rng, written = Random(1), certificate("pyspiel:kuhn_poker")
    truth, held = Fraction(-1, 18), 0
    for _ in range(400):
        changed = json.loads(json.dumps(written))
        part = rng.choice(["first", "second", "bounds"])
        if part == "bounds":
            claim = str(truth + Fraction(rng.randint(-3, 3), rng.choice([18, 10**9])))
            changed["bounds"][rng.randrange(2)] = claim
        else:
            row = changed[part][rng.choice([*changed[part]])]
            row[rng.randrange(len(row))] = rng.choice(["0", "1/3", "1", "-1", "2.5", "x", "7/0"])
        bounds = proven(changed)
        held += bounds is not None
        assert bounds is None or bounds[0] <= truth <= bounds[1]
    assert 20 < held < 380


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("-1/4, 1/4", "-1/4, 1/2", "not zero-sum"),
        ('{ "One" "Two" }', '{ "One" }', "not of two players"),
        ('p "" 2 3 0\n', 'p "" 2 4 0\n', "is never described"),
        ('p "" 2 3 0\n', 'p "" 1 7 0\n', "player 1 forgets"),
        ('p "" 2 3 0\n', 'p "" 3 1 0\n', "a third player"),
        ('t "" 3\nt', 't "" 3\nt "" 3\nt', "more than one tree"),
        ('p "" 2 3 0\n', 'c "" 1 { "a" 1/2 "b" 1/3 } 0\n', "do not add up to one"),
        ("-1/4", "-1/4e9999999", "is no number"),
    ],
)
def test_a_tree_that_is_none_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    file = tmp_path / "pennies.efg"
    file.write_text(PENNIES)
    written = certificate(str(file))
    assert old in PENNIES
    changed = written | {"tree": PENNIES.replace(old, new, 1)}
    with pytest.raises(ValueError, match=sentence):
        program().check(json.dumps(changed))


def test_numbers_may_have_an_exponent(tmp_path: Path) -> None:
    file = tmp_path / "pennies.efg"
    file.write_text(PENNIES.replace("{ -1/4, 1/4 }", "{ -2.5e-1, 25E-2 }"))
    assert certificate(str(file))["bounds"] == ["-1/4", "-1/4"]


def test_what_the_checker_does_not_take_is_not_certified(tmp_path: Path) -> None:
    """Solved it is: thirds are understood there."""
    file = tmp_path / "thirds.efg"
    thirds = " ".join(f'"{way}" 0.3333333333333333' for way in "abc")
    ends = "\n".join(['t "" 1 "" { 1, -1 }'] * 3)
    file.write_text(f'EFG 2 R "Thirds" {{ "1" "2" }}\nc "" 1 "" {{ {thirds} }} 0\n{ends}\n')
    with pytest.raises(Uncertified, match=r"does not take this tree: chances do not add up to one"):
        certificate(str(file))


def test_a_tree_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_certificates, "MOST_NODES", 20)
    with pytest.raises(Uncertified, match="more than 20 nodes"):
        certificate("pyspiel:kuhn_poker")


def test_the_commands_write_and_check_it(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.cert"
    done = CliRunner().invoke(app, ["solve", "pyspiel:kuhn_poker", "--certificate", str(file)])
    assert done.exit_code == 0
    assert "value between -1/18 and -1/18" in done.stderr
    check = [sys.executable, str(PROOFS / "check_tree.py"), str(file)]
    said = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("proven: value between -1/18 and -1/18\n", 0)
    file.write_text(file.read_text().replace("-1/18", "-1/19", 1))
    said = subprocess.run(check, capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert said.stdout == "Not proven: the first player keeps -1/18 and not -1/19.\n"
