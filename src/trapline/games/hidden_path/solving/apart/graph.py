"""What both can see, as a graph: for a seat that draws its secret and its run apart.

Such a seat tells nothing about its secret by the way it runs. What the rival believes then depends
on the rival's own landings alone; so all that is to come depends on where both stand and what both
doubt, and not on how they came there. Histories that meet are one state, and where the tree has
millions of nodes there are thousands of states. The seat gives up to remember, and to use that it
knows its own traps; the rival gives up nothing. So what the seat keeps here is a bound.

A seat may use what it knows after all, in its first few choices. Those are *signals*: whoever sees
the move believes something else from then on. So states are told apart by the signals given, and
only by these: the rest of the run is apart again, and histories meet.

The rival's doubts are told apart by the traps that were sprung, since how likely the secrets are
that are left depends on these.

States lie in such an order that what follows a state comes before it; the last is the first one of
the game. Where one runner is only a number, only the other's doubt, place and moves left count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.apart.keys import (
    MINE,
    THEIRS_ALONE,
    facts_of,
    first_key,
    key_after,
    keys_without_signals,
    place_of,
    read,
    with_signal,
)
from trapline.games.hidden_path.solving.doubts import SAME
from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.keys import Shape, State
    from trapline.games.hidden_path.solving.doubts import Doubts, Hidden

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]
    Small = NDArray[np.int8]
    Bits = NDArray[np.int16]

SMALLEST = 1 << 14


STATE = np.dtype(
    [
        ("kind", np.int8),
        ("moves", np.int8),  # how many may be chosen
        ("place", np.int8),  # where whoever chooses stands
        ("doubt", np.int32),  # the seat's; 0 where the rival runs alone
        ("rivals", np.int32),  # the rival's belief; 0 where the seat runs alone
        (
            "knows",
            np.int32,
        ),  # where the seat chooses by its secret: the first signal it gives; or 0
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
        ("doubt", np.int32, (2,)),  # the rival's belief then
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
    signal: Counts
    knows: Counts
    moves: Small
    far: Small
    after: Counts


class Signals(NamedTuple):
    """What the seat's moves tell where it chooses by its secret. The first is to have told nothing;
    those of one choice follow each other, after that before it."""

    before: Counts
    """What was told before."""
    begin: Counts
    """The first signal of the same choice."""
    depth: Small


class Manner(NamedTuple):
    """How a seat runs that gives something up."""

    allowed: Bits
    """By doubt and place: the moves, as bits, to which it keeps unless it runs alone."""
    knowing: int
    """How many choices it makes by its secret, those with more than one move come first."""


class Graph(NamedTuple):
    states: Any
    """By state: STATE."""
    edges: Any
    """By move: EDGE."""
    slots: Counts
    signals: Signals
    beliefs: Ints
    """Of the rival: a signal, times the doubts there are, and a doubt."""
    numbers: int
    """In all vectors."""
    entries: int
    """In the rival's tables."""

    @property
    def memory(self) -> float:
        """Bytes for the graph and for training, about."""
        return 300.0 * len(self.states) + 16.0 * (self.numbers + self.entries)


def connect(
    seat: Seat,
    running: Hidden,
    hiding: Hidden,
    manner: Manner,
    most: int,
) -> Graph | None:
    """The graph for a seat that may meet anything, and hides some secrets; None where it has more
    states."""
    doubts, room = running.doubts, min(SMALLEST, most)
    shape = (doubts.length + 1, doubts.max_step, len(doubts.size), len(hiding.doubts.size))
    facts = facts_of(doubts, hiding.doubts)
    while True:
        counts = np.zeros((2, room + 1), np.int32)
        links, keys = _room_for(room, doubts.max_step), np.full(1 << (2 * room).bit_length(), -1)
        signals = Signals(counts[0], counts[1], np.zeros(room + 1, np.int8))
        numbers, tells = np.full(len(keys), -1, np.int32), np.zeros(len(keys), np.int32)
        count, told = _connect(
            seat - 1, shape, facts, hiding.doubts.size, *manner,
            links, signals, keys, numbers, tells,
        )  # fmt: skip
        if count <= room:
            found = Links._make(part[:count] for part in links)
            told_so = Signals._make(part[:told] for part in signals)
            return _laid_out(found, told_so, doubts, hiding.doubts)
        if room == most:
            return None
        room = min(4 * room, most)


def _room_for(states: int, moves: int) -> Links:
    small, wide = np.zeros((3, states), np.int8), np.zeros((4, states), np.int32)
    far, after = np.zeros((states, moves), np.int8), np.zeros((states, moves, 2), np.int32)
    return Links(small[0], wide[0], wide[1], small[1], wide[2], wide[3], small[2], far, after)


