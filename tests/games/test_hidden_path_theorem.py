"""The proof by hand that Hidden Path is worth 13/27 (docs/hidden-path-bounds.md), lemma by lemma.

Nothing here is taken from the solver: the two strategies are written down as the page tells them,
and what anybody can do against them is found by trying everything.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Traps = frozenset[int]
Path = tuple[int, int, int, int]

SECRETS = [frozenset(places) for places in combinations(range(1, 11), 3)]
ROUTES: tuple[Path, ...] = ((1, 4, 7, 10), (2, 5, 8, 10), (3, 6, 9, 10))
FIRST_HIDES = [frozenset({10, *pair}) for pair in combinations((7, 8, 9), 2)]
SECOND_HIDES = [frozenset({10, early, late}) for early in range(1, 7) for late in (7, 8, 9)]

DETOURS: dict[int, tuple[Path, Path]] = {
    1: ((2, 5, 8, 10), (3, 6, 9, 10)),
    2: ((1, 4, 7, 10), (3, 6, 9, 10)),
    3: ((1, 4, 7, 10), (2, 5, 8, 10)),
    4: ((2, 5, 8, 10), (3, 6, 9, 10)),
    5: ((3, 5, 7, 10), (3, 6, 9, 10)),
    6: ((3, 6, 7, 10), (3, 6, 8, 10)),
}
"""Where the first mover may set out after a first trap below 7: to the two other late steps."""


def home_within(hidden: list[Traps]) -> Callable[[int], Fraction]:
    """The best chance to be home within so many moves, against traps drawn evenly from a list."""

    @cache
    def worlds_home(at: int, worlds: tuple[Traps, ...], moves: int) -> int:
        """In how many of the worlds that look alike, at most."""
        best = 0
        for to in range(at + 1, min(at + 3, 10) + 1) if moves else ():
            safe = tuple(traps for traps in worlds if to not in traps)
            sprung = tuple(traps - {to} for traps in worlds if to in traps)
            home = worlds_home(0, sprung, moves - 1) if sprung else 0
            if to == 10:
                home += len(safe)
            elif safe:
                home += worlds_home(to, safe, moves - 1)
            best = max(best, home)
        return best

    return lambda moves: Fraction(worlds_home(0, tuple(hidden), moves), len(hidden))


def runs(path: Path, traps: Traps, *, detours: bool) -> Iterator[tuple[int, Fraction]]:
    """How many moves a run may take, and how likely; the path is taken again after a trap."""
    for moves, step in enumerate(path, 1):
        if step in traps:
            again = {path: Fraction(1)}
            if detours and step in DETOURS:
                again = {path: Fraction(2, 3)} | dict.fromkeys(DETOURS[step], Fraction(1, 6))
            for onward, chance in again.items():
                still = detours and step not in DETOURS
                for more, share in runs(onward, traps - {step}, detours=still):
                    yield moves + more, chance * share
            return
    yield len(path), Fraction(1)


def share(traps: Traps, worth: Callable[[int], Fraction], *, detours: bool) -> Fraction:
    """What a run by one of the three routes, a third each, is worth against these traps."""
    found = [pair for route in ROUTES for pair in runs(route, traps, detours=detours)]
    return sum((worth(moves) * chance for moves, chance in found), Fraction(0)) / 3


def test_how_soon_anybody_is_home_against_the_first_movers_traps() -> None:
    home = home_within(FIRST_HIDES)
    assert [home(moves) for moves in (7, 8, 10)] == [0, Fraction(1, 3), Fraction(1, 3)]


def test_how_soon_anybody_is_home_against_the_second_movers_traps() -> None:
    home = home_within(SECOND_HIDES)
    expected = {7: "0", 8: "4/9", 9: "5/9", 10: "2/3", 11: "8/9", 12: "17/18", 13: "1"}
    assert {moves: home(moves) for moves in expected} == {
        moves: Fraction(chance) for moves, chance in expected.items()
    }


def test_the_first_mover_keeps_twenty_of_twenty_seven() -> None:
    """Home with the n-th move, the first mover wins unless the other was home with n - 1."""
    home = home_within(FIRST_HIDES)
    shares = [share(traps, lambda moves: 1 - home(moves - 1), detours=True) for traps in SECRETS]
    assert min(shares) == Fraction(20, 27)


def test_the_second_mover_lets_through_twenty_of_twenty_seven() -> None:
    """Even told how many moves the second mover will need, the first must be home by then."""
    home = home_within(SECOND_HIDES)
    shares = [share(traps, home, detours=False) for traps in SECRETS]
    assert max(shares) == Fraction(20, 27)


def test_without_its_detours_the_first_mover_would_not_keep_it() -> None:
    home = home_within(FIRST_HIDES)
    shares = [share(traps, lambda moves: 1 - home(moves - 1), detours=False) for traps in SECRETS]
    assert min(shares) < Fraction(20, 27)
