"""What both can see, as a graph: for a seat that draws its secret and its run apart.

Such a seat tells nothing about its secret by the way it runs. What the rival believes then depends
on the rival's own landings alone; so all that is to come depends on where both stand and what both
doubt, and not on how they came there. Histories that meet are one state, and where the tree has
millions of nodes there are thousands of states. The seat gives up to remember, and to use that it
knows its own traps; the rival gives up nothing. So what the seat keeps here is a bound.

The rival's doubts are told apart by the traps that were sprung, since how likely the secrets are
that are left depends on these.

States lie in such an order that what follows a state comes before it; the last is the first one of
the game. Where one runner is only a number, only the other's doubt, place and moves left count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.doubts import SAME, in_a_hurry, one_way
from trapline.games.hidden_path.solving.duel.nodes import (
    FIRST_ALONE,
    FIRST_WINS,
    OPEN,
)
from trapline.games.hidden_path.solving.duel.tree import MOST_LEFT, classify
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.doubts import Doubts, Hidden

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]
    Small = NDArray[np.int8]
    Bits = NDArray[np.int16]

MINE, THEIRS, MINE_ALONE, THEIRS_ALONE = range(4)
"""What a state is: the seat chooses, or the rival does; and who runs alone."""
NOTHING, WON, LOST = -1, -2, -3
"""In place of a state: this cannot happen; the race is decided, for the seat or against it."""
SMALLEST = 1 << 14


STATE = np.dtype(
    [
        ("kind", np.int8),
        ("moves", np.int8),  # how many may be chosen
        ("doubt", np.int32),  # the seat's; 0 where the rival runs alone
        ("rivals", np.int32),  # the rival's doubt; 0 where the seat runs alone
        ("width", np.int32),  # of its vector: the rival's secrets that are possible, or 1
        ("begin", np.int64),  # where its vector begins
        ("edge", np.int64),  # where its moves begin
        ("table", np.int64),  # where the rival's choices begin: moves by secrets
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("far", np.int32),  # how many steps
        ("after", np.int32, (2,)),  # what follows a safe landing, and one on a trap
        ("doubt", np.int32, (2,)),  # the rival's doubt then
        ("slot", np.int32, (2,)),  # where the secrets of the rival that are left are listed
        ("count", np.int32, (2,)),  # how many they are
    ],
    align=True,
)


class Links(NamedTuple):
    """States as they are found: what they are, and by move how far it goes and where it leads."""

    kind: Small
    doubt: Counts
    rivals: Counts
    place: Small
    moves: Small
    far: Small
    after: Counts


class Graph(NamedTuple):
    states: Any
    """By state: STATE."""
    edges: Any
    """By move: EDGE."""
    slots: Counts
    numbers: int
    """In all vectors."""
    entries: int
    """In the rival's tables."""


def connect(
    seat: Seat, running: Hidden, hiding: Hidden, most: int, *, hurries: bool = False
) -> Graph | None:
    """The graph for a seat that may meet anything, and hides some secrets; None where it has more
    states. A seat that hurries keeps to moves that look good, unless it runs alone."""
    doubts, room = running.doubts, min(SMALLEST, most)
    allowed = np.full(doubts.fewest.shape, (1 << doubts.max_step) - 1, np.int16)
    if hurries:
        allowed = in_a_hurry(doubts) | one_way(doubts)
    while True:
        links, keys = _room_for(room, doubts.max_step), np.full(1 << (2 * room).bit_length(), -1)
        numbers = np.full(len(keys), -1, np.int32)
        count = _connect(seat - 1, doubts, hiding.doubts, allowed, links, keys, numbers)
        if count <= room:
            found = Links._make(part[:count] for part in links)
            return _laid_out(found, doubts, hiding.doubts)
        if room == most:
            return None
        room = min(4 * room, most)


def _room_for(states: int, moves: int) -> Links:
    small, wide = np.zeros((3, states), np.int8), np.zeros((2, states), np.int32)
    far, after = np.zeros((states, moves), np.int8), np.zeros((states, moves, 2), np.int32)
    return Links(small[0], wide[0], wide[1], small[1], small[2], far, after)


