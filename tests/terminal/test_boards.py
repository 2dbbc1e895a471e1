"""Boards as text, looked at."""

from __future__ import annotations

from random import Random

import pytest

from tests import worlds
from trapline.boards.glyphs import ASCII, UNICODE
from trapline.core import SEATS, Names, Viewer
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.terminal import boards

NAMES: Names = {1: "Ann", 2: "Ben"}


def drawn(match: Match, seat: Viewer, width: int, *, ascii_only: bool = False) -> str:
    board = match.view(seat).board
    lines = boards.draw(board, NAMES, seat, ascii_only=ascii_only, width=width)
    return "\n".join(line.plain.rstrip() for line in lines)


def test_a_track_for_its_owner() -> None:
    match = Match(make_game("hidden-path"), 1)
    match.play(1, [4, 7, 10])
    match.play(2, [2, 6, 8])
    match.play(1, 2)
    match.play(2, 3)
    assert (
        drawn(match, 1, 80)
        == """\
  0  1  2  3  4  5  6  7  8  9 10
┌──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┐
│1 │  │  │ 2│  │  │  │  │  │  │  │
│  │  │ ▽│  │▲ │  │  │▲ │  │  │▲ │
└──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴★★┘
1 Ann   2 Ben   ▲ Ann's trap   ▽ sprung, safe now   ★ goal"""
    )


def test_the_same_track_for_a_spectator_in_ascii_and_forty_columns() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.play(1, [4, 7, 9])
    match.play(2, [2, 6, 8])
    match.play(1, 1)
    assert (
        drawn(match, None, 40, ascii_only=True)
        == """\
  0  1  2  3  4  5  6  7  8  9 10
+--+--+--+--+--+--+--+--+--+--+--+
|  |1 |  |  |  |  |  |  |  |  | 2|
|  |  |  |  |  |  |  |  |  |  |  |
+2*+--+--+--+--+--+--+--+--+--+1*+
1 Ann   2 Ben   * goal"""
    )


def test_a_grid_with_ones_own_goal() -> None:
    match = Match(make_game("secret-paths", {"size": 3}), 1)
    match.play(1, [3, 1])
    match.play(2, [1, 3])
    assert (
        drawn(match, 2, 80)
        == """\
    1   2   3
  ┌───┬───┬───┐
1 │   │   │ 2★│
  ├───┼───┼───┤
2 │   │S  │   │
  ├───┼───┼───┤
3 │   │   │   │
  └───┴───┴───┘
S Seeker   2★ Ben's Goal Cell"""
    )


def test_a_board_in_words() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.play(1, [4, 7, 9])
    match.play(2, [2, 6, 8])
    assert match.view(1).board.words(NAMES, "position") == [
        "Ann is on position 0, goal 10.",
        "Ben is on position 10, goal 0.",
        "Ann's traps: 4, 7, 9.",
    ]
    grid = Match(make_game("secret-paths"), 1)
    grid.play(1, [5, 2])
    assert grid.view(1).board.words(NAMES, "cell") == [
        "The Seeker is on row 3, column 3.",
        "Ann's Goal Cell is row 5, column 2.",
    ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("width", [40, 57, 80, 120])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    rng = Random(name)
    for number in range(30):
        options = worlds.random_options(name, rng) if number else {"size": 9}
        if number == 0 and name != "secret-paths":
            options = {"length": 99}
        match = worlds.random_match(make_game(name, options), rng)
        for seat in (*SEATS, None):
            for ascii_only in (False, True):
                for line in drawn(match, seat, width, ascii_only=ascii_only).splitlines():
                    assert len(line) <= width


def test_colour_says_nothing_that_a_character_does_not() -> None:
    """Every sign of one kind has one colour, and no two kinds share a character."""
    assert len(set(UNICODE.traps + UNICODE.spent)) == 4
    assert ASCII.traps[0] != ASCII.traps[1]
    assert set(ASCII.spent).isdisjoint(ASCII.traps)
    assert "".join(map(str, ASCII)).isascii()
