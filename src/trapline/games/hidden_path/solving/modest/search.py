"""Two searches at once, one for each seat's bound, each in a tree that grows.

A seat's tree is searched until its bounds are close; then it grows by what may be worth more, and
loses what was not worth anything (`growth`). Both seats search on a core each, and tell each other:
what a seat does in the other's tree, where it may do anything, it tries in its own.

How close is close, and what is often enough to be taken along, goes by how far apart both seats'
bounds are; and by the half finer whenever a seat has proven little more than before.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.core import SEATS, other
from trapline.games.hidden_path.solving.both import (
    Standing,
    above,
    better,
    search_at_once,
    taken_up,
)
from trapline.games.hidden_path.solving.duel.method import packed, unpacked
from trapline.games.hidden_path.solving.duel.nodes import NO_SOURCE
from trapline.games.hidden_path.solving.duel.training import Room, Training, certify
from trapline.games.hidden_path.solving.duel.tree import build, measure
from trapline.games.hidden_path.solving.modest.growth import (
    Grown,
    again,
    given,
    grown,
    limits_of,
    reply,
)
from trapline.solve.interface import Certificate, TooLarge
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.duel.nodes import Limits, Source
    from trapline.games.hidden_path.solving.duel.training import Plan
    from trapline.games.hidden_path.solving.duel.tree import Pair, Size, Tree
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Request

    Support = tuple[int, ...]
    """The secrets to which a seat keeps, as bits, in rising order."""
    Pairs = Callable[[Seat, Support], Pair]

MOST_NODES = 6_000_000
SMALL = 100_000
"""A tree may always have as many nodes,"""
GROWS = 3
"""and else so many times as many as the one before."""
CLOSE = (0.1, 0.05)
"""A tree is searched until its bounds are as close, as a share of how far apart both seats' are,
and in any case."""
RARE = (0.2, 1.0)
"""What the seat does no more often than so many times that is not taken along; the same of what it
does in the other's tree."""
COARSER = (1.0, 2.0, 4.0, 8.0, 16.0, 50.0)
"""Where a tree would be too large, less is taken from the other's."""
LITTLE, MUCH = 0.05, 0.2
"""Of what both seats' bounds are apart: who has proven no more goes on more finely, and less so
who has proven as much."""
FINER, COARSEST, FINEST = 0.6, 1.0, 0.05
TELLING = 4.0
"""A tree that proves nothing new is left when its bounds are so many times as far apart."""
NEEDLESS = 0.5
"""Nobody needs bounds of a single tree that are closer, as a share of how close both seats' should
be."""


class Proof(NamedTuple):
    """What a modest seat proves."""

    support: Support
    tree: Tree
    plan: Plan
    bound: float
    kept: bytes = b""
    """The plan in bytes, if it comes from there: to round it once more would make another."""


