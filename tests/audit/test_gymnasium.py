"""Faults planted in Gymnasium environments, for one agent and for two players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit import heaps, snares
from tests.audit.looks import found_in, reproduced

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("what", heaps.FAULTS)
def test_a_fault_in_a_game_for_two_is_found(what: str, tmp_path: Path) -> None:
    check, old, new = heaps.FAULTS[what]
    found = found_in(heaps.written(tmp_path, heaps.TEXT, (old, new)))
    assert check in found, found
    reproduced(found[check])


@pytest.mark.parametrize("what", heaps.LEAKS)
def test_a_leak_in_a_game_for_two_is_found(what: str, tmp_path: Path) -> None:
    found = found_in(heaps.written(tmp_path, heaps.SECRET, heaps.LEAKS[what]))
    assert "leak" in found
    reproduced(found["leak"])


@pytest.mark.parametrize("what", snares.BELONGINGS)
def test_what_belongs_to_the_other_is_found_where_it_shows_by_the_shortest_play(
    what: str, tmp_path: Path
) -> None:
    change, play, told = snares.BELONGINGS[what]
    found = found_in(heaps.written(tmp_path, snares.TEXT, change))
    assert told in found["leak"].sentence
    assert found["leak"].play == play
    reproduced(found["leak"])


@pytest.mark.parametrize("what", heaps.ALONE_FAULTS)
def test_a_fault_in_an_environment_for_one_is_found(what: str, tmp_path: Path) -> None:
    check, old, new = heaps.ALONE_FAULTS[what]
    found = found_in(heaps.written(tmp_path, heaps.ALONE, (old, new)))
    assert check in found, found
    reproduced(found[check])


@pytest.mark.parametrize("text", [heaps.TEXT, heaps.SECRET, snares.TEXT, heaps.ALONE])
def test_what_is_sound_is_left_alone(text: str, tmp_path: Path) -> None:
    assert found_in(heaps.written(tmp_path, text)).keys() <= {"decided"}


@pytest.mark.parametrize("what", heaps.NOT_REFUSED)
def test_a_move_that_is_punished_like_all_others_is_not_refused(what: str, tmp_path: Path) -> None:
    found = found_in(heaps.written(tmp_path, heaps.TEXT, *heaps.NOT_REFUSED[what]))
    assert "rewards" in found
    assert not {"refused", "accepted"} & found.keys()


def test_who_cannot_move_is_no_crash_of_the_one_who_looks(tmp_path: Path) -> None:
    """So deep that twins are looked for in plays at random, and these get stuck."""
    heap = heaps.TEXT.replace("self.heap = 6", "self.heap = 25").replace("-1, 9", "-1, 25")
    found = found_in(heaps.written(tmp_path, heap, ("(1, 2, 3) if move", "(2, 3) if move")))
    assert found.keys() - {"decided"} == {"deadlock"}


def test_a_step_that_returns_too_little_is_told_so(tmp_path: Path) -> None:
    short = heaps.TEXT.replace(", False, {}", ", {}")
    found = found_in(heaps.written(tmp_path, short))
    assert "it returns 4, not observation, reward, done, truncated and info" in (
        found["crash"].sentence
    )


def test_the_play_is_as_short_as_can_be(tmp_path: Path) -> None:
    check, old, new = heaps.FAULTS["a division by zero"]
    found = found_in(heaps.written(tmp_path, heaps.TEXT, (old, new)))
    assert found[check].play == (3,)


def test_a_fault_far_from_the_start_is_cut_short(tmp_path: Path) -> None:
    """Too deep for looking at everything: a play at random shows it, and is shortened."""
    deep = heaps.TEXT.replace("self.heap = 6", "self.heap = 60").replace("-1, 9", "-1, 60")
    ways = deep.replace("(1, 2, 3)", "tuple(range(1, 20))").replace("Discrete(4)", "Discrete(20)")
    path = "        self.taken = (*getattr(self, 'taken', ()), action)\n"
    wrong = heaps.MOVE + "        6 // (self.heap - 9)\n"
    found = found_in(heaps.written(tmp_path, ways, (heaps.MOVE, path + wrong)), states=20)
    assert "crash" in found
    assert len(found["crash"].play) <= 5
    assert sum(found["crash"].play) == 51


@pytest.mark.parametrize("what", heaps.NOTHING_ELSE)
def test_one_fault_is_not_told_as_others(what: str, tmp_path: Path) -> None:
    checks, *changes = heaps.NOTHING_ELSE[what]
    assert found_in(heaps.written(tmp_path, heaps.TEXT, *changes)).keys() - {"decided"} == checks
