"""Games from outside on the command line, from the first file to the last record."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.outside.examples import FILES, IDS, ROOT
from trapline.games import GAMES

if TYPE_CHECKING:
    from pathlib import Path

KUHN = str(ROOT / "examples" / "games" / "kuhn.py")


def trapline(*arguments: str, folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def pebbles(tmp_path: Path) -> Path:
    """A folder in which `trapline new pebbles` was called."""
    done = trapline("new", "pebbles", folder=tmp_path)
    assert done.returncode == 0
    return tmp_path


# --- new --------------------------------------------------------------------------------


@pytest.mark.slow
def test_new_writes_a_game_that_passes_its_check_and_its_test(pebbles: Path) -> None:
    assert sorted(path.name for path in pebbles.glob("*.py")) == ["pebbles.py", "test_pebbles.py"]
    assert len((pebbles / "pebbles.py").read_text("utf-8").splitlines()) < 80
    done = trapline("check", "./pebbles.py", folder=pebbles)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(
        r"pebbles is sound, as far as \d+ states and 20 matches can tell\.", done.stdout
    )
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_pebbles.py"],
        capture_output=True, text=True, check=False, cwd=pebbles,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert "3 passed" in tested.stdout, tested.stdout


def test_new_names_things_in_their_own_manner(tmp_path: Path) -> None:
    assert trapline("new", "Pebble Race", folder=tmp_path).returncode == 0
    text = (tmp_path / "pebble_race.py").read_text("utf-8")
    for expected in ("class PebbleRace(", 'name = "pebble-race"', 'title = "Pebble Race"'):
        assert expected in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hidden-path", "hidden-path is taken"),
        ("trapline", "trapline is taken"),
        ("json", "json is taken"),
        ("class", "class is taken"),
        ("3 men", "'3 men' is no name for a game"),
        ("../escape", "'../escape' is no name for a game"),
        ("", "'' is no name for a game"),
    ],
)
def test_new_refuses_names_that_would_not_work(name: str, expected: str, tmp_path: Path) -> None:
    done = trapline("new", name, folder=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert list(tmp_path.glob("*.py")) == []


def test_new_overwrites_nothing(pebbles: Path) -> None:
    (pebbles / "pebbles.py").write_text("mine")
    done = trapline("new", "pebbles", folder=pebbles)
    assert done.returncode == 2
    assert "pebbles.py is there already, and is left as it is." in done.stderr
    assert (pebbles / "pebbles.py").read_text() == "mine"


# --- games ------------------------------------------------------------------------------


def test_games_lists_all_with_their_origin(pebbles: Path) -> None:
    done = trapline("games", "--json", "--game", "./pebbles.py", folder=pebbles)
    listed = json.loads(done.stdout)
    assert [entry["name"] for entry in listed] == [*GAMES, "pebbles"]
    for entry in listed:
        assert entry.keys() == {"name", "title", "origin", "options", "presets"}
        for preset in entry["presets"]:
            assert preset.keys() == {"name", "options", "value", "bounds", "verdict"}
    assert listed[0]["origin"] == "rulebook"
    assert listed[-1]["origin"] == str(pebbles / "pebbles.py")
    assert listed[4]["options"] == {
        "length": 20, "traps": [5, 10, 15], "max_step": 3, "turn_limit": 200,
    }  # fmt: skip
    plain = trapline("games", folder=pebbles).stdout
    assert "hidden-path   Hidden Path (rulebook)\n" in plain


# --- a match, from the first answer to the last proof -----------------------------------


def test_a_match_is_played_kept_resumed_replayed_verified_and_analysed(pebbles: Path) -> None:
    begun = trapline("play", "./pebbles.py", "--first", "1", folder=pebbles, given="2\n3\n1\n")
    assert begun.returncode == 1
    resumed = re.search(r"trapline resume (\S+)'", begun.stdout)
    assert resumed is not None
    match_id = resumed[1]
    done = trapline("resume", match_id, folder=pebbles, given="2\n")
    assert done.returncode == 0
    assert "Player 2 takes 2. It was cursed!" in done.stdout
    assert "Player 1 wins the game!" in done.stdout
    assert "pebbles" in trapline("history", folder=pebbles).stdout
    assert "It was cursed!" in trapline("replay", match_id, folder=pebbles).stdout
    assert "Everything holds." in trapline("verify", match_id, folder=pebbles).stdout
    assert trapline("analyse", match_id, "--json", folder=pebbles).returncode == 0


@pytest.mark.slow
def test_a_record_of_somebody_elses_needs_the_game_to_be_named(pebbles: Path, home: Path) -> None:
    trapline("play", "./pebbles.py", "--first", "1", folder=pebbles, given="2\n3\n1\n2\n")
    (path,) = (home / "matches").glob("*.json")
    for command in (["replay", "--json"], ["replay"], ["verify"], ["analyse"]):
        unknown = trapline(command[0], str(path), *command[1:], folder=pebbles)
        assert unknown.returncode == 1
        assert "There is no game called 'pebbles'" in unknown.stdout
        named = trapline(
            command[0], str(path), *command[1:], "--game", "pebbles.py", folder=pebbles
        )
        assert named.returncode == 0, named.stdout


def test_changed_rules_are_told(pebbles: Path) -> None:
    begun = trapline("play", "./pebbles.py", "--first", "1", folder=pebbles, given="2\n3\n1\n")
    resumed = re.search(r"trapline resume (\S+)'", begun.stdout)
    assert resumed is not None
    with (pebbles / "pebbles.py").open("a") as file:
        file.write("# a remark\n")
    said = "The rules of Pebbles have changed since this was played"
    answer = json.loads(trapline("replay", resumed[1], "--json", folder=pebbles).stdout)
    assert (answer["ok"], answer["rules"]) == (True, "changed")
    assert said in trapline("replay", resumed[1], folder=pebbles).stdout
    assert said in trapline("verify", resumed[1], folder=pebbles).stdout
    assert said in trapline("resume", resumed[1], folder=pebbles, given="2\n").stdout


def test_the_rules_are_the_docstring(pebbles: Path) -> None:
    page = trapline("rules", "./pebbles.py", folder=pebbles).stdout
    assert page.startswith("# Pebbles\n\nEach player curses a number from 1 to 3 in secret.")


# --- wherever a name is accepted --------------------------------------------------------


def test_the_new_game_is_solved(pebbles: Path) -> None:
    found = json.loads(trapline("solve", "./pebbles.py", "--json", folder=pebbles).stdout)
    assert found["exact"]
    assert found["value"] == pytest.approx(-0.2)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_gambit_file_is_written(path: Path, tmp_path: Path) -> None:
    done = trapline("efg", str(path), "--first", "1", folder=tmp_path)
    assert (done.returncode, done.stdout[:7]) == (0, "EFG 2 R"), done.stderr


def test_options_are_set_by_name(tmp_path: Path) -> None:
    nim = str(ROOT / "examples" / "games" / "nim.py")
    done = trapline(
        "solve", nim, "--set", "piles=1,1", "--set", "misere=true", "--json", folder=tmp_path
    )
    found = json.loads(done.stdout)
    assert (found["value"], found["options"]) == (1.0, {"piles": [1, 1], "misere": True})
    done = trapline("solve", nim, "--set", "piles=99", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "trapline: piles must be sizes from 1 to 15.\n")


@pytest.mark.parametrize("command", ["play", "rules", "solve", "fairness", "efg", "check"])
def test_what_is_wrong_with_a_file_is_a_sentence_everywhere(command: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import trapline\n\nclass Game(trapline.Game:\n")
    done = trapline(command, "./broken.py", folder=tmp_path)
    assert done.returncode in (1, 2)
    assert "broken.py, line 3 is not Python: " in done.stdout + done.stderr


def test_a_rule_that_fails_deep_inside_a_solver_is_a_sentence(pebbles: Path) -> None:
    path = pebbles / "pebbles.py"
    text = path.read_text("utf-8")
    path.write_text(
        text.replace(
            "rival, left, outcome =",
            "(0, 0, 0, 0, 0)[8 - state.heap]\n        rival, left, outcome =",
        )
    )
    for command in ("solve", "efg"):
        done = trapline(command, "./pebbles.py", folder=pebbles)
        assert done.returncode == 2
        assert re.search(
            r"Pebbles \(pebbles\.py, line \d+, in apply\) fails: IndexError", done.stderr
        )


def test_a_module_is_named_with_its_class(pebbles: Path) -> None:
    done = trapline("rules", "pebbles:Pebbles", folder=pebbles)
    assert done.stdout.startswith("# Pebbles"), done.stderr


def test_the_version_needs_no_numbers(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['trapline', '--version']\n"
        "from trapline.__main__ import main; main()\n"
        "assert not {'numpy', 'numba', 'typer', 'msgspec'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("trapline ")


def test_the_list_names_each_preset_once(tmp_path: Path) -> None:
    lines = trapline("games", folder=tmp_path).stdout.splitlines()
    named = [line.split(": ")[:2] for line in lines if line.startswith("  ")]
    assert any(name.strip() == "deep" for name, _ in named)
    assert all(name.strip() != verdict for name, verdict in named)