def search_both(
    pairs: Pairs,
    lists: dict[Seat, set[int]],
    request: Request,
    last: float,
    known: Certificate,
) -> tuple[dict[Seat, Proof], bool]:
    """The best proof of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    standing, told = Standing(request.target, known), Told()
    climbs = [
        Climb(seat, pairs, lists[seat], last, standing, told, request.checkpoint(f"modest {seat}"))
        for seat in SEATS
    ]
    stopped = search_at_once(climbs, standing, request)
    return {c.seat: c.best for c in climbs if c.best is not None}, stopped


class Told:
    """The last tree of each seat."""

    def __init__(self) -> None:
        self.trees: dict[Seat, Grown] = {}

    def does(self, seat: Seat, whose: Seat, often: float) -> Source:
        found = self.trees.get(whose)
        return NO_SOURCE if found is None else found.does(seat, often)

    def hides(self, seat: Seat, whose: Seat, often: float) -> set[int]:
        found = self.trees.get(whose)
        return set() if found is None else found.hides(seat, often)


class Climb:
    """One seat's search, from a small tree to better ones."""

    def __init__(
        self,
        seat: Seat,
        pairs: Pairs,
        secrets: set[int],
        last: float,
        standing: Standing,
        told: Told,
        checkpoint: Checkpoint,
    ) -> None:
        self.seat, self._pairs, self._secrets = seat, pairs, secrets
        self._checkpoint = checkpoint
        self._last, self._standing, self._told = last, standing, told
        self._fine = COARSEST
        self._nodes = 0
        self._reply = NO_SOURCE
        self.best: Proof | None = None

    @property
    def _ended(self) -> bool:
        """Whoever has nothing to play by goes on, however late it is."""
        late = time.monotonic() > self._last
        return self.best is not None and (self._standing.enough or late)

    def run(self) -> None:
        self._go_on_from_what_was_kept()
        while not self._ended:
            share, most = CLOSE
            close = self._fine * min(share * self._standing.apart, most)
            close = max(NEEDLESS * self._standing.target, close)
            tree = self._grow(close)
            if tree is None:
                break
            self._search(tree, close)

    def _go_on_from_what_was_kept(self) -> None:
        found = taken_up(self._checkpoint, (np.int64, np.int16, np.uint8))
        if found is None:
            return
        kept, arrays = found
        support, moves, plan = arrays
        try:
            pair = self._pairs(self.seat, tuple(support.tolist()))
            tree = again(pair, self.seat, moves, MOST_NODES)
            if tree is not None:
                self._fine, self._nodes = kept["fine"], len(tree.nodes)
                self._note(tree, unpacked(tree, plan.tobytes()))
        except (KeyError, ValueError):
            return  # it is of another game

    def _note(self, tree: Tree, plan: Plan) -> float:
        """A tree and a plan that proves something, how much is returned."""
        found = bound_of(self.seat, certify(tree, plan, Room(tree)))
        self._standing.note(self.seat, found)
        self._told.trees[self.seat] = grown(tree, plan)
        if self.best is None or better(self.seat, found, self.best.bound):
            self.best = Proof(tree.secrets(self.seat), tree, plan, found)
            moves = given(tree, self.seat)
            kept = np.frombuffer(packed(plan), np.uint8)
            arrays = [np.array(tree.secrets(self.seat)), moves, kept]
            self._checkpoint.keep_now_and_then(lambda: arrays, {"fine": self._fine})
        return found

    def _grow(self, close: float) -> Tree | None:
        """The next tree; None where there is none that is small enough."""
        own, theirs = (rare * close for rare in RARE)
        rival, told = other(self.seat), self._told
        secrets = told.hides(self.seat, self.seat, own) | told.hides(self.seat, rival, theirs)
        pair = self._pairs(self.seat, tuple(sorted(secrets or self._secrets)))
        room_for = min(MOST_NODES, max(SMALL, GROWS * self._nodes))
        for limits in self._limits(pair, own, theirs):
            size = measure(pair, room_for, limits)
            if size is not None and size.memory <= room() / len(SEATS):
                return self._built(pair, size, limits)
        limits = limits_of(self.seat, pair, (NO_SOURCE,) * 3)
        size = measure(pair, MOST_NODES, limits)
        return None if size is None else self._built(pair, size, limits)

    def _limits(self, pair: Pair, own: float, theirs: float) -> Iterator[Limits]:
        """What to take along, the most first."""
        seat, told = self.seat, self._told
        kept = told.does(seat, seat, own)
        for coarser in COARSER:
            taken = told.does(seat, other(seat), theirs * coarser)
            yield limits_of(seat, pair, (kept, taken, self._reply))
            yield limits_of(seat, pair, (kept, taken, NO_SOURCE))
        yield limits_of(seat, pair, (kept, NO_SOURCE, NO_SOURCE))

    def _built(self, pair: Pair, size: Size, limits: Limits) -> Tree | None:
        self._nodes = size.nodes
        try:
            return build(pair, size, limits)
        except TooLarge:  # the memory that was free is not any more
            return None

    def _search(self, tree: Tree, close: float) -> None:
        seat, standing = self.seat, self._standing
        before, apart = self.best, standing.apart
        training = Training(tree)

        def enough(proven: Certificate) -> bool:
            standing.note(seat, bound_of(seat, proven))
            width = proven.upper - proven.lower
            hopeless = width <= TELLING * close and standing.still_to_gain(seat, proven) <= 0
            return width <= close or hopeless or standing.enough

        training.go_on(enough, deadline=self._last)
        bound = self._note(tree, training.plan)
        gained = apart if before is None else above(seat, bound, before.bound)
        if gained < LITTLE * apart:
            self._fine = max(FINEST, self._fine * FINER)
        elif gained > MUCH * apart:
            self._fine = min(COARSEST, self._fine / FINER)
        if not self._ended:
            self._reply = reply(
                self._told.trees[seat], tree.hidden, seat, max(SMALL, 4 * self._nodes)
            )


def bound_of(seat: Seat, proven: Certificate) -> float:
    """A seat's own bound; what its tree says of the other seat is not proven."""
    return proven.lower if seat == 1 else proven.upper
