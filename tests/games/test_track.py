"""Sets of traps: which sizes can be placed, without counting all the ways to do it."""

from __future__ import annotations

import itertools

import pytest

from trapline.core import OptionsError
from trapline.games.track import TrapSecrets, _ways


def possible(places: int, count: int, wall: int | None) -> bool:
    try:
        TrapSecrets(range(1, places + 1), count, wall, "square")
    except OptionsError:
        return False
    return True


def test_what_can_be_placed_is_known_without_counting() -> None:
    walls = (None, 1, 2, 3, 5, 20)
    for places, count, wall in itertools.product(range(1, 13), range(1, 13), walls):
        assert possible(places, count, wall) == bool(_ways(places, count, 0, wall))


def test_options_of_strangers_fill_no_memory() -> None:
    """A server makes a game of whatever options it is sent."""
    _ways.cache_clear()
    for wall in range(2, 99):
        assert possible(99, 49, wall)
    assert _ways.cache_info().currsize == 0


@pytest.mark.parametrize(("count", "wall"), [(8, 2), (10, 3)])
def test_a_refusal_says_what_stands_against_it(count: int, wall: int) -> None:
    with pytest.raises(OptionsError, match=f"without {wall} of them side by side"):
        TrapSecrets(range(1, 11), count, wall, "square")
