"""The chances that the coach tells, against how matches between the levels end.

`python -m bench.calibration` counts many more; its table stands in docs/coach.md.
"""

from __future__ import annotations

import pytest
from bench.calibration import Moment, knots, play

from trapline.coach.weighing import bucket, interpolated

MATCHES = {"numeric-maze": 900, "trap-runner": 900, "trap-builder": 250, "secret-paths": 120}
BANDS = 10
ENOUGH = 300
"""Moments that a band has to hold to be judged."""
OFF = 0.06
"""How far what was won may lie from what was told, in a band with so few moments."""


def bands(moments: list[Moment], *, raw: bool = False) -> dict[int, tuple[int, float, float]]:
    """For each tenth of what was told: how many moments, told on average, and won."""
    found = {}
    for band in range(BANDS):
        inside = [m for m in moments if bucket(m.raw if raw else m.told, BANDS) == band]
        if inside:
            told = sum(m.raw if raw else m.told for m in inside) / len(inside)
            found[band] = len(inside), told, sum(m.won for m in inside) / len(inside)
    return found


def worst(found: dict[int, tuple[int, float, float]]) -> float:
    return max(abs(told - won) for count, told, won in found.values() if count >= ENOUGH)


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    return [m for name, count in MATCHES.items() for m in play(name, "a test", count)[0]]


def test_what_is_told_comes_true(moments: list[Moment]) -> None:
    found = bands(moments)
    assert sum(count >= ENOUGH for count, _, _ in found.values()) >= 7
    assert worst(found) < OFF


def test_what_is_not_set_right_by_counting_would_not(moments: list[Moment]) -> None:
    assert worst(bands(moments, raw=True)) > 2 * OFF


def test_moments_are_told_apart(moments: list[Moment]) -> None:
    """Telling everybody the average would be true as well, and of no use: the error of what is told
    (Brier, 1950) is far smaller than that."""
    won = sum(m.won for m in moments) / len(moments)
    spread = sum((m.won - won) ** 2 for m in moments)
    assert sum((m.won - m.told) ** 2 for m in moments) < 0.6 * spread


def test_the_line_through_what_happened_rises_and_goes_where_it_went() -> None:
    happened = [
        Moment("won", share / 200, 0.0, float(number < share), slipped=False)
        for share in range(0, 201, 5)
        for number in range(200)
    ]
    line = knots(happened)
    assert list(line) == sorted(line)
    for share in (0.1, 0.35, 0.5, 0.8):
        assert interpolated(line, share) == pytest.approx(share, abs=0.02)
    falling = [moment._replace(raw=1 - moment.raw) for moment in happened]
    assert all(level == pytest.approx(0.5, abs=0.02) for level in knots(falling))
