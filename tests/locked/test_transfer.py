"""Asking without telling what is asked."""

from __future__ import annotations

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from trapline.referee.locked.turns.transfer import (
    DIGITS,
    PRIME,
    asked,
    derived,
    given,
    is_answer,
    is_question,
    taken,
)

HALF = (PRIME - 1) // 2
salts = st.binary(min_size=32, max_size=32).map(bytes.hex)


@settings(max_examples=10)
@drawn(salts, salts, salts)
def test_who_wants_it_reads_it_and_who_does_not_cannot(mine: str, theirs: str, note: str) -> None:
    wanted, unwanted = (asked(mine, wanted=wants) for wants in (True, False))
    for question in (wanted, unwanted):
        answer = given(question, note, theirs)
        assert is_question(question)
        assert is_answer(answer)
        assert (taken(answer, mine) == note) == (question == wanted)


@settings(max_examples=10)
@drawn(salts)
def test_both_kinds_of_question_are_numbers_of_the_same_group(salt: str) -> None:
    for wants in (True, False):
        number = int(asked(salt, wanted=wants), 16)
        assert pow(number, HALF, PRIME) == 1


def test_the_group_is_that_of_a_safe_prime() -> None:
    """By Fermat's test to several bases; that of RFC 3526, and 2 generates its residues."""
    for base in (3, 5, 7, 11):
        assert pow(base, PRIME - 1, PRIME) == 1
        assert pow(base, HALF - 1, HALF) == 1
    assert pow(2, HALF, PRIME) == 1
    assert PRIME.bit_length() == 4 * DIGITS


def test_what_is_no_number_of_the_group_is_refused() -> None:
    ends = [f"{number:0{DIGITS}x}" for number in (0, 1, PRIME - 1, PRIME, PRIME + 5)]
    assert not any(is_question(text) for text in (*ends, "2", ""))
    assert is_question(f"{2:0{DIGITS}x}")
    assert not is_answer(f"{1:0{DIGITS}x}" + "0" * 64)
    for strange in (
        "0x" + "2" * 510,
        "2" * 511 + "\n",
        "2_" * 255 + "22",
        "\u0663" * 512,
        "A" * 512,
    ):
        assert not is_question(strange)
        assert not is_answer(strange + "0" * 64)
    assert is_answer("2" * 576)
    assert not is_answer("2" * 512 + "z" * 64)
    assert derived("0" * 64, "turn 1") != derived("0" * 64, "turn 2")
