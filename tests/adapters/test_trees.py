"""Anybody's game under `trapline solve`: Gambit files, and OpenSpiel's games by name."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from tests.solve import programs
from trapline.adapters.efg import extensive_form
from trapline.adapters.efg_tree import BadTree, EfgTree
from trapline.adapters.trees import tree_of
from trapline.cli.commands import app
from trapline.core import TraplineError
from trapline.games import make_game
from trapline.home import cache_folder
from trapline.solve import TooLarge, Unsuited, extensive, solve

if TYPE_CHECKING:
    from pathlib import Path

PENNIES = """EFG 2 R "Pennies" { "One" "Two" } "a comment"
p "" 1 1 "" { "H" "T" } 0
p "" 2 1 "blind" { "H" "T" } 0
t "" 1 "same" { 1, -1 }
t "" 2 "other" { -1 1 }
p "" 2 1 0
t "" 2
t "" 1
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_HOME", str(tmp_path / "home"))


def value_of(tree: Any) -> float:
    assert tree is not None
    found = extensive.solved(tree)
    assert found.facts.exact
    return found.facts.value


def written(folder: Path, text: str) -> EfgTree:
    file = folder / "game.efg"
    file.write_text(text, "utf-8")
    return EfgTree(file)


# --- values -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker",
        "goofspiel(num_cards=3,imp_info=True)",
        "goofspiel(num_cards=4,points_order=descending,imp_info=True)",
        "liars_dice(dice_sides=3)",
        "matrix_rpsw",
        "liars_dice(dice_sides=2)",
    ],
)
def test_values_are_those_of_a_program_over_open_spiels_own_trees(name: str) -> None:
    assert value_of(tree_of(f"pyspiel:{name}")) == pytest.approx(programs.value_of(name), abs=1e-8)


