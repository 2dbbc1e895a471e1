"""The chances that the coach tells, against how matches between the levels end.

`python -m bench.calibration` counts many more; its table stands in docs/coach.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.calibration import A_TASK, Moment, gather, play
from bench.fitting import fit, knots

from trapline.coach.weighing import CLEAR, bucket, interpolated, weigh
from trapline.games import make_game, preset_of
from trapline.referee import Match
from trapline.solve import solve

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.slow
def test_what_is_told_comes_true(moments: list[Moment]) -> None:
    found = bands(moments)
    assert sum(count >= ENOUGH for count, _, _ in found.values()) >= 7
    assert worst(found) < OFF


@pytest.mark.slow
def test_what_is_not_set_right_by_counting_would_not(moments: list[Moment]) -> None:
    assert worst(bands(moments, raw=True)) > 2 * OFF


@pytest.mark.slow
def test_moments_are_told_apart(moments: list[Moment]) -> None:
    """Telling everybody the average would be true as well, and of no use: the error of what is told
    (Brier, 1950) is far smaller than that."""
    won = sum(m.won for m in moments) / len(moments)
    spread = sum((m.won - won) ** 2 for m in moments)
    assert sum((m.won - m.told) ** 2 for m in moments) < 0.6 * spread


def test_the_line_through_what_happened_rises_and_goes_where_it_went() -> None:
    happened = [
        Moment("", "deep", (("won", share / 200),), 0.0, float(number < share), slipped=False)
        for share in range(0, 201, 5)
        for number in range(200)
    ]
    line = knots(happened)
    assert list(line) == sorted(line)
    for share in (0.1, 0.35, 0.5, 0.8):
        assert interpolated(line, share) == pytest.approx(share, abs=0.02)
    falling = [m._replace(guesses=(("won", 1 - m.raw),)) for m in happened]
    assert all(level == pytest.approx(0.5, abs=0.02) for level in knots(falling))


def test_a_preset_has_a_line_of_its_own_and_stays_near_the_others_where_it_has_few_moments() -> (
    None
):
    def told(variant: str, won: float, count: int) -> list[Moment]:
        return [Moment("", variant, (("lost", 0.3),), 0.0, won, slipped=False)] * count

    lines = fit([*told("deep", 0.1, 900), *told("quick", 0.5, 900), *told("brutal", 0.9, 2)])
    assert list(lines) == ["lost", "brutal lost", "deep lost", "quick lost"]
    chances = {kind: interpolated(line, 0.3) / 1000 for kind, line in lines.items()}
    assert chances["deep lost"] == pytest.approx(0.1, abs=0.02)
    assert chances["quick lost"] == pytest.approx(0.5, abs=0.02)
    assert chances["lost"] < chances["brutal lost"] < 0.6, "two moments say little"


def test_what_was_played_is_told_anew_by_what_has_been_counted_since(tmp_path: Path) -> None:
    """Moments that a folder keeps bring what they are told by; the coach says the same of them."""
    played = gather("numeric-maze", "kept", A_TASK, 1, tmp_path)
    assert played == play("numeric-maze", "kept 0", A_TASK)[0]
    assert gather("numeric-maze", "kept", A_TASK, 1, tmp_path) == played
    retold = [moment.told_by({"won": (0.5, 0.5), "lost": (0.5, 0.5)}) for moment in played]
    assert {moment.told for moment in retold} == {0.0, 0.5, 1.0}


def test_what_was_counted_of_a_preset_goes_before_what_was_counted_of_all() -> None:
    counted = {"lost": (0.1, 0.1), "hiding lost": (0.2, 0.2), "brutal hiding lost": (0.3, 0.3)}
    kind = type("Counted", (type(make_game("trap-builder")),), {"expectations": counted})
    told = {}
    for options in ({"traps": 1, "trigger": "passing"}, {"length": 9}):
        game = make_game(kind, options)
        solution = solve(game, target=1e-2)
        match = Match(game, 1)
        weighed = weigh(solution, match.view(1))
        told[preset_of(game)] = weighed.guess(weighed.best)[0], weighed.expects(weighed.best)
        sure = weigh(solution, match.view(2))
        assert (sure.guess(sure.best), sure.expects(sure.best)) == ((CLEAR, 1.0), 1.0)
    assert told == {"brutal": ("hiding lost", 0.3), "": ("hiding lost", 0.2)}
