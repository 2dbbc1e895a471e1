"""Questions: text to answers and back, and sets of places without counting all of them."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from trapline.core import (
    IllegalMove,
    InvalidMove,
    OptionsError,
    Question,
    TraplineError,
    ask_chance,
    ask_places,
    ask_word,
)
from trapline.core.questions import ways
from trapline.games import GAMES, make_game
from trapline.games.tracks import hide_traps
from trapline.referee import Match


def first_question(name: str, seat: Any = 1) -> Question:
    game = make_game(name)
    question = game.question(game.start(1), seat)
    assert question is not None
    return question


def started(name: str) -> Match:
    """A match in which Player 1 is to move."""
    rng = Random(1)
    match = Match(make_game(name), 1)
    while not match.ready:
        seat = match.asked[0]
        question = match.question(seat)
        assert question is not None
        match.play(seat, question.record(question.random(rng)))
    return match


# --- as people type them ----------------------------------------------------------------


@pytest.mark.parametrize("text", ["2", " 2 ", "+2", "02"])
def test_steps(text: str) -> None:
    assert started("numeric-maze").read(1, text) == (2,)


@pytest.mark.parametrize("text", ["4,2", "move to 4,2", "MOVE TO 4, 2", "(4,2)", "4 2", " 4 ,2"])
def test_cells(text: str) -> None:
    assert started("secret-paths").read(1, text) == ((4, 2),)


def test_a_step_and_a_trap_in_one() -> None:
    match = started("trap-runner")
    match.play(1, 3)
    match.play(2, 1)
    assert match.read(1, "2t") == match.read(1, "2 T") == (2, "t")
    assert match.game.write_turn((2, "t")) == "2t"
    assert match.game.write_turn((2, "n")) == 2


@pytest.mark.parametrize("text", ["", "two", "2t", "1.5", "2 3", "--2", "9" * 40, "٢x", "\x1b[2J"])
def test_what_is_no_number_of_steps_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove, match="type a number such as 2") as caught:
        started("numeric-maze").read(1, text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", "4", "4,2,1", "row 4", "4;2"])
def test_what_is_no_cell_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove, match=r"type a row and a column such as 2,3\."):
        started("secret-paths").read(1, text)


@pytest.mark.parametrize(("text", "answer"), [("y", "t"), ("Yes", "t"), (" n ", "n"), ("no", "n")])
def test_answers_to_the_trap_question(text: str, answer: str) -> None:
    match = started("trap-runner")
    match.play(1, 3)
    match.play(2, 1)
    match.play(1, 2)
    assert match.read(1, text) == (answer,)
    with pytest.raises(InvalidMove, match="type n or y"):
        match.read(1, text + "?")


@pytest.mark.parametrize("text", ["3 5 7", "3,5,7", "3, 5 ;7", "  3  5  7 "])
def test_sets(text: str) -> None:
    assert first_question("hidden-path").parse(text) == (3, 5, 7)


@pytest.mark.parametrize("text", ["", "a b c", "3 5 x", "3-5-7", "9" * 40])
def test_what_is_no_set_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove, match="separated by spaces: 1 2 3"):
        first_question("hidden-path").parse(text)


def test_a_column_will_do_where_the_row_is_fixed() -> None:
    assert first_question("secret-paths").parse("5,2") == (5, 2)
    assert first_question("secret-paths").parse("2") == (5, 2)
    assert first_question("secret-paths", 2).parse("4") == (1, 4)
    with pytest.raises(InvalidMove, match="such as 5,2"):
        first_question("secret-paths").parse("five")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for name in GAMES:
        for match in (Match(make_game(name), 1), started(name)):
            try:
                match.play(1, *match.read(1, text))
            except TraplineError as error:
                said = str(error)
                if not said.endswith(".") or not said.isprintable():
                    raise AssertionError(said) from error


@given(st.integers(1, 99), st.booleans())
def test_trap_runner_turns_round_trip(steps: int, trap: bool) -> None:
    game = make_game("trap-runner")
    turn: Any = (steps, "t") if trap else (steps,)
    assert game.read_turn(game.write_turn(turn)) == turn


# --- as records hold them ---------------------------------------------------------------


@pytest.mark.parametrize("given", [True, 2.0, "2", None, [2], {}, (2,), 10**400])
def test_a_look_alike_is_no_answer(given: Any) -> None:
    question = started("numeric-maze").question(1)
    assert question is not None
    with pytest.raises((InvalidMove, IllegalMove)):
        question.value(given)


def test_the_first_sets_without_walls_come_at_once() -> None:
    """Of all sets of 20 places nearly none is without three neighbours; to try them takes years."""
    question = hide_traps(98, 20, 3, "square")
    first = list(itertools.islice(question.values(), 3))
    assert question.count() > 10**18
    assert [question.text(bits)[:11] for bits in first] == ["1 2 4 5 7 8"] * 3


def test_words_have_values_from_0_and_may_have_labels() -> None:
    question = ask_word("bet", {"check": "Check", "bet": "Bet one chip"})
    assert [(a.value, a.text, a.label) for a in question.answers] == [
        (0, "check", "Check"),
        (1, "bet", "Bet one chip"),
    ]
    assert question.parse(" BET ") == "bet"
    assert question.value("bet") == 1
    assert question.text(0) == "check"


def test_chance_draws_by_weight() -> None:
    rng, question = Random(2), ask_chance("deal", (1, 3))
    drawn = [question.random(rng) for _ in range(4000)]
    assert 2800 < drawn.count(1) < 3200


# --- sets -------------------------------------------------------------------------------

SHAPES = [(n, k, m) for n in range(1, 9) for k in range(1, n + 1) for m in (0, 1, 2, 3)]


@pytest.mark.parametrize(("places", "choose", "neighbours"), SHAPES)
def test_sets_are_counted_listed_drawn_and_built_alike(
    places: int, choose: int, neighbours: int
) -> None:
    question = ask_places("x", range(1, places + 1), choose, "place", neighbours=neighbours)
    plain = [
        chosen
        for chosen in itertools.combinations(range(1, places + 1), choose)
        if not neighbours
        or not any(
            all(first + k in chosen for k in range(neighbours + 1)) for first in range(1, places)
        )
    ]
    assert [question.record(value) for value in question.values()] == plain
    assert question.count() == len(plain)
    assert sorted(_built(question, 0)) == sorted(question.values())
    if plain:
        rng = Random(3)
        drawn = {question.random(rng) for _ in range(12 * len(plain))}
        assert drawn == set(question.values())


def _built(question: Question, bits: int) -> list[int]:
    """Every set that comes of adding one member after the other."""
    following = question.next_parts(bits)
    if not following:
        return [bits] if bits.bit_count() == question.choose else []
    return [whole for part in following for whole in _built(question, bits | 1 << part)]


def possible(places: int, count: int, wall: int | None) -> bool:
    try:
        hide_traps(places, count, wall, "square")
    except OptionsError:
        return False
    return True


def test_what_can_be_placed_is_known_without_counting() -> None:
    for places, count, wall in itertools.product(range(1, 13), range(1, 13), (None, 2, 3, 5, 20)):
        neighbours = 0 if wall is None else wall - 1
        assert possible(places, count, wall) == bool(ways(places, count, 0, neighbours))
    assert not possible(5, 1, 1)


def test_options_of_strangers_fill_no_memory() -> None:
    """A server makes a game of whatever options it is sent."""
    ways.cache_clear()
    for wall in range(2, 99):
        assert possible(99, 49, wall)
    assert ways.cache_info().currsize == 0


@pytest.mark.parametrize(("count", "wall"), [(8, 2), (10, 3)])
def test_a_refusal_says_what_stands_against_it(count: int, wall: int) -> None:
    with pytest.raises(OptionsError, match=f"without {wall} of them side by side"):
        hide_traps(10, count, wall, "square")