def test_leduc_is_worth_what_is_published() -> None:
    assert value_of(tree_of("pyspiel:leduc_poker")) == pytest.approx(-0.085606424078, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hidden-path", {"length": 3, "traps": 1, "max_step": 2}),
        ("trap-builder", {"length": 4, "traps": 1, "walls": False}),
        ("secret-paths", {"size": 3, "turn_limit": 2}),
        ("numeric-maze", {"length": 4, "traps": [2], "turn_limit": 5}),
        ("trap-runner", {"length": 4, "max_step": 2, "turn_limit": 6}),
        ("examples/games/kuhn.py", {}),
    ],
)
def test_a_game_written_to_a_file_is_worth_what_it_is_worth(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    game = make_game(name, options)
    tree = written(tmp_path, "\n".join(extensive_form(game, 1)))
    assert value_of(tree) == pytest.approx(solve(game).value, abs=1e-8)


def test_what_was_said_before_need_not_be_said_again(tmp_path: Path) -> None:
    assert value_of(written(tmp_path, PENNIES)) == pytest.approx(0, abs=1e-12)


def test_results_on_the_way_count_and_numbers_may_be_anything(tmp_path: Path) -> None:
    """A fee of 1/2, then a draw: 0.25 · 4 − 0.75 · 0.4 − 0.5 = 0.2."""
    tree = written(
        tmp_path,
        'EFG 2 R "Fee" { "A" "B" }\n'
        'p "" 1 1 "pay?" { "yes" "no" } 0\n'
        'c "" 1 "" { "won" 0.25 "lost" 3/4 } 1 "fee" { -1/2, 1/2 }\n'
        't "" 2 "" { 4 -4 }\nt "" 3 "" { -.4e0 4e-1 }\nt "" 4 "" { 0 0 }\n',
    )
    assert value_of(tree) == pytest.approx(0.2)


def test_a_tree_deeper_than_any_stack(tmp_path: Path) -> None:
    lines = ['EFG 2 R "Deep" { "A" "B" }']
    for number in range(1, 5_001):
        lines += [f'p "" {number % 2 + 1} {number} "" {{ "stop" "go" }} 0', 't "" 1 "" { 1 -1 }']
    lines.append('t "" 2 "" { -1 1 }')
    # Player 2 never stops, which would lose; Player 1 stops at once.
    assert value_of(written(tmp_path, "\n".join(lines))) == 1.0


# --- refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{ 1, -1 }", "{ 1, 1 }", "is not zero-sum: an end gives 1 to one player and 1"),
        ('{ "One" "Two" }', '{ "One" "Two" "Three" }', "line 1: there must be two players, not 3"),
        ("EFG 2 R", "NFG 1 R", "does not begin with EFG 2 R"),
        ('p "" 2 1 0', 'p "" 3 1 0', "line 6: there is no player 3"),
        ('p "" 2 1 0', 'p "" 2 7 0', "line 6: information set 7 has no answers"),
        ('p "" 2 1 0', 'p "" 2 1 "" { "a" } 0', "line 6: information set 1 has other answers"),
        ('t "" 2\n', 't "" 9\n', "line 7: outcome 9 was never described"),
        ('t "" 2\n', 't "" 2 "" { 2 -2 }\n', "line 7: outcome 2 is described otherwise before"),
        ('t "" 1\n', "", "ends in the middle of a tree"),
        ('t "" 1\n', 't "" 1\nt "" 1\n', "more than one tree"),
        ("{ 1, -1 }", "{ 1 }", "a result for each of both players"),
        ("{ 1, -1 }", "{ 1/0 -1 }", "'1/0' should be a number"),
        ("{ 1, -1 }", "{ 1e400, -1e400 }", "line 4: '1e400' is too long, too large or too small"),
        ("{ 1, -1 }", "{ 1e-999999999, 0 }", "'1e-999999999' is too long, too large or too small"),
        ("{ 1, -1 }", f"{{ {'7' * 99}, 0 }}", "'77777777777777777777' is too long"),
        ('t "" 2\n', 'x "" 2\n', "line 7: a node begins with c, p or t"),
        ('"H" "T" } 0\np', '"H" "T" } zero\np', "'zero' should be a whole number"),
        (PENNIES, "", "ends in the middle of a tree"),
    ],
)
def test_what_is_no_such_game_gets_a_sentence(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    assert old in PENNIES
    with pytest.raises((BadTree, Unsuited), match=words):
        extensive.solved(written(tmp_path, PENNIES.replace(old, new, 1)))


def test_chances_must_add_up(tmp_path: Path) -> None:
    text = 'EFG 2 R "" { "A" "B" }\nc "" 1 "" { "a" 1/2 "b" 1/3 } 0\nt "" 1 "" { 0 0 }\nt "" 1\n'
    with pytest.raises(Unsuited, match="do not add up to one"):
        extensive.solved(written(tmp_path, text))


def test_a_draw_has_the_same_chances_wherever_it_is_described(tmp_path: Path) -> None:
    """Which of two descriptions was meant nobody knows: the value would be that of another game."""
    text = 'EFG 2 R "" { "A" "B" }\np "" 1 1 "" { "l" "r" } 0\n'
    for often in ("1/2", "1/4"):
        text += f'c "" 1 "" {{ "a" {often} "b" {1 - Fraction(often)} }} 0\n'
        text += 't "" 1 "" { 1 -1 }\nt "" 2 "" { -1 1 }\n'
    with pytest.raises(BadTree, match="line 6: draw 1 is described otherwise before"):
        written(tmp_path, text)


def test_whoever_forgets_is_refused(tmp_path: Path) -> None:
    text = (
        'EFG 2 R "Absent" { "A" "B" }\np "" 1 1 "" { "l" "r" } 0\n'
        'p "" 1 2 "" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { -1 1 }\n'
        'p "" 1 2 0\nt "" 2\nt "" 1\n'
    )
    with pytest.raises(Unsuited, match="In Absent Player 1 forgets"):
        extensive.solved(written(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nonsense", "knows no game 'nonsense'"),
        ("kuhn_poker(players=3)", "has 3 players here, not two"),
        ("matrix_pd", "is not zero-sum"),
        ("kuhn_poker(cards=3)", "OpenSpiel cannot make"),
    ],
)
def test_what_open_spiel_has_not_or_is_not_suited_gets_a_sentence(name: str, words: str) -> None:
    with pytest.raises(TraplineError, match=words):
        extensive.solved(tree_of(f"pyspiel:{name}"))  # type: ignore[arg-type]


def test_a_tree_that_is_too_large_says_so() -> None:
    tree = tree_of("pyspiel:leduc_poker")
    assert tree is not None
    with pytest.raises(TooLarge, match="more than 500 nodes"):
        extensive.sequence_form(tree, 500)


def test_a_tree_that_cannot_be_walked_in_time_says_so() -> None:
    tree = tree_of("pyspiel:chess")
    assert tree is not None
    with pytest.raises(TooLarge, match="There was no time to list the tree of Chess"):
        extensive.sequence_form(tree, until=time.monotonic())


# --- kept, and at the command line ------------------------------------------------------


def test_a_solution_is_kept_and_proven_again(tmp_path: Path) -> None:
    found = extensive.solved(written(tmp_path, PENNIES))
    (file,) = cache_folder().glob("tree-*.solution")
    again = extensive.solved(written(tmp_path, PENNIES))
    assert again.facts == found.facts
    file.write_bytes(file.read_bytes()[:-9])
    mended = extensive.solved(written(tmp_path, PENNIES))
    assert mended.facts.bounds == found.facts.bounds
    other = extensive.solved(written(tmp_path, PENNIES.replace("{ 1, -1 }", "{ 3, -3 }")))
    assert other.facts.value > 0
    assert len(list(cache_folder().glob("tree-*.solution"))) == 2


def test_the_command_takes_them(tmp_path: Path) -> None:
    (tmp_path / "pennies.efg").write_text(PENNIES, "utf-8")
    run = CliRunner().invoke
    told = run(app, ["solve", str(tmp_path / "pennies.efg"), "--json"])
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    assert (found["value"], found["exact"], found["options"]) == (0.0, True, {})
    shown = run(app, ["solve", "pyspiel:kuhn_poker"])
    assert "Player 2 gains 0.0555556 on average" in shown.stdout
    assert "value for Player 1" in shown.stdout
    for arguments in (["pyspiel:kuhn_poker", "--set", "a=1"], [str(tmp_path / "none.efg")]):
        refused = run(app, ["solve", *arguments])
        assert isinstance(refused.exception, TraplineError) or refused.exit_code != 0
