"""What a tree of a duel is made of: nodes, and the moves to which a seat may keep.

A node has no place of its own for steps: which moves are allowed at a decision is said by bits, the
shortest first. A seat that gives moves up keeps to what other trees tell, which are met again along
the same landings (`Limits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.doubts import Doubts

    Bits = NDArray[np.int16]
    Counts = NDArray[np.int32]
    Nodes = Any
    """An array of `NODE`; compiled code reads its fields as attributes."""

OPEN, FIRST_WINS, SECOND_WINS, FIRST_ALONE, SECOND_ALONE = range(5)
"""What a node is: a decision, an end, or the beginning of a lone run."""

NODE = np.dtype(
    [
        ("kind", np.int8),
        ("mover", np.int8),  # whose turn it is, 1 or 2, also where nothing is chosen any more
        ("action", np.int8),  # the move that led here, counted from 0 among those allowed
        ("trapped", np.int8),  # 1 if it ended on a trap
        ("moves", np.int8),  # how many moves are allowed
        ("bits", np.int16),  # which these are, the shortest first; 0 where they are too many to say
        ("parent", np.int32),
        ("end", np.int32),  # what follows a node ends before this one
        ("run", np.int32),  # which of the lone runs it is
        ("slot", np.int32),  # where in `slots` the secrets that are left are listed, or SAME
        ("doubt", np.int32, (2,)),  # what each runner doubts, which lists the other's secrets
        ("width", np.int32, (2,)),  # how many numbers each seat's vector has
        ("start", np.int64, (2,)),  # where each seat's vector begins
        ("entry", np.int64),  # where its table begins: moves by secrets, or a lone run's
    ],
    align=True,
)
"""A node of the tree: 64 bytes, what a processor fetches at once. Player 1 moves first; vectors of
a seat are over its own secrets still possible, tables of lone runs are points × moves."""


class Row(NamedTuple):
    """A node as plain loops read it."""

    kind: int
    mover: int
    action: int
    trapped: int
    moves: int
    bits: int
    parent: int
    end: int
    run: int
    slot: int
    doubt: list[int]
    width: list[int]
    start: list[int]
    entry: int


class Source(NamedTuple):
    """What a seat does in another tree, which is met again along the same landings."""

    nodes: Nodes
    bits: Bits
    """By node: moves, as bits."""


class Limits(NamedTuple):
    """To which moves a seat keeps that gives others up."""

    seat: int
    """0 where nobody does."""
    given: Bits
    """By decision of the seat, in the order of a walk, if they are known."""
    usual: Bits
    """Else by doubt and place: the moves where no other tree tells any."""
    sources: tuple[Source, Source, Source]
    """The trees that tell."""


NO_BITS = np.zeros(0, np.int16)
NO_SOURCE = Source(np.zeros(0, NODE), NO_BITS)
NO_LIMITS = Limits(0, NO_BITS, NO_BITS.reshape(0, 0), (NO_SOURCE,) * 3)
MOST_BITS = 15
"""Moves that have a bit of their own."""


@Loop
def legal_bits(doubts: Doubts, place: int) -> int:
    return (1 << min(doubts.max_step, doubts.length - place)) - 1


@Loop
def child(nodes: Nodes, at: int, move: int, trapped: int) -> int:
    """The node after a move, counted from 0 among all, or −1."""
    if at < 0 or nodes[at].kind != OPEN or not nodes[at].bits >> move & 1:
        return -1
    action = 0
    for m in range(move):
        action += nodes[at].bits >> m & 1
    found, end = at + 1, nodes[at].end
    while found < end:
        if nodes[found].action == action and nodes[found].trapped == trapped:
            return int(found)
        found = nodes[found].end
    return -1


@Loop
def limited(limits: Limits, decision: int, known: Any, doubt: int, place: int, legal: int) -> int:
    """The moves to which the seat of the limits keeps, as bits."""
    bits = 0
    if len(limits.given):
        if decision < len(limits.given):
            bits = limits.given[decision] & legal
        return bits or 1  # whoever gave them will notice
    for k in range(3):
        if known[k] >= 0:
            bits |= limits.sources[k].bits[known[k]]
    bits &= legal
    return bits or limits.usual[doubt, place]
