"""Options under which no play at all can end in a win make no game.

What the options refuse is compared with a search of the rules: of everything that both could do,
also for each other, is there anything that ends in a win, and how soon?
"""

from __future__ import annotations

import json
from itertools import combinations, product
from typing import Any

import pytest

from tests import oracle
from trapline.core import SEATS, OptionsError
from trapline.games import make_game
from trapline.referee.walk import replay_answer


def fewest_turns(game: Any) -> int:
    """After how many turns somebody can have won, if both want it."""
    states = {game.start(1)}
    while True:
        found = set()
        for state in states:
            if state.outcome is not None:
                assert state.outcome.winner is None
                continue
            for seat in SEATS:
                question = game.question(state, seat)
                if question is None:
                    continue
                for value in question.values():
                    after = game.apply(state, seat, value)
                    if after.outcome is not None and after.outcome.winner:
                        return int(after.turn)
                    found.add(after)
                break
        assert found, "nobody can ever win"
        states = found


def refused(name: str, options: dict[str, Any]) -> bool:
    try:
        make_game(name, options)
    except OptionsError:
        return True
    return False


def reaches_the_end(length: int, traps: tuple[int, ...], max_step: int) -> bool:
    """Whether a runner in Numeric Maze can come to the goal at all."""
    reached, left = {0}, [0]
    while left:
        at = left.pop()
        for to in range(at + 1, min(at + max_step, length) + 1):
            there = 0 if to in traps else to
            if there not in reached:
                reached.add(there)
                left.append(there)
    return length in reached


PATHS = [
    ("trap-runner", {"length": length, "max_step": max_step})
    for length, max_step in product(range(2, 6), range(1, 5))
    if length / max_step <= 4
]
MAZES: list[tuple[str, dict[str, Any]]] = [
    ("numeric-maze", {"length": length, "traps": list(traps), "max_step": max_step})
    for length, max_step in product(range(2, 7), range(1, 4))
    for count in range(length)
    for traps in combinations(range(1, length), count)
]
BOARDS = [("secret-paths", {"size": size}) for size in (3, 5, 7, 9)]


@pytest.mark.parametrize(("name", "options"), PATHS + BOARDS)
def test_a_limit_is_refused_exactly_where_nobody_can_win(
    name: str, options: dict[str, Any]
) -> None:
    fewest = fewest_turns(make_game(name, {**options, "turn_limit": 0}))
    for limit in range(1, fewest + 3):
        assert refused(name, {**options, "turn_limit": limit}) == (limit < fewest)


def test_a_maze_is_refused_exactly_where_nobody_can_win() -> None:
    ways = 0
    for name, options in MAZES:
        open_way = reaches_the_end(options["length"], tuple(options["traps"]), options["max_step"])
        assert refused(name, {**options, "turn_limit": 0}) == (not open_way)
        if not open_way:
            continue
        ways += 1
        fewest = fewest_turns(make_game(name, {**options, "turn_limit": 0}))
        for limit in range(1, fewest + 2):
            assert refused(name, {**options, "turn_limit": limit}) == (limit < fewest)
    assert ways > 50


@pytest.mark.parametrize("name", ["hidden-path", "trap-builder"])
def test_every_match_of_the_others_is_won(name: str) -> None:
    """However both play: a game without limit that always ends, and never in a draw."""
    for options in (
        {"length": 3, "traps": 2, "max_step": 2},
        {"length": 4, "traps": 1, "max_step": 3},
        {"length": 4, "traps": 3, "max_step": 2},
    ):
        game: Any = make_game(name, options)
        states, turns = {game.start(1)}, 0
        while states:
            assert turns <= 2 + (game.longest() or 0)
            after = set()
            for state in states:
                if state.outcome is not None:
                    assert state.outcome.winner
                    continue
                seat = next(s for s in SEATS if game.question(state, s) is not None)
                question = game.question(state, seat)
                after |= {game.apply(state, seat, value) for value in question.values()}
            states, turns = after, turns + 1


def test_a_record_with_such_options_is_no_record_of_a_game() -> None:
    """It was a draw that nobody could have helped, and now says what is wrong with it."""
    record = {"game": "trap-runner", "options": {"turn_limit": 3}, "first": 1, "moves": [3, 3, 3]}
    told = replay_answer(json.dumps(record).encode())
    assert not told["ok"]
    assert told["at"] == "options"
    assert "at least 7 turns" in told["error"]
    with pytest.raises(oracle.Refused, match="options"):
        oracle.read_options("trap-runner", {"turn_limit": 3})
