"""Moves that never came to their end: what was opened for them is in the record, they are not."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.locked.playing import GAMES, Devices, written
from trapline.core import SEATS, other
from trapline.referee import Record, parse_record, verify

if TYPE_CHECKING:
    from trapline.referee.locked.evidence import Opened

PASSING = ("trap-builder", {"length": 8, "traps": 2, "trigger": "passing"})


def faults(record: Record) -> list[str]:
    return [finding.fault for finding in verify(record) if finding.fault]


def begun(rng: Random) -> Devices:
    """A move past several places, of which the first has been opened."""
    while True:
        both = Devices(*PASSING, rng)
        both.lock()
        both.move(rng)
        asked = both.locked.awaited
        assert asked is not None
        both.locked.open(asked.seat, *both.devices[asked.seat].open(asked.place, asked.turn))
        if both.locked.awaited is not None:
            return both


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_who_gives_up_while_a_device_is_waited_for_is_accused_of_nothing(
    name: str, options: dict[str, Any]
) -> None:
    for seed in range(10):
        rng = Random(seed)
        both = Devices(name, options, rng)
        both.lock()
        locked = both.locked
        while locked.decided is None:
            both.move(rng)
            while locked.decided is None and (asked := locked.awaited) is not None:
                if rng.random() < 0.2:
                    locked.resign(rng.choice(SEATS))
                else:
                    device = both.devices[asked.seat]
                    locked.open(asked.seat, *device.open(asked.place, asked.turn))
        both.open_the_rest()
        assert faults(written(locked)) == []


def test_who_gives_up_in_the_middle_of_a_move_is_accused_of_nothing() -> None:
    for seed in range(5):
        both = begun(Random(seed))
        both.locked.resign(1)
        both.open_the_rest()
        record = written(both.locked)
        assert record.locked is not None
        assert [one.turn for one in record.locked.opened if one.turn is not None] == [0]
        assert record.moves == []
        assert faults(record) == []


def test_a_secret_that_is_found_out_in_the_middle_of_a_move_is_all_that_is_found() -> None:
    rng = Random(3)
    both = Devices("hidden-path", {"length": 6, "traps": 2}, rng)
    cheat = both.devices[2]
    cheat.holds = dict.fromkeys(cheat.holds, True)
    both.lock()
    while both.locked.decided is None:
        both.move(rng)
        both.answer()
    both.open_the_rest()
    (fault,) = faults(written(both.locked))
    assert fault.startswith("Player 2: That is 6 steps")


def test_what_is_said_to_have_been_opened_for_such_a_move_is_held_against_the_rules() -> None:
    """Openings of the end, said to have been made for a move that nobody made."""
    both = begun(Random(1))
    both.locked.resign(1)
    both.open_the_rest()
    record = written(both.locked)
    assert record.locked is not None
    first, *rest = record.locked.opened
    for number in range(len(rest)):
        moved = [*rest[:number], *rest[number + 1 :]]
        said = msgspec.structs.replace(rest[number], turn=0)
        record.locked.opened = [first, said, *moved]
        may_be = rest[number].seat == first.seat and rest[number].place == _next_place(both, first)
        assert bool(faults(record)) != may_be


def _next_place(both: Devices, first: Opened) -> str:
    """On the way past the first: nobody can know that it was not opened for that move."""
    step = 1 if first.seat == 2 else -1
    return str(int(first.place) + step)


def test_a_match_that_goes_on_is_accused_of_nothing() -> None:
    both = begun(Random(2))
    record = parse_record(both.locked.sealed_record().to_json().encode())
    assert record.result is None
    assert faults(record) == []


def test_a_record_says_which_place_was_waited_for() -> None:
    """Another one would be laid to the charge of whoever did not open in time."""
    both = begun(Random(4))
    asked = both.locked.awaited
    assert asked is not None
    both.locked.run_out_of_time(asked.seat)
    winner = other(asked.seat)
    holds, salts = both.devices[winner].rest(both.locked.boxes[winner].known)
    both.locked.open_rest(winner, holds, salts)
    both.locked.run_out_of_time(asked.seat)
    record = written(both.locked)
    named = f"Player {asked.seat} did not open position {asked.place} in the time allowed"
    assert named in faults(record)
    assert record.locked is not None
    places = [answer.text for answer in both.locked.boxes[asked.seat].question.answers]
    for place in (place for place in places if place != asked.place):
        record.locked.awaited = msgspec.structs.replace(asked, place=place)
        assert any("another place was waited for" in fault for fault in faults(record))