def _laid_out(links: Links, running: Doubts, hiding: Doubts) -> Graph:
    theirs = links.kind % 2 == 1
    states = np.zeros(len(links.kind), STATE)
    for name in ("kind", "moves", "doubt", "rivals"):
        states[name] = getattr(links, name)
    states["width"] = np.where(links.kind == THEIRS_ALONE, 1, running.size[links.doubt])
    entries = np.where(theirs, states["width"] * links.moves, 0)
    sums = (("begin", states["width"]), ("edge", links.moves), ("table", entries))
    for name, counts in sums:
        states[name] = np.cumsum(counts, dtype=np.int64) - counts
    x, m = np.nonzero(np.arange(links.far.shape[1]) < links.moves[:, None])
    edges = np.zeros(len(x), EDGE)
    edges["far"] = links.far[x, m]
    to, theirs = links.place[x] + edges["far"], theirs[x]
    edges["after"] = links.after[x, m]
    for bad, lands in enumerate(("passed", "caught")):
        new = getattr(running, lands)[links.doubt[x], to]
        slot, count = getattr(running, f"{lands}_slot")[links.doubt[x], to], running.size[new]
        other = getattr(hiding, lands)[links.rivals[x], to]
        edges["doubt"][:, bad] = np.where(theirs, other, links.rivals[x])
        edges["slot"][:, bad] = np.where(theirs, SAME, slot)
        edges["count"][:, bad] = np.where(theirs, states["width"][x], count)
    return Graph(states, edges, running.slots, int(states["width"].sum()), int(entries.sum()))


@Loop
def place_of(keys: Ints, key: int) -> int:
    """Where a key is in a table of them, or may be put."""
    mask = len(keys) - 1
    mixed = key ^ (key >> 31)
    at = (mixed * 0x2545F4914F6CDD1D >> 24) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@Loop
def _alone(mine: Doubts, theirs: Doubts, me: int, doubt: int, place: int, left: int) -> int:
    """What it is that a runner alone (0 for the seat, 1 for the rival) has so many moves left: a
    key, or who wins."""
    one = mine if me == 0 else theirs
    if one.surely[doubt, place] <= left:
        return WON if me == 0 else LOST
    if one.fewest[doubt, place] > left:
        return LOST if me == 0 else WON
    both = len(mine.size) * len(theirs.size) * (mine.length + 1) ** 2 * 2
    begin = both if me == 0 else both + len(mine.size) * (mine.length + 1) * MOST_LEFT
    return begin + (doubt * (mine.length + 1) + place) * MOST_LEFT + left


@Loop
def _together(mine: Doubts, theirs: Doubts, me: int, places: Any, doubting: Any) -> int:
    """The same where both run, and `me` moves."""
    one, other = (mine, theirs) if me == 0 else (theirs, mine)
    what, runner, left = classify(one, other, me, places, doubting)
    if what >= FIRST_ALONE:
        return _alone(mine, theirs, runner, doubting[runner], places[runner], left)
    if what != OPEN:
        return WON if what == FIRST_WINS else LOST
    steps, rest = mine.length + 1, doubting[0] * (mine.length + 1) + places[0]
    return int(((rest * len(theirs.size) + doubting[1]) * steps + places[1]) * 2 + me)


@Loop
def _read(mine: Doubts, theirs: Doubts, key: int) -> tuple[int, int, int, int, int, int]:
    """Of a key: what the state is, both doubts, both places, and the moves left."""
    steps, count = mine.length + 1, len(theirs.size)
    both = len(mine.size) * count * steps**2 * 2
    if key < both:
        me, rest = key % 2, key // 2
        there, rest = rest % steps, rest // steps
        second, rest = rest % count, rest // count
        return me, rest // steps, second, rest % steps, there, 0
    rest, alone = key - both, len(mine.size) * steps * MOST_LEFT
    me = 0 if rest < alone else 1
    rest -= me * alone
    left, rest = rest % MOST_LEFT, rest // MOST_LEFT
    if me == 0:
        return MINE_ALONE, rest // steps, 0, rest % steps, 0, left
    return THEIRS_ALONE, 0, rest // steps, 0, rest % steps, left


