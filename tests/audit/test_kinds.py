"""Faults planted in environments of every other kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.adapters.outside import ANY_GAME
from tests.audit import rounds, served, spiel
from tests.audit.heaps import written
from tests.audit.looks import HOUR, found_in, looked, reproduced
from tests.outside import test_bad_games as bad
from trapline.audit import looking, reproduce
from trapline.audit.targets import subject_named

if TYPE_CHECKING:
    from pathlib import Path

SOME_BAD_GAMES = ["deadlock", "endless", "leak", "memory"]


def in_library(library: str, target: str) -> str:
    return target.replace("gymnasium:", f"{library}:")


@pytest.mark.slow
@pytest.mark.parametrize("what", rounds.PETTINGZOO_FAULTS)
def test_a_fault_in_pettingzoo_is_found(what: str, tmp_path: Path) -> None:
    check, old, new = rounds.PETTINGZOO_FAULTS[what]
    target = in_library("pettingzoo", written(tmp_path, rounds.PETTINGZOO, (old, new)))
    found = found_in(target, states=150)
    assert check in found, found
    reproduced(found[check])


def test_a_move_that_loses_by_the_rules_is_not_refused(tmp_path: Path) -> None:
    target = in_library("pettingzoo", written(tmp_path, rounds.PETTINGZOO, rounds.LOSES))
    assert found_in(target, states=150).keys() <= {"decided"}


def test_what_is_refused_is_no_crash_besides(tmp_path: Path) -> None:
    """Where twins are looked for, moves are taken that nobody has tried before."""
    _, old, new = rounds.PETTINGZOO_FAULTS["a masked action is refused"]
    target = in_library("pettingzoo", written(tmp_path, rounds.PETTINGZOO, (old, new)))
    assert found_in(target, states=150).keys() == {"refused"}


@pytest.mark.slow
@pytest.mark.parametrize("what", rounds.TEXTARENA_FAULTS)
def test_a_fault_in_textarena_is_found(what: str, tmp_path: Path) -> None:
    check, old, new = rounds.TEXTARENA_FAULTS[what]
    target = in_library("textarena", written(tmp_path, rounds.TEXTARENA, (old, new)))
    found = found_in(target, states=60, positions=40)
    assert check in found, found
    reproduced(found[check])


@pytest.mark.parametrize("what", [*served.OPENENV_FAULTS, ""])
def test_a_fault_in_openenv_is_found_and_without_it_nothing(what: str, tmp_path: Path) -> None:
    check, old, new = served.OPENENV_FAULTS.get(what, ("", "", ""))
    target = in_library("openenv", written(tmp_path, served.OPENENV, (old, new)))
    found = found_in(target, states=60, positions=60)
    if not what:
        assert found.keys() <= {"decided"}
        return
    assert check in found, found
    reproduced(found[check])


@pytest.mark.parametrize("every", [4, 10, 15])
def test_chance_is_not_mistaken_for_what_a_neighbour_did(tmp_path: Path, every: int) -> None:
    seldom = f"1 + (next(DRAWS) % {every} == {every - 1})"
    changes = [
        ("from random import Random\n", "from itertools import count\nDRAWS = count()\n"),
        ("Random(seed).randint(1, 3)", seldom),
    ]
    target = in_library("openenv", written(tmp_path, served.OPENENV, *changes))
    found = found_in(target, states=60, positions=60)
    assert found.keys() & {"chance", "shared state", "reset"} == {"chance"}


@pytest.mark.parametrize(("check", "name"), [*spiel.FAULTS.items(), *spiel.MORE.items()])
def test_a_fault_in_open_spiel_is_found(check: str, name: str) -> None:
    found = found_in(f"pyspiel:{name}")
    assert check in found, found
    reproduced(found[check])


@pytest.mark.slow
@pytest.mark.parametrize("what", SOME_BAD_GAMES)
def test_a_fault_in_a_game_for_the_referee_is_found(what: str, tmp_path: Path) -> None:
    check, change, _ = bad.UNSOUND[what]
    found = found_in(bad.written(tmp_path, change), states=60)
    assert check in found
    reproduced(found[check])


def test_dark_hex_is_found_out_and_its_tensor_is_not_blamed() -> None:
    found = found_in("pyspiel:dark_hex(board_size=2)", states=600, positions=600)
    assert found.keys() == {"leak"}
    assert "Player 0 can tell two positions apart by information state" in found["leak"].sentence
    assert found["leak"].play == (0, 0, 1)
    reproduced(found["leak"])


def test_time_begins_when_the_target_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MOST_STATES", 30)
    monkeypatch.setattr(looking, "PLAYS", 1)
    look = looking.Look("numeric-maze", subject_named("numeric-maze"), HOUR)
    look.begun -= 2 * HOUR  # it took so long to load
    assert look.run().figures.states >= 30


# --- what is sound ----------------------------------------------------------------------

OPEN_SPIEL = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1)",
    "tic_tac_toe",
    "phantom_ttt",
    "goofspiel(num_cards=3,imp_info=True,players=2)",
    "connect_four",
    "matching_pennies_3p",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)",
    "backgammon",
    "python_tic_tac_toe",
    "python_kuhn_poker",
]
PETTINGZOO = ["tictactoe_v3", "connect_four_v3", "rps_v2", "leduc_holdem_v4"]


@pytest.mark.parametrize("name", OPEN_SPIEL)
def test_open_spiels_sound_games_are_left_alone(name: str) -> None:
    assert found_in(f"pyspiel:{name}").keys() <= {"decided"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # how PettingZoo's modules may be imported is their affair
@pytest.mark.parametrize("name", PETTINGZOO)
def test_pettingzoos_sound_games_are_left_alone(name: str) -> None:
    assert found_in(f"pettingzoo:{name}", states=40, positions=40).keys() <= {"decided"}


@pytest.mark.parametrize(
    ("library", "text"),
    [("pettingzoo", rounds.PETTINGZOO), ("textarena", rounds.TEXTARENA)],
)
def test_the_environments_without_their_faults_are_left_alone(
    library: str, text: str, tmp_path: Path
) -> None:
    found = found_in(in_library(library, written(tmp_path, text)), states=100, positions=60)
    assert found.keys() <= {"decided"}


@pytest.mark.parametrize("name", ANY_GAME)
def test_our_own_games_are_left_alone(name: str) -> None:
    assert looked(name, states=30, plays=2).ok


def test_that_another_has_had_a_turn_is_no_leak() -> None:
    """Who begins must pay the blind, who comes second need not: the mask says so, and may."""
    reproduce("pettingzoo:texas_holdem_v4", "leak", [], seed=22, beside=(16, [0]))
