"""Kept solutions: found again, checked, rebuilt when damaged; and the command."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from typer.testing import CliRunner

from trapline.cli.commands import app
from trapline.games import make_game
from trapline.referee import Match
from trapline.solve import load, solve, solved, storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GAME = ("trap-builder", {"length": 7, "traps": 2, "walls": False})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, and nothing shipped: what is kept is all there is."""
    monkeypatch.setenv("TRAPLINE_HOME", str(tmp_path))
    monkeypatch.setattr(storage, "shipped", lambda *_: tmp_path / "nothing shipped")
    return tmp_path


def test_a_kept_solution_comes_back_equal() -> None:
    game = make_game(*GAME)
    made = solved(game)
    kept = load(game)
    assert kept is not None
    assert kept.facts == made.facts
    opening = Match(game, 1).view(1)
    assert kept.policy.look(opening) == made.policy.look(opening)


def test_options_and_games_have_files_of_their_own(home: Path) -> None:
    solved(make_game("trap-runner"))
    solved(make_game("trap-runner", {"length": 9}))
    solved(make_game("numeric-maze"))
    assert len(list((home / "cache").iterdir())) == 3


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "strategy"])
def test_a_damaged_file_is_rebuilt(damage: str) -> None:
    game = make_game(*GAME)
    made = solved(game)
    file = storage.path(game)
    data = file.read_bytes()
    broken = {
        "cut": data[: len(data) // 2],
        "flip": data[:-9] + bytes([data[-9] ^ 64]) + data[-8:],
        "empty": b"",
        "text": b"no solution\nat all\n",
        "strategy": b"",
    }[damage]
    if damage == "strategy":  # a true checksum over strategies that do not keep their bounds
        made.profile.table[:] = 0.5  # type: ignore[attr-defined]
        storage.save(made)
    else:
        file.write_bytes(broken)
    assert load(game) is None
    again = solved(game)
    assert again.bounds == pytest.approx(made.bounds)
    assert load(game) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numeric-maze", "trap-runner", "trap-builder"])
@pytest.mark.parametrize(
    "claim", [{"value": 0.0, "bounds": (0.0, 0.0)}, {"turns": 5}, {"exact": False}]
)
def test_a_forced_result_is_proven_again_when_it_is_loaded(
    name: str, claim: dict[str, Any]
) -> None:
    game = make_game(name)
    made = solved(game)
    assert made.forced
    again = load(game)
    assert again is not None
    assert again.facts == made.facts
    made.facts = msgspec.structs.replace(made.facts, **claim)
    storage.save(made)
    assert load(game) is None
    assert solved(game).value == again.value


def test_a_finer_target_is_solved_anew_and_the_better_one_is_kept() -> None:
    game = make_game("trap-builder", {"walls": False})
    rough = solved(game, target=0.05)
    fine = solved(game, target=1e-3)
    assert fine.exploitability <= 1e-3 < rough.exploitability
    assert solved(game, target=0.05).facts == fine.facts


@pytest.fixture
def leap(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Callable[[int, Any], None]]:
    """Lets so much time pass as soon as a search has got somewhere, however fast the machine is."""
    real, passed = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + passed[0])
    return lambda seconds: lambda _iterations, _certificate: passed.__setitem__(0, seconds)


def test_a_time_limit_keeps_the_best_so_far(
    leap: Callable[[float], Callable[[int, Any], None]],
) -> None:
    game = make_game("trap-builder", {"walls": False})
    found = solve(game, target=1e-12, time_limit=3600, progress=leap(3600))
    assert not found.exact
    assert found.bounds[0] < found.bounds[1]


def test_a_time_limit_ends_a_linear_program_too(
    leap: Callable[[float], Callable[[int, Any], None]],
) -> None:
    game = make_game("trap-builder", {"walls": False})
    found = solve(game, target=0.0, time_limit=3600, progress=leap(3599.9))
    assert not found.exact
    assert -1 <= found.bounds[0] < found.bounds[1] <= 1  # how close depends on the machine


def test_ctrl_c_keeps_the_best_so_far() -> None:
    def stop(iterations: int, _certificate: Any) -> None:
        if iterations > 30:
            raise KeyboardInterrupt

    game = make_game("trap-builder", {"walls": False})
    found = solved(game, target=1e-12, progress=stop)
    kept = load(game)
    assert kept is not None
    assert kept.facts == found.facts


def test_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_HOME", "/dev/null/nowhere")
    assert solved(make_game("trap-runner")).value == 1


# --- the command ------------------------------------------------------------------------


def run(*arguments: str) -> str:
    found = CliRunner().invoke(app, ["solve", *arguments])
    assert found.exit_code == 0, found.output
    return found.output


def test_json_is_what_other_programs_rely_on() -> None:
    answer = json.loads(run("trap-builder", "--json"))
    assert answer.pop("seconds") >= 0
    assert answer == {
        "game": "trap-builder",
        "options": {},
        "value": -1.0,
        "bounds": [-1.0, -1.0],
        "exploitability": 0.0,
        "exact": True,
    }


def test_json_names_only_changed_options() -> None:
    answer = json.loads(run("trap-builder", "--set", "length=6", "--set", "traps=3", "--json"))
    assert answer["options"] == {"length": 6}


def test_target_zero_asks_for_an_exact_value() -> None:
    options = ("--set", "walls=false", "--set", "length=9", "--target", "0", "--json")
    assert json.loads(run("trap-builder", *options))["exact"] is True


def test_people_read_value_winner_secrets_certificate_and_time() -> None:
    text = run("trap-builder", "--set", "walls=false", "--set", "length=8")
    assert "Whoever moves second has the better chances" in " ".join(text.split())
    assert "-0.417219" in text
    assert "0 (exact)" in text
    assert "best secrets for whoever moves first" in text
    assert "solved in" in text
