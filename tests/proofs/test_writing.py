"""Certificates as `trapline solve --certificate` writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.outside.examples import example
from tests.proofs.checkers import ROOT, checker, key, small, truths
from trapline.cli.commands import app
from trapline.core import SEATS
from trapline.games import make_game
from trapline.games.hidden_path import HiddenPath
from trapline.games.hidden_path.solving.apart.method import ApartMethod
from trapline.games.hidden_path.solving.duel.method import DuelMethod
from trapline.games.hidden_path.solving.modest.method import ModestMethod
from trapline.solve import Request, Uncertified, certificates, memory, solve

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.solve import Solution

SOLVED: list[tuple[str, dict[str, Any], str]] = [
    ("numeric-maze", {}, "1"),
    ("numeric-maze", {"length": 99, "max_step": 4, "traps": [7, 50], "turn_limit": 0}, "1"),
    ("trap-runner", {"length": 99, "max_step": 4}, "1"),
    ("trap-runner", {"length": 4, "max_step": 1, "turn_limit": 7}, "1"),
    ("secret-paths", {"size": 3, "turn_limit": 1}, "1"),
    ("secret-paths", {"turn_limit": 2}, "0"),
    ("secret-paths", {"size": 9, "turn_limit": 0}, "0"),
    ("trap-builder", {}, "-1"),
    ("trap-builder", {"trigger": "passing", "walls": False, "length": 6}, "-1"),
    ("trap-builder", {"length": 7, "walls": False}, "-23/53"),
    ("trap-builder", {"length": 9, "traps": 1, "walls": False}, "1/5"),
]


@pytest.mark.parametrize(("name", "options", "value"), SOLVED, ids=str)
def test_what_is_solved_is_certified(name: str, options: dict[str, Any], value: str) -> None:
    found = certificates.certificate(solve(make_game(name, options)))
    assert found["bounds"] == [value, value]
    text = certificates.encoded(found).decode()
    assert checker().check(text) == (Fraction(value), Fraction(value))
    assert json.loads(text) == found


def test_strategies_that_are_not_finished_prove_the_bounds_that_they_keep() -> None:
    """Regret stopped early: chances are rounded, and what they keep is what is claimed."""
    solution = solve(make_game("trap-builder", {"length": 8, "walls": False}), time_limit=0.0)
    low, high = map(Fraction, certificates.certificate(solution)["bounds"])
    assert solution.exploitability > 1e-6
    assert low < high
    assert abs(float(low) - solution.bounds[0]) < 1e-9
    assert abs(float(high) - solution.bounds[1]) < 1e-9


def assert_as_close_as_found(solution: Solution, value: Fraction) -> None:
    """It may come closer than what was found: of two roundings the one is written that proves more,
    and whoever checks a draw of several plans does not tell the rival which."""
    low, high = map(Fraction, certificates.certificate(solution)["bounds"])
    assert low <= value <= high
    assert float(low) > solution.bounds[0] - 1e-6
    assert float(high) < solution.bounds[1] + 1e-6


@pytest.mark.parametrize("way", [ApartMethod, DuelMethod, ModestMethod])
def test_a_duel_of_runners_who_look_is_certified_as_far_as_it_was_trained(
    way: type[ApartMethod | DuelMethod | ModestMethod],
) -> None:
    game = make_game("hidden-path", {"length": 4, "traps": 2})
    assert isinstance(game, HiddenPath)
    solution = way(game).solve(Request(target=0.01))
    assert_as_close_as_found(solution, Fraction(5, 9))


def test_what_a_seat_tells_by_its_moves_is_certified() -> None:
    """Choices are made by the secret on its graph; `proofs/check.py` knows nothing of signals."""
    game = make_game("hidden-path", {"length": 8, "traps": 1, "goal_traps": False})
    assert isinstance(game, HiddenPath)
    solution = ApartMethod(game).solve(Request(target=0.01))
    for role in SEATS:
        sides = solution.policy.lots(role).sides
        assert max(np.ptp(side.plan.chances, axis=1).max() for side in sides) > 0.1
    assert_as_close_as_found(solution, Fraction(3, 7))


def test_small_certificates_are_what_is_written_today() -> None:
    """A few of those that the checkers are tried with, and their values, by a fresh solver."""
    chosen = [one for one in small() if one["game"] != "hidden-path"][::12]
    assert len(chosen) > 8
    for kept in chosen:
        found = certificates.certificate(
            solve(make_game(kept["game"], kept["options"]), target=1e-9)
        )
        low, high = truths()[key(kept["game"], kept["options"])]
        assert [Fraction(bound) for bound in found["bounds"]] == [low, high]


def test_a_game_from_outside_is_refused_in_a_sentence() -> None:
    with pytest.raises(Uncertified, match=r"knows the 5 rulebooks only: Nim is not one of them"):
        certificates.certificate(solve(example("nim")))


def test_the_command_says_so_before_it_solves(tmp_path: Path) -> None:
    file = tmp_path / "none.cert"
    game = ["solve", "examples/games/nim.py", "--certificate", str(file)]
    command = [sys.executable, "-m", "trapline", *game]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert "knows the 5 rulebooks only" in done.stderr
    assert not file.exists()


def test_a_strategy_that_would_not_fit_into_memory_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = solve(make_game("trap-builder", {"length": 6, "walls": False}))
    monkeypatch.setattr(memory, "room", lambda: 5 * certificates.NODE_BYTES)
    with pytest.raises(Uncertified, match=r"has \d+ nodes or more, and .* more than the 1 MB"):
        certificates.certificate(solution)


def test_how_long_a_checker_will_be_busy_is_said_beforehand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = solve(make_game("trap-builder", {"length": 6, "walls": False}))
    said: list[str] = []
    certificates.certificate(solution, said.append)
    assert said == []
    monkeypatch.setattr(certificates, "CHECKED_IN_A_MINUTE", 10)
    certificates.certificate(solution, said.append)
    assert [sentence.partition(" has ")[0] for sentence in said] == [
        "The strategy of whoever moves first",
        "The strategy of whoever moves second",
    ]
    assert all("to check it takes about" in sentence for sentence in said)


def test_a_proof_that_the_checker_would_not_follow_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = solve(make_game("trap-builder", {"length": 6, "walls": False}))
    monkeypatch.setattr(certificates.checker().Rules, "work", 20)
    certificates.certificate(solution)  # the larger a strategy is, the more work is done for it
    monkeypatch.setattr(certificates.checker().Rules, "work_for_a_node", 0)
    with pytest.raises(Uncertified, match="more work than this program will do"):
        certificates.certificate(solution)


def test_nothing_is_written_if_the_checker_gives_up_on_the_first_of_two_proofs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would not come to the second, though that one might do."""
    monkeypatch.setattr(certificates.checker().Told, "work", 20)
    monkeypatch.setattr(certificates.checker().Told, "work_for_a_node", 0)
    solution = solve(make_game("hidden-path", {"length": 4, "traps": 2}))
    with pytest.raises(Uncertified, match="more work than this program will do"):
        certificates.certificate(solution)


