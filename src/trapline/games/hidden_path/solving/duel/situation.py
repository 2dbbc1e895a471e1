"""Where a match of Hidden Path has come to, in the tree of a duel and beyond its cuts."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import Moved, Triggered
from trapline.games.hidden_path.solving.duel.lone import Position
from trapline.games.hidden_path.solving.duel.nodes import FIRST_ALONE, OPEN
from trapline.games.hidden_path.solving.duel.tree import classify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from trapline.core import Seat, View
    from trapline.games.hidden_path.solving.duel.tree import Tree

    Counts = NDArray[np.int32]

Landing = tuple[int, int, bool]
"""Who moved (1 moves first), how far, and whether it ended on a trap."""


def landings_of(view: View) -> Iterator[Landing]:
    """Everything that has happened, as a View tells it."""
    found: list[Landing] = []
    for event in view.events:
        if isinstance(event, Moved):
            start, to = int(str(event.start)), int(str(event.to))
            found.append((1 if event.by == view.first else 2, to - start, False))
        elif isinstance(event, Triggered):
            found[-1] = (*found[-1][:2], True)
    yield from found


class Astray(Exception):
    """The tree does not know this: a seat has done what it has given up."""


@dataclass
class Situation:
    """All that both have seen. Seats are 1 for whoever moves first, and 2."""

    tree: Tree
    mover: int = 1
    places: list[int] = field(default_factory=lambda: [0, 0])
    doubts: list[int] = field(default_factory=lambda: [0, 0])
    """What each runner doubts."""
    sprung: list[int] = field(default_factory=lambda: [0, 0])
    """Each seat's own traps that were sprung, as bits."""
    node: int = 0
    """Where it is in the tree, or where it left the tree."""
    fit: list[Counts] = field(default_factory=list)
    """For each seat: those of its secrets at the node that are possible now, by their place."""
    point: int = -1
    """In a lone run that began at the node: where the runner is; −1 where nothing is chosen."""
    left: int = 0
    """And how many moves the runner has left, if the other is as quick as the tree says."""

    def __post_init__(self) -> None:
        self._enter(0)

    @property
    def kind(self) -> int:
        return int(self.tree.nodes[self.node]["kind"])

    @property
    def steps(self) -> list[int]:
        """The moves that the tree knows here; after its cuts all of them."""
        doubts, place = self.tree.doubts(self.mover), self.places[self.mover - 1]
        legal = range(1, min(doubts.max_step, doubts.length - place) + 1)
        bits = int(self.tree.nodes[self.node]["bits"]) if self.kind == OPEN else 0
        return [far for far in legal if not bits or bits >> (far - 1) & 1]

    @property
    def runner(self) -> int:
        """Who runs alone, 0 if nobody does."""
        return self.kind - FIRST_ALONE + 1 if self.kind >= FIRST_ALONE else 0

    def held(self, seat: Seat, secret: int) -> int:
        """The place of a seat's secret among those that are possible at the node."""
        now = self.tree.hidden[2 - seat].left[self.doubts[2 - seat]]
        left = secret & ~self.sprung[seat - 1]
        place = int(np.searchsorted(now, left))
        if place == len(now) or now[place] != left:
            raise Astray("this secret is not on the list")
        return int(self.fit[seat - 1][place])

    def secrets(self, seat: Seat) -> list[int]:
        """A seat's secrets that are still possible, as bits, in the order of `fit`."""
        now = self.tree.hidden[2 - seat].left[self.doubts[2 - seat]]
        return [int(left) | self.sprung[seat - 1] for left in now]

    def after(self, landing: Landing) -> Situation:
        """The same, one landing later; this one stays as it is."""
        found = copy(self)
        for name in ("places", "doubts", "sprung", "fit"):
            setattr(found, name, list(getattr(self, name)))
        found.follow(landing)
        return found

    def follow(self, landing: Landing) -> None:
        seat, steps, trapped = landing
        doubts, me, to = self.tree.doubts(seat), seat - 1, self.places[seat - 1] + steps
        doubt = self.doubts[me]
        new, slot = doubts.passed[doubt, to], doubts.passed_slot[doubt, to]
        if trapped:
            new, slot = doubts.caught[doubt, to], doubts.caught_slot[doubt, to]
            self.sprung[1 - me] |= 1 << to
        inside = self.kind == OPEN
        if new < 0 or steps not in self.steps:
            raise Astray("nobody comes here who keeps to the list")
        move = self.steps.index(steps)
        self.doubts[me], self.places[me] = int(new), 0 if trapped else to
        self.mover = 3 - seat
        if slot >= 0:
            kept = doubts.slots[slot : slot + doubts.size[new]]
            self.fit[1 - me] = self.fit[1 - me][kept]
        if inside:
            self._enter(self._child(move, trapped))
        elif seat == self.runner:
            self.left -= 1
            if self.point >= 0:
                found = self.tree.next_point(self.node, self.point, move, trapped=trapped)
                self._stand_at(found)

    def _child(self, move: int, trapped: bool) -> int:
        nodes, child = self.tree.nodes, self.node + 1
        while (nodes[child]["action"], nodes[child]["trapped"]) != (move, trapped):
            child = int(nodes[child]["end"])
        return child

    def _enter(self, node: int) -> None:
        """At a new node, all its secrets fit."""
        self.node = node
        self.fit = [
            np.arange(width, dtype=np.int32) for width in self.tree.nodes[node]["width"].tolist()
        ]
        self.point = -1
        if self.runner:
            me = self.mover - 1
            mine, theirs = self.tree.doubts(self.mover), self.tree.doubts(3 - self.mover)
            _, _, self.left = classify.plain(mine, theirs, me, self.places, self.doubts)
            self._stand_at(0)

    def _stand_at(self, point: int) -> None:
        open_here = point >= 0 and self.tree.point(self.node, point)["open"]
        self.point = point if open_here else -1

    def alone(self) -> Position | None:
        """Where a lone runner is who can still be in time as the tree counts it."""
        if not self.runner:
            return None
        doubt, place = self.doubts[self.runner - 1], self.places[self.runner - 1]
        in_time = self.tree.doubts(self.runner).fewest[doubt, place] <= self.left
        return Position(doubt, place, self.left) if in_time else None


def situation_of(tree: Tree, view: View) -> Situation:
    found = Situation(tree)
    for landing in landings_of(view):
        found.follow(landing)
    return found
