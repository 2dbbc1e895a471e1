"""What the games on a numbered track have in common: steps, sets of traps, walls.

A set of squares is held as the bits of one integer, so that "is square 7 in it" is
`traps >> 7 & 1` and a state stays a handful of small numbers.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from trapline.core import Game, OptionsError, S, SecretError, brief

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from trapline.core import Cell, Seat, Secret

LONGEST = 99  # two digits a square keep every board readable in forty columns

Length = Annotated[int, Meta(ge=2, le=LONGEST, description=f"a whole number from 2 to {LONGEST}")]
TrapCount = Annotated[int, Meta(ge=1, le=LONGEST, description="a whole number of at least 1")]
MaxStep = Annotated[int, Meta(ge=1, le=LONGEST, description=f"a whole number from 1 to {LONGEST}")]
TurnLimit = Annotated[
    int,
    Meta(ge=0, le=1_000_000, description="a whole number from 0 (no limit) to 1000000"),
]


def in_words(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else str(count)


def bits(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


@cache
def secret_bits(secret: Secret) -> int:
    """As `bits`, remembered: solvers ask for the same secrets again and again."""
    return bits(secret)


def squares(mask: int) -> list[int]:
    return [square for square in range(mask.bit_length()) if mask >> square & 1]


def steps_from(length: int, max_step: int) -> list[tuple[int, ...]]:
    """For each square, the steps that stay on the track; none from the goal."""
    return [tuple(range(1, min(max_step, length - square) + 1)) for square in range(length + 1)]


def has_wall(mask: int, max_step: int) -> bool:
    """Whether `max_step` neighbouring squares are in the set: nobody can jump over them."""
    if mask.bit_count() < max_step:
        return False
    run = mask
    for shift in range(1, max_step):
        run &= mask >> shift
    return run != 0


def with_item(pair: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    """The pair with the item of one seat replaced."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)


class TrapSecrets:
    """The sets of `count` traps among `places` that a player may choose.

    `wall` is the number of neighbouring traps that is forbidden, or None.
    """

    def __init__(self, places: range, count: int, wall: int | None, place: str) -> None:
        self.places = places
        self.count = count
        self.wall = wall
        self.place = place
        if count > len(places):
            raise OptionsError(
                f"traps={count} is more than the {len(places)} {place}s that can be trapped."
            )
        # Every `wall` neighbouring places need one that stays free.
        if wall is not None and count > len(places) - len(places) // wall:
            raise OptionsError(
                f"With walls=false nobody can place {count} traps on {len(places)} {place}s "
                f"without {wall} of them side by side."
            )

    def check(self, value: Sequence[int]) -> Secret:
        low, high = self.places[0], self.places[-1]
        s = "s" if self.count > 1 else ""
        wanted = f"choose {self.count} different {self.place}{s} from {low} to {high}"
        try:
            chosen = sorted(value)
        except (TypeError, RecursionError):  # no list, or one of things without an order
            chosen = []
        if any(type(square) is not int for square in chosen):
            raise SecretError(f"Traps are whole numbers: {wanted}.")
        if len(chosen) != self.count:
            n = len(chosen)
            raise SecretError(f"That is {n} trap{'' if n == 1 else 's'}: {wanted}.")
        if len(set(chosen)) != len(chosen):
            raise SecretError(f"No two traps may share a {self.place}: {wanted}.")
        for square in chosen:
            if square not in self.places:
                raise SecretError(f"No trap can be set on {brief(square)}: {wanted}.")
        if self.wall is not None and has_wall(bits(chosen), self.wall):
            raise SecretError(
                f"In this variant {self.wall} neighbouring traps are not allowed, "
                "because nobody could step over them: spread them out."
            )
        return tuple(chosen)

    def all(self) -> Iterator[Secret]:
        for chosen in combinations(self.places, self.count):
            if self.wall is None or not has_wall(bits(chosen), self.wall):
                yield chosen

    def next(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Places beyond the last trap from which the set can still be completed."""
        need = self.count - len(chosen)
        if need == 0:
            return ()
        last = chosen[-1] if chosen else self.places[0] - 1
        run = 0
        while run < len(chosen) and chosen[-1 - run] == last - run:
            run += 1
        return tuple(
            square
            for square in range(last + 1, self.places[-1] + 1)
            if self._ways(self.places[-1] - square, need - 1, run + 1 if square == last + 1 else 1)
        )

    def random(self, rng: Random) -> Secret:
        """Uniform over all allowed sets, decided place by place by counting what is left."""
        chosen: list[int] = []
        run = 0
        for index, square in enumerate(self.places):
            left, need = len(self.places) - index, self.count - len(chosen)
            total = self._ways(left, need, run)
            without = self._ways(left - 1, need, 0)
            if rng.randrange(total) < without:
                run = 0
            else:
                chosen.append(square)
                run += 1
        return tuple(chosen)

    def _ways(self, places: int, traps: int, run: int) -> int:
        return _ways(places, traps, run, self.wall)


@cache
def _ways(places: int, traps: int, run: int, wall: int | None) -> int:
    """Ways to put `traps` on the next `places` squares after a run of `run` traps."""
    if traps < 0 or traps > places or (wall is not None and run >= wall):
        return 0
    if places == 0:
        return 1
    longer = run + 1 if wall is not None else 0
    return _ways(places - 1, traps, 0, wall) + _ways(places - 1, traps - 1, longer, wall)


class HiddenTraps(Game[S, int]):
    """A game in which each player hides the same number of traps before the first move."""

    secret = "traps"
    trap_secrets: TrapSecrets

    def check_secret(self, seat: Seat, value: Sequence[int]) -> Secret:
        return self.trap_secrets.check(value)

    def secret_hint(self, seat: Seat) -> str:
        wanted = self.trap_secrets
        noun = "number" if wanted.count == 1 else "numbers"
        return f"{in_words(wanted.count)} {noun} between {wanted.places[0]}-{wanted.places[-1]}"

    def secret_places(self, seat: Seat) -> tuple[Sequence[int | Cell], int]:
        return self.trap_secrets.places, self.trap_secrets.count

    def random_secret(self, seat: Seat, rng: Random) -> Secret:
        return self.trap_secrets.random(rng)

    def secrets(self, seat: Seat) -> Iterator[Secret]:
        return self.trap_secrets.all()

    def next_traps(self, chosen: Sequence[int]) -> tuple[int, ...]:
        return self.trap_secrets.next(chosen)
