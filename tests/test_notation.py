"""Text to moves and back."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from trapline.core import InvalidMove, SecretError
from trapline.games import GAMES, make_game
from trapline.notation import (
    format_turn,
    parse_secret,
    parse_trap_answer,
    parse_turn,
    turn_from_json,
    turn_to_json,
)

MAZE, RUNNER, PATHS = (make_game(n) for n in ("numeric-maze", "trap-runner", "secret-paths"))


@pytest.mark.parametrize("text", ["2", " 2 ", "+2", "02"])
def test_steps_as_people_type_them(text: str) -> None:
    assert parse_turn(MAZE, text) == (2,)


@pytest.mark.parametrize("text", ["4,2", "move to 4,2", "MOVE TO 4, 2", "(4,2)", "4 2", " 4 ,2"])
def test_cells_as_people_type_them(text: str) -> None:
    assert parse_turn(PATHS, text) == ((4, 2),)


def test_a_step_and_a_trap_in_one() -> None:
    assert parse_turn(RUNNER, "2t") == parse_turn(RUNNER, "2 T") == (2, "t")
    assert format_turn((2, "t")) == "2t"
    assert format_turn((2, "n")) == "2"


@pytest.mark.parametrize("text", ["", "two", "2t", "1.5", "2 3", "--2", "9" * 40, "٢x", "\x1b[2J"])
def test_what_is_no_number_of_steps_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove, match="type a number such as 2") as caught:
        parse_turn(MAZE, text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", "4", "4,2,1", "row 4", "4;2"])
def test_what_is_no_cell_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove, match=r"such as 4,2\."):
        parse_turn(PATHS, text)


@pytest.mark.parametrize(("text", "answer"), [("y", "t"), ("Yes", "t"), (" n ", "n"), ("no", "n")])
def test_answers_to_the_trap_question(text: str, answer: str) -> None:
    assert parse_trap_answer(text) == (answer,)
    with pytest.raises(InvalidMove, match="type y or n"):
        parse_trap_answer(text + "?")


@pytest.mark.parametrize("text", ["3 5 7", "3,5,7", "3, 5 ;7", "  3  5  7 "])
def test_traps_as_people_type_them(text: str) -> None:
    assert parse_secret(make_game("hidden-path"), 1, text) == [3, 5, 7]


@pytest.mark.parametrize("text", ["", "a b c", "3 5 x", "3-5-7", "9" * 40])
def test_what_is_no_set_of_traps_is_said_so(text: str) -> None:
    with pytest.raises(SecretError, match="3 5 7"):
        parse_secret(make_game("hidden-path"), 1, text)


def test_goal_cells_as_people_type_them() -> None:
    assert parse_secret(PATHS, 1, "5,2") == parse_secret(PATHS, 1, "2") == [5, 2]
    assert parse_secret(PATHS, 2, "4") == [1, 4]
    with pytest.raises(SecretError, match="such as 5,2"):
        parse_secret(PATHS, 1, "five")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for game in map(make_game, GAMES):
        for read in (lambda g, t: parse_turn(g, t), lambda g, t: parse_secret(g, 1, t)):
            try:
                read(game, text)
            except (InvalidMove, SecretError) as error:
                said = str(error)
                if not said.endswith(".") or not said.isprintable():
                    raise AssertionError(said) from error


@given(st.integers(1, 99), st.booleans())
def test_trap_runner_turns_round_trip(steps: int, trap: bool) -> None:
    turn: Any = (steps, "t") if trap else (steps,)
    assert parse_turn(RUNNER, format_turn(turn)) == turn
    assert turn_from_json(RUNNER, turn_to_json(turn)) == turn
