"""What the games on a numbered track have in common: steps, sets of traps, walls.

A set of squares is held as the bits of one integer, so that "is square 7 in it" is
`traps >> 7 & 1` and a state stays a handful of small numbers.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from trapline.core import SECRET, Answer, OptionsError, Question, ask_places, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 99  # two digits a square keep every board readable in forty columns

Length = Annotated[int, Meta(ge=2, le=LONGEST, description=f"a whole number from 2 to {LONGEST}")]
TrapCount = Annotated[int, Meta(ge=1, le=LONGEST, description="a whole number of at least 1")]
MaxStep = Annotated[int, Meta(ge=1, le=LONGEST, description=f"a whole number from 1 to {LONGEST}")]
Switch = Annotated[bool, Meta(description="true or false")]
TurnLimit = Annotated[
    int,
    Meta(ge=0, le=1_000_000, description="a whole number from 0 (no limit) to 1000000"),
]

Pair = tuple[int, int]


@cache
def _step(steps: int, to: int) -> Answer:
    return Answer(steps, steps, str(steps), plural(steps, "step"), to)


def ask_steps(start: int, steps: Iterable[int], way: int = 1) -> Question | None:
    """How far to move from a square; nothing can be asked where there is no step."""
    answers = tuple(_step(count, start + way * count) for count in steps)
    return Question("move", answers, noun="number of steps") if answers else None


def steps_from(length: int, max_step: int) -> tuple[Question | None, ...]:
    """For each square, the steps that stay on the track; none from the goal."""
    return tuple(
        ask_steps(square, range(1, min(max_step, length - square) + 1))
        for square in range(length + 1)
    )


def hide_traps(last: int, count: int, wall: int | None, place: str) -> Question:
    """Where to hide traps, from 1 to `last`; `wall` neighbouring ones are forbidden, if any are."""
    if count > last:
        raise OptionsError(f"traps={count} is more than the {last} {place}s that can be trapped.")
    neighbours = 0 if wall is None else wall - 1
    # Every `wall` neighbouring places need one that stays free.
    if wall is not None and count > last - last // wall:
        raise OptionsError(
            f"With walls=false nobody can place {count} traps on {last} {place}s "
            f"without {wall} of them side by side."
        )
    return ask_places(
        SECRET,
        range(1, last + 1),
        count,
        place,
        neighbours=neighbours,
        sealed=True,
        action="trap {0}",
    )


def check_turn_limit(limit: int, fewest: int) -> None:
    """Refuse a limit under which no match can end in a win; `fewest` turns are needed for one."""
    if 0 < limit < fewest:
        raise OptionsError(
            f"turn_limit={limit} would end every match before anybody can win: that takes at "
            f"least {plural(fewest, 'turn')}."
        )


def with_item(pair: Pair, seat: int, value: int) -> Pair:
    """The pair with the item of one seat replaced."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)
