"""What a state of a graph is, as a number: who moves, where both stand, what both doubt, and which
signals the seat has given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.duel.nodes import FIRST_ALONE, FIRST_WINS, OPEN
from trapline.games.hidden_path.solving.duel.tree import MOST_LEFT, judge
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]
    Shape = tuple[int, int, int, int]
    """Places, the longest move, and how many doubts the seat and the rival have."""
    State = tuple[int, int, int, int, int, int]
    """Of what kind it is, both doubts, both places, and the moves left of a lone run."""

MINE, THEIRS, MINE_ALONE, THEIRS_ALONE = range(4)
"""What a state is: the seat chooses, or the rival does; and who runs alone."""
NOTHING, WON, LOST = -1, -2, -3
"""In place of a state: this cannot happen; the race is decided, for the seat or against it."""
AFTER_SAFE, AFTER_TRAP, FEWEST, SURELY = range(4)


@Loop
def place_of(keys: Ints, key: int) -> int:
    """Where a key is in a table of them, or may be put."""
    mask = len(keys) - 1
    mixed = key ^ (key >> 31)
    at = (mixed * 0x2545F4914F6CDD1D >> 24) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


def facts_of(running: Doubts, hiding: Doubts) -> Counts:
    """By doubt, the rival's after the seat's, and place: what is left of the doubt after a safe
    landing there and after one on a trap, the fewest moves from there and those that suffice. One
    array, since compiled code takes its time whenever it takes one out of several."""
    found = []
    for doubts, first in ((running, 0), (hiding, len(running.size))):
        after = [
            np.where(table < 0, NOTHING, table + first) for table in (doubts.passed, doubts.caught)
        ]
        found.append(np.stack([*after, doubts.fewest, doubts.surely], axis=2))
    return np.concatenate(found).astype(np.int32)


@Loop
def _both(shape: Shape) -> int:
    """How many keys there are where both run; those of the seat alone follow, then the rival's."""
    places, _, mine, theirs = shape
    return mine * theirs * places**2 * 2


@Loop
def keys_without_signals(shape: Shape) -> int:
    """How many there are in all, if nothing was told."""
    places, _, mine, theirs = shape
    return int(_both(shape) + (mine + theirs) * places * MOST_LEFT)


@Loop
def _alone(shape: Shape, facts: Counts, me: int, doubt: int, place: int, left: int) -> int:
    """What it is that a runner alone (0 for the seat, 1 for the rival) has so many moves left: a
    key, or who wins."""
    if facts[doubt, place, SURELY] <= left:
        return WON if me == 0 else LOST
    if facts[doubt, place, FEWEST] > left:
        return LOST if me == 0 else WON
    return _both(shape) + (doubt * shape[0] + place) * MOST_LEFT + left


@Loop
def _together(
    shape: Shape, facts: Counts, me: int, doubt: int, here: int, rivals: int, there: int
) -> int:
    """The same where both run, and `me` moves."""
    fewest, surely = facts[doubt, here, FEWEST], facts[doubt, here, SURELY]
    their_fewest, their_surely = facts[rivals, there, FEWEST], facts[rivals, there, SURELY]
    if me == 0:
        what, runner, left = judge(0, fewest, surely, their_fewest, their_surely)
    else:
        what, runner, left = judge(1, their_fewest, their_surely, fewest, surely)
    if what >= FIRST_ALONE:
        if runner == 0:
            return _alone(shape, facts, 0, doubt, here, left)
        return _alone(shape, facts, 1, rivals, there, left)
    if what != OPEN:
        return WON if what == FIRST_WINS else LOST
    places, _, mine, theirs = shape
    rest = (doubt * places + here) * theirs + rivals - mine
    return (rest * places + there) * 2 + me


@Loop
def read(shape: Shape, key: int) -> tuple[int, int, int, int, int, int]:
    """Of a key: what the state is, both doubts, both places, and the moves left."""
    places, _, mine, theirs = shape
    both = _both(shape)
    if key < both:
        me, rest = key % 2, key // 2
        there, rest = rest % places, rest // places
        second, rest = rest % theirs, rest // theirs
        return me, rest // places, mine + second, rest % places, there, 0
    rest = key - both
    left, rest = rest % MOST_LEFT, rest // MOST_LEFT
    doubt, place = rest // places, rest % places
    if doubt < mine:
        return MINE_ALONE, doubt, mine, place, 0, left
    return THEIRS_ALONE, 0, doubt, 0, place, left


@Loop
def key_after(shape: Shape, facts: Counts, state: State, far: int, bad: int) -> int:
    """The key of what follows a landing, or who wins; NOTHING where it cannot happen."""
    kind, doubt, rivals, here, there, left = state
    me = kind % 2
    held, to = (doubt, here + far) if me == 0 else (rivals, there + far)
    new = facts[held, to, AFTER_TRAP if bad else AFTER_SAFE]
    stand = 0 if bad else to
    if new < 0:
        return NOTHING
    if kind >= MINE_ALONE:
        return _alone(shape, facts, me, new, stand, left - 1)
    if me == 0:
        return _together(shape, facts, 1, new, stand, rivals, there)
    return _together(shape, facts, 0, doubt, here, new, stand)


@Loop
def with_signal(shape: Shape, after: int, signal: int) -> int:
    """The key of what follows, with what was told by then; a seat that runs alone need not care."""
    alone = after - _both(shape)
    if after < 0 or 0 <= alone < shape[2] * shape[0] * MOST_LEFT:
        return after
    return int(signal * keys_without_signals(shape) + after)


@Loop
def first_key(shape: Shape, facts: Counts, me: int) -> int:
    """Of the beginning, where `me` moves."""
    return _together(shape, facts, me, 0, 0, shape[2], 0)