@Loop
def _after(mine: Doubts, theirs: Doubts, state: Any, far: int, bad: int) -> int:
    """The key of what follows a landing, or who wins; NOTHING where it cannot happen."""
    kind, doubt, rivals, here, there, left = state
    me = kind % 2
    one, held, to = (mine, doubt, here + far) if me == 0 else (theirs, rivals, there + far)
    new = one.caught[held, to] if bad else one.passed[held, to]
    stand = 0 if bad else to
    if new < 0:
        return NOTHING
    if kind >= MINE_ALONE:
        return _alone(mine, theirs, me, new, stand, left - 1)
    if me == 0:
        return _together(mine, theirs, 1, (stand, there), (new, rivals))
    return _together(mine, theirs, 0, (here, stand), (doubt, new))


@Loop
def _connect(
    first: int,
    mine: Doubts,
    theirs: Doubts,
    allowed: Bits,
    links: Links,
    keys: Ints,
    numbers: Counts,
) -> int:
    """Write down all states, what follows a state before it; returns how many there are, or one too
    many where there is no room. Keys and numbers are a table of states by their key."""
    most, width = len(links.kind), mine.max_step
    waiting = np.zeros(1 << 12, np.int64)
    waiting[0] = _together(mine, theirs, first, (0, 0), (0, 0))
    depth, known, count = 1 if waiting[0] >= 0 else 0, 0, 0
    while depth:
        key = waiting[depth - 1]
        at = place_of(keys, key)
        known += keys[at] == -1
        keys[at] = key
        if known > most:
            return most + 1
        if numbers[at] >= 0:  # met again before it was done with
            depth -= 1
            continue
        if depth + 2 * width > len(waiting):
            more = np.zeros(2 * len(waiting), np.int64)
            more[:depth] = waiting[:depth]
            waiting = more
        state = _read(mine, theirs, key)
        more_waiting = _wait(mine, theirs, allowed, state, keys, numbers, waiting, depth)
        if more_waiting > depth:
            depth = more_waiting
            continue
        _write(mine, theirs, allowed, state, keys, numbers, links, count)
        numbers[at] = count
        count += 1
        depth -= 1
    return count


@Loop
def _may(mine: Doubts, allowed: Bits, state: Any, far: int) -> bool:
    """Whether a move may be chosen."""
    kind, doubt, _, here, there, _ = state
    if (here if kind % 2 == 0 else there) + far > mine.length:
        return False
    return bool(kind != MINE or allowed[doubt, here] >> (far - 1) & 1)


@Loop
def _wait(
    mine: Doubts,
    theirs: Doubts,
    allowed: Bits,
    state: Any,
    keys: Ints,
    numbers: Counts,
    waiting: Ints,
    depth: int,
) -> int:
    """Let everything wait that follows a state and is not written down; returns how many wait."""
    for far in range(mine.max_step, 0, -1):
        if _may(mine, allowed, state, far):
            for bad in (1, 0):
                after = _after(mine, theirs, state, far, bad)
                if after >= 0 and numbers[place_of(keys, after)] < 0:
                    waiting[depth] = after
                    depth += 1
    return depth


@Loop
def _write(
    mine: Doubts,
    theirs: Doubts,
    allowed: Bits,
    state: Any,
    keys: Ints,
    numbers: Counts,
    links: Links,
    count: int,
) -> None:
    """Write down a state, when all is that follows it."""
    kind, doubt, rivals, here, there, _ = state
    moves = 0
    for far in range(1, mine.max_step + 1):
        if _may(mine, allowed, state, far):
            links.far[count, moves] = far
            for bad in (0, 1):
                after = _after(mine, theirs, state, far, bad)
                if after >= 0:
                    after = numbers[place_of(keys, after)]
                links.after[count, moves, bad] = after
            moves += 1
    links.kind[count], links.doubt[count], links.rivals[count] = kind, doubt, rivals
    links.place[count], links.moves[count] = here if kind % 2 == 0 else there, moves
