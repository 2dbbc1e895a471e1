"""Watched numbers: what a rule looks at is noticed, whatever it does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core import has_run
from trapline.solve.interface import Unsuited
from trapline.solve.watched import CountsTurns, Sealed, Turn, Watch, plain, seal

RULES: list[Any] = [
    lambda n: n & 4,
    lambda n: 1 if n & 6 else 0,
    lambda n: n == 3 or n > 12,
    lambda n: n + n > 9,
    lambda n: (n >> 2) % 2 or -n,
    lambda n: 1 << (n & 3),
    lambda n: (10, 20, 30, 40)[n % 4],
    lambda n: [i for i in range(5) if n >> i & 1],
    lambda n: ~n & 7 if n < 8 else n // 3,
    lambda n: f"{n}" if n ^ 5 else "five",
    lambda n: min(n, 6) if n != 2 else 100 - n,
    lambda n: has_run(n, 2),
    lambda n: n.bit_count() * 2 if n else "none",
    lambda _: "constant",
]


@given(st.lists(st.integers(0, 31), min_size=1, max_size=12, unique=True), st.sampled_from(RULES))
def test_one_run_tells_the_result_for_all_that_answer_alike(values: list[int], rule: Any) -> None:
    watch = Watch(values)
    for index, value in enumerate(values):
        watch.begin(index)
        result = plain(_tuple(rule(watch.number)))
        assert result == _tuple(rule(value))
        assert watch.same >> index & 1
        for at, again in enumerate(values):
            if watch.same >> at & 1:
                assert _tuple(rule(again)) == result


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def test_what_a_rule_does_not_look_at_does_not_matter() -> None:
    watch = Watch(range(8))
    watch.begin(3)
    handed_on = (watch.number & 5, 7)
    assert watch.same == -1
    assert plain(handed_on) == (1, 7)
    assert watch.same == sum(1 << n for n in range(8) if n & 5 == 1)


def test_a_watched_number_cannot_get_into_a_table() -> None:
    number = Watch((1, 2)).number
    with pytest.raises(TypeError, match="unhashable"):
        {number: 1}  # noqa: B018
    with pytest.raises(TypeError, match="unhashable"):
        hash(number)


def test_two_watched_numbers_together_are_both_looked_at() -> None:
    one, two = Watch((1, 2)), Watch((2, 3))
    assert plain(one.number + two.number) == 3
    assert (one.same, two.same) == (1, 1)


@pytest.mark.parametrize("limit", [0, 2, 3, 9])
def test_a_turn_may_be_compared_with_its_limit(limit: int) -> None:
    turn = Turn(limit) + 1
    assert (turn == limit) is False
    assert turn > Turn(limit)
    assert turn != limit
    assert turn >= 1


@pytest.mark.parametrize(
    "rule", [lambda t: t % 2, lambda t: t == 4, lambda t: t > 3, lambda t: 9 - t, lambda t: bool(t)]
)
def test_a_turn_that_is_looked_at_otherwise_is_noticed(rule: Any) -> None:
    for limit in (0, 9):
        with pytest.raises(CountsTurns):
            rule(Turn(limit))


def test_what_is_for_boards_alone_may_be_handed_on_and_not_read() -> None:
    one, two = seal((3, 5))
    assert isinstance(one | 4, Sealed)
    assert isinstance(8 & ~two, Sealed)
    for rule in (bool, int, lambda s: s == 3, lambda s: s > 1, lambda s: [*range(s)]):
        with pytest.raises(Unsuited, match="boards alone"):
            rule(one)