def _laid_out(links: Links, signals: Signals, running: Doubts, hiding: Doubts) -> Graph:
    theirs = links.kind % 2 == 1
    states = np.zeros(len(links.kind), STATE)
    for name in ("kind", "moves", "place", "doubt", "knows"):
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
    beliefs = [links.signal.astype(np.int64) * len(hiding.size) + links.rivals]
    for bad, lands in enumerate(("passed", "caught")):
        new = getattr(running, lands)[links.doubt[x], to]
        slot, count = getattr(running, f"{lands}_slot")[links.doubt[x], to], running.size[new]
        other = getattr(hiding, lands)[links.rivals[x], to]
        told = np.where(links.knows[x] > 0, links.knows[x] + m, links.signal[x])
        after = told * len(hiding.size) + np.where(theirs, other, links.rivals[x])
        beliefs.append(np.where(theirs & (other < 0), 0, after))
        edges["slot"][:, bad] = np.where(theirs, SAME, slot)
        edges["count"][:, bad] = np.where(theirs, states["width"][x], count)
    every, number = np.unique(np.concatenate(beliefs), return_inverse=True)
    states["rivals"] = number[: len(states)]
    edges["doubt"] = number[len(states) :].reshape(2, -1).T
    return Graph(
        states, edges, running.slots, signals, every, int(states["width"].sum()), int(entries.sum())
    )


@Loop
def _may(shape: Shape, allowed: Bits, state: State, far: int) -> bool:
    """Whether a move may be chosen."""
    kind, doubt, _, here, there, _ = state
    if (here if kind % 2 == 0 else there) + far >= shape[0]:
        return False
    return bool(kind != MINE or allowed[doubt, here] >> (far - 1) & 1)


@Loop
def _choices(shape: Shape, allowed: Bits, state: State) -> int:
    count = 0
    for far in range(1, shape[1] + 1):
        count += _may(shape, allowed, state, far)
    return count


@Loop
def _connect(
    me: int,
    shape: Shape,
    facts: Counts,
    sizes: Ints,
    allowed: Bits,
    knowing: int,
    links: Links,
    signals: Signals,
    keys: Ints,
    numbers: Counts,
    tells: Counts,
) -> tuple[int, int]:
    """Write down all states, what follows a state before it; returns how many there are, or one too
    many where there is no room, and how many signals. Of what is at a place in the table of keys:
    its number, and the first signal that is given there."""
    most, width, told = len(links.kind), shape[1], 1
    waiting = np.zeros(1 << 12, np.int64)
    waiting[0] = first_key(shape, facts, me)
    depth, known, count = 1 if waiting[0] >= 0 else 0, 0, 0
    while depth:
        key = waiting[depth - 1]
        at = place_of(keys, key)
        known += keys[at] == -1
        keys[at] = key
        if known > most or told + width > len(signals.before):
            return most + 1, 0
        if numbers[at] >= 0:  # met again before it was done with
            depth -= 1
            continue
        if depth + 2 * width > len(waiting):
            more = np.zeros(2 * len(waiting), np.int64)
            more[:depth] = waiting[:depth]
            waiting = more
        count_of = keys_without_signals(shape)
        signal, state = key // count_of, read(shape, key % count_of)
        moves = _choices(shape, allowed, state)
        doubtful = state[0] == MINE and moves > 1 and sizes[state[2] - shape[2]] > 1
        if doubtful and tells[at] == 0 and signals.depth[signal] < knowing:
            tells[at] = told
            signals.before[told : told + moves] = signal
            signals.begin[told : told + moves] = told
            signals.depth[told : told + moves] = signals.depth[signal] + 1
            told += moves
        begin, choice = tells[at], 0
        links.signal[count], links.knows[count] = signal, begin
        waits = depth
        for far in range(1, width + 1):
            if not _may(shape, allowed, state, far):
                continue
            links.far[count, choice] = far
            for bad in range(2):
                after = key_after(shape, facts, state, far, bad)
                after = with_signal(shape, after, begin + choice if begin else signal)
                if after >= 0:
                    number = numbers[place_of(keys, after)]
                    if number < 0:
                        waiting[depth] = after
                        depth += 1
                    after = number
                links.after[count, choice, bad] = after
            choice += 1
        if depth > waits:
            continue
        kind, doubt, rivals, here, there, _ = state
        links.kind[count], links.doubt[count], links.rivals[count] = kind, doubt, rivals - shape[2]
        links.place[count], links.moves[count] = here if kind % 2 == 0 else there, moves
        numbers[at] = count
        count += 1
        depth -= 1
    return count, told
