"""A board of one's own costs no more than a class in the game's own file."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.outside.examples import random_match
from trapline import core
from trapline.boards import decode_view
from trapline.checking import look
from trapline.games import make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = '''
"""Two hands on a clock: move yours one to three hours; who comes to twelve first wins."""

import trapline
from trapline import ONGOING, NO_QUESTION, ask_number, won, Told
from trapline.core import Drawing, Picture, Shape


class Clock(trapline.Board, frozen=True, tag="clock"):
    hours: tuple[int, int]

    def words(self, names, place):
        return [f"{names[seat]} is at {self.hours[seat - 1]} o'clock." for seat in (1, 2)]

    def drawing(self, names, viewer, *, plain, width):
        return Drawing(((("%2d %2d" % self.hours, ""),),), ())

    def picture(self, names, viewer, place="place"):
        hands = (Shape("circle", 50, 50 - hour, id=str(i)) for i, hour in enumerate(self.hours))
        return Picture(100, 100, tuple(hands))

    def planes(self):
        return {"mine": 13, "theirs": 13}

    def numbers(self, seat):
        return {"mine": (self.hours[seat - 1],), "theirs": (self.hours[2 - seat],)}

    def mirrored(self):
        return Clock((self.hours[1], self.hours[0]))


class State(trapline.State, frozen=True):
    hours: tuple[int, int]


class Hours(trapline.Game[State]):
    """Move your hand one to three hours. Who comes to twelve first wins."""

    name = "hours"
    title = "Hours"
    summary = "A race to twelve."
    hides = False

    def __init__(self, options):
        self.options = options
        self.moves = tuple(ask_number("hours", range(1, min(3, 12 - h) + 1)) for h in range(12))

    def start(self, first):
        return State(first, 0, ONGOING, (0, 0))

    def question(self, state, seat):
        return self.moves[state.hours[seat - 1]] if seat == state.mover else NO_QUESTION

    def apply(self, state, seat, answer):
        one, two = state.hours
        hours = (one + answer, two) if seat == 1 else (one, two + answer)
        outcome = won(seat, "twelve") if hours[seat - 1] == 12 else ONGOING
        return State(3 - seat, state.turn + 1, outcome, hours)

    def events(self, before, seat, answer, after):
        yield Told(seat, f"{{by}} moves {answer} hours.")

    def board(self, state, seat, over):
        return Clock(state.hours)
'''


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "hours.py"
    path.write_text(CLOCK, "utf-8")
    return str(path)


def test_it_is_sound_played_told_drawn_and_sent(spec: str) -> None:
    assert look(spec, {}).findings == ()
    game = make_game(spec)
    match = random_match(game, Random(1))
    for seat in (*core.SEATS, None):
        view = match.view(seat)
        assert decode_view(msgspec.json.encode(view)) == view
    assert Match.restore(match.record()).view(1) == match.view(1)
    names = {1: "Ann", 2: "Ben"}
    assert len(match.view(1).board.words(names, "hour")) == 2  # type: ignore[arg-type]
