"""Games whose tree is too large: their beginning proves bounds, and never more than the truth."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.outside.examples import example

from trapline.core import SEATS
from trapline.games import make_game
from trapline.solve import TooLarge, horizon, judged, load, solve, whole_size
from trapline.solve.horizon import look_ahead
from trapline.solve.whole_tree import WholeTree

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("phantom", {"turns": 4}),
    ("phantom", {"size": 3, "turns": 3}),
    ("battleship", {"shots": 2}),
    ("goofspiel", {"cards": 3}),
    ("kuhn", {}),
    ("liars_dice", {"sides": 2}),
    ("nim", {"piles": (1, 2)}),
]


@pytest.mark.parametrize("most", [12, 400])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_beginning_never_proves_more_than_the_truth(
    name: str, options: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = example(name, **options)
    for first in SEATS:
        value = solve(game, first=first).value
        monkeypatch.setattr(horizon, "MOST_NODES", most)
        found = look_ahead(game, first)
        if found is not None:
            assert found.bounds.lower - 1e-9 <= value <= found.bounds.upper + 1e-9


def test_more_of_a_game_proves_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game, widths = example("phantom", size=3, turns=4), []
    for most in (100, 1_000, 10_000):
        monkeypatch.setattr(horizon, "MOST_NODES", most)
        found = look_ahead(game, 1)
        widths.append(2.0 if found is None else found.bounds.upper - found.bounds.lower)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1] <= 1e-3


def test_pairs_of_secrets_are_not_all_listed_before_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of 220 secrets with each of 220: a longer path would take minutes, and gigabytes."""
    answered, answer = [], WholeTree._answer

    def counted(*given: Any) -> Any:
        answered.append(1)
        return answer(*given)

    monkeypatch.setattr(WholeTree, "_answer", counted)
    with pytest.raises(TooLarge):
        WholeTree(make_game("hidden-path", {"length": 12}), 1, horizon=2, most=300)
    assert len(answered) < 2 * 220 + 2 * 301


def test_a_walk_ends_when_its_time_is_up() -> None:
    game = example("phantom", size=3, turns=12)
    with pytest.raises(TooLarge, match="There was no time to walk through"):
        WholeTree(game, 1, horizon=6, until=time.monotonic())


def test_a_game_that_is_too_large_is_judged_by_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two in a row on nine cells in the dark: most is decided before anybody has four marks."""
    game = example("phantom", size=3, turns=12)
    monkeypatch.setattr(whole_size, "MOST_NODES", 5_000)
    with pytest.raises(TooLarge):
        solve(game)
    monkeypatch.setattr(horizon, "MOST_NODES", 8_000)
    found = judged(game)
    lower, upper = found.bounds
    assert 0.5 < lower < upper < 1.0
    assert "4 answers of a match were looked at" in found.facts.sentence
    assert load(game) is None
    with pytest.raises(TooLarge):
        _ = found.policy


def test_without_time_nothing_is_found() -> None:
    assert look_ahead(example("goofspiel", cards=6), 1, deadline=0.0) is None
