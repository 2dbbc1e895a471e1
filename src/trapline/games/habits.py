"""How people run along a track: what tempts them, what they do in a hurry, where they hide traps.

Tastes, not rules: the computer's casual players and the matches that sharp ones try out go by
them. Sets of squares are bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards.track import Track, bits
from trapline.core import has_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from trapline.core import Form, Question, Seat, View

WINS, LOSES = 100.0, -100.0
HURRY = 0.4
"""How much more tempting a step is for being longer by one."""


def seen_by(view: View) -> tuple[Track, Seat]:
    """The track that a player sees, and who that is."""
    assert isinstance(view.board, Track)  # the only board of these games
    assert view.seat is not None  # only players are asked
    return view.board, view.seat


def step_appeal(
    board: Track, seat: Seat, steps: Form, *, safe: int = 0, feared: int = 0, hurry: float = HURRY
) -> float:
    """How tempting a step is: long ones, onto squares known to be safe, not onto feared ones."""
    assert isinstance(steps, int)  # a number of steps is asked for
    start, goal = board.stand(seat), board.goals[seat - 1]
    to = start + steps if goal > start else start - steps
    if any(trap.live and trap.owner != seat and trap.at == to for trap in board.traps):
        return LOSES
    if to == goal:
        return WINS
    if safe >> to & 1:
        return 3.0 + hurry * steps
    return hurry * steps + (0.0 if feared >> to & 1 else 1.0)


def hiding_appeal(places: Sequence[int], favourite: int) -> float:
    """How tempting a set of traps is: near a favourite place, and apart from each other."""
    near = sum(3.0 / (1 + abs(favourite - place)) for place in places)
    side_by_side = sum(place + 1 in places for place in places)
    return near - 0.8 * side_by_side


def brisk_step(
    question: Question, rng: Random, *, start: int, way: int, goal: int, bad: int, safe: int
) -> int:
    """Win if possible, avoid what is known to be bad, and otherwise hurry, mostly."""
    steps = [a.value for a in question.answers if not bad >> start + way * a.value & 1]
    if not steps:
        steps = [answer.value for answer in question.answers]
    if start + way * steps[-1] == goal:
        return steps[-1]
    known = [step for step in steps if safe >> start + way * step & 1]
    if known and rng.random() < 0.8:
        return known[-1]
    return steps[-1] if rng.random() < 0.5 else steps[int(rng.random() * len(steps))]


def traps_that_fit(hiding: Question, met: int, doubt: Sequence[int], rng: Random) -> int | None:
    """One of the sets of traps that hold those that were met, and others only where in doubt."""
    free = [place for place in doubt if not met >> place & 1]
    missing = hiding.choose - met.bit_count()
    if missing > len(free):
        return None
    for _ in range(50):
        traps = met | bits(rng.sample(free, missing))
        if not hiding.neighbours or not has_run(traps, hiding.neighbours + 1):
            return traps
    return None