def test_chances_are_written_as_the_simplest_weights() -> None:
    assert certificates.weights({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}) == {"a": 1, "b": 1, "c": 1}
    assert certificates.weights({"a": 0.25, "b": 0.75, "c": 1e-12}) == {"a": 1, "b": 3}
    rough = certificates.weights({"a": 0.123456789123, "b": 0.876543210877})
    assert rough == {"a": 123456789123, "b": 876543210877}
    assert certificates.weights({}) == {}


def test_the_command_writes_the_file_and_says_what_it_proves(tmp_path: Path) -> None:
    file = tmp_path / "maze.cert"
    done = CliRunner().invoke(
        app, ["solve", "numeric-maze", "--set", "length=6", "--set", "traps=3", "--json",
              "--certificate", str(file)],
    )  # fmt: skip
    assert done.exit_code == 0
    assert json.loads(done.stdout)["value"] == 1.0
    assert done.stderr == f"Written to {file}: value between 1 and 1.\n"
    assert checker().check(file.read_text("utf-8")) == (1, 1)


@pytest.mark.parametrize("name", ["", "nowhere/maze.cert"])
def test_where_nothing_can_be_written_nobody_waits_for_a_solution(
    name: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["solve", "numeric-maze", "--certificate", str(tmp_path / name)])
    assert isinstance(done.exception, OSError)
    assert done.stdout == ""


def test_the_command_says_that_a_certificate_proves_less_than_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the checker follows the proof of one side, and not of the other."""
    monkeypatch.setattr(certificates, "kept", lambda *_: [Fraction(-1)])
    file = tmp_path / "maze.cert"
    done = CliRunner().invoke(
        app, ["solve", "numeric-maze", "--set", "length=6", "--set", "traps=3", "--json",
              "--certificate", str(file)],
    )  # fmt: skip
    assert done.exit_code == 0
    said, less = done.stderr.splitlines()
    assert said == f"Written to {file}: value between -1 and 1."
    assert less.startswith("That is less than was found")


def test_what_was_solved_is_told_where_it_cannot_be_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(certificates, "NODE_BYTES", 1e15)
    file = tmp_path / "proof.cert"
    options = ["--set", "length=4", "--set", "traps=2", "--json", "--certificate", str(file)]
    found = CliRunner().invoke(app, ["solve", "hidden-path", *options])
    assert isinstance(found.exception, Uncertified)
    assert json.loads(found.stdout)["exact"]
    assert not file.exists()
