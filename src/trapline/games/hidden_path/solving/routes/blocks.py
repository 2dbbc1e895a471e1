"""Traps drawn evenly from blocks of the path, and how soon anybody can be home past them.

A block is a row of steps. An arrangement says how many traps lie in each block, and whether the
goal is trapped; each block's traps are drawn evenly, apart from those of the others. A runner who
knows the arrangement meets every step of a block that was never landed on with the same chance, so
it is enough to count: in each block, the steps known to be safe and the traps sprung. Nobody jumps
over `max_step` steps in a row, so a block asks for one landing at least for each such row in it.

`Homecoming` lets a runner land anywhere in a block, in any order, on steps that are known or on new
ones, as long as there are enough landings. Whoever runs by the rules can do no more than that, so
the chances that it finds are upper bounds.
"""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve.interface import TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

LATE_BLOCKS = 3
"""So many of the last blocks of `max_step` steps may be apart from what lies before them."""
SHORT = 20
"""Longer paths have too many places for blocks to end, and too much to be in doubt about."""
MOST_NUMBERS = 300_000
"""States of a runner, times moves."""
MANY_TOGETHER = 4_000
"""No arrangement is tried that stands for more secrets."""


class Block(NamedTuple):
    """Steps from the first to the last, and how many of them are trapped."""

    first: int
    last: int
    traps: int

    @property
    def width(self) -> int:
        return self.last - self.first + 1


class Arrangement(NamedTuple):
    blocks: tuple[Block, ...]
    """From the start to the goal."""
    goal: bool
    """Whether the goal is trapped."""

    @property
    def secrets(self) -> int:
        """How many secrets it stands for, each as likely as the others."""
        return prod(comb(block.width, block.traps) for block in self.blocks)

    def holds(self, secret: int, length: int) -> bool:
        """Whether a secret is among them."""
        counts = [(secret >> b.first & (1 << b.width) - 1).bit_count() for b in self.blocks]
        return counts == [b.traps for b in self.blocks] and secret >> length & 1 == self.goal

    def each(self, length: int) -> Iterator[int]:
        """All of them, as bits."""
        parts = (combinations(range(b.first, b.last + 1), b.traps) for b in self.blocks)
        for chosen in product(*parts):
            traps = sum(1 << step for part in chosen for step in part)
            yield traps | self.goal << length


def arrangements(
    length: int, max_step: int, traps: int, *, goal_traps: bool, walls: bool
) -> Iterator[Arrangement]:
    """What is worth trying: blocks that end where whole moves from the goal would, or anywhere
    near the goal."""
    if not walls and traps >= max_step:
        return  # some of what they stand for may be forbidden
    whole = [length - 1 - max_step * late for late in range(1, LATE_BLOCKS + 1)]
    near = range(length - 2, length - 2 - 2 * max_step, -1)
    few = {tuple(sorted(cut)) for count in range(4) for cut in combinations(whole, count)}
    many = {tuple(sorted(cut)) for count in (1, 2) for cut in combinations(near, count)}
    for goal in {goal_traps, False}:
        for cut in sorted(few | many if length <= SHORT and goal == goal_traps else few):
            if all(end > 0 for end in cut):
                starts = [1, *(end + 1 for end in cut)]
                spans = list(zip(starts, [*cut, length - 1], strict=True))
                yield from _filled([s for s in spans if s[0] <= s[1]], traps - goal, goal=goal)


def _filled(spans: list[tuple[int, int]], traps: int, *, goal: bool) -> Iterator[Arrangement]:
    for counts in product(*(range(min(traps, last - first + 1) + 1) for first, last in spans)):
        # Blocks without a trap beside each other are one and the same.
        empty = any(a == b == 0 for a, b in pairwise(counts))
        if sum(counts) == traps and not empty:
            blocks = (Block(*span, count) for span, count in zip(spans, counts, strict=True))
            found = Arrangement(tuple(blocks), goal)
            if found.secrets <= MANY_TOGETHER:
                yield found


class Stand(NamedTuple):
    """Where a runner is, as far as it is counted."""

    block: int
    landed: int
    """In this block on this journey; more than it asks for are not counted."""
    known: tuple[tuple[int, int], ...]
    """For each block: the steps known to be safe, and the traps sprung."""
    goal: bool
    """Whether the goal is still trapped."""


NOTHING = -1
"""In place of a stand: this cannot be."""


class Follow(NamedTuple):
    """For each stand, by number: what follows going on to the next block, landing where it is known
    to be safe, landing on a new step that is safe, and on one that is not; how likely that is."""

    onwards: Ints
    again: Ints
    passed: Ints
    caught: Ints
    risk: Floats


class Homecoming:
    """The best chance to be home within so many moves, for each stand that can come about."""

    def __init__(self, arrangement: Arrangement, max_step: int, moves: int) -> None:
        self.blocks = arrangement.blocks
        self.asks = [block.width // max_step for block in self.blocks]
        self.start = Stand(0, 0, tuple((0, 0) for _ in self.blocks), arrangement.goal)
        self.number = {self.start: 0}
        self._stands = [self.start]
        self._most = MOST_NUMBERS // (moves + 1)
        self.chances = self._chances(moves)
        """By moves left and stand."""

    def cleared(self, stand: Stand) -> bool:
        return stand.known[stand.block][1] == self.blocks[stand.block].traps

    def risk(self, stand: Stand) -> float:
        """How likely a step of the block is trapped that nobody has landed on."""
        block, (safe, sprung) = self.blocks[stand.block], stand.known[stand.block]
        return (block.traps - sprung) / (block.width - safe - sprung)

    def again(self, stand: Stand) -> Stand:
        """After landing on a step that is known, or in a block without traps."""
        return stand._replace(landed=self._counted(stand))

    def passed(self, stand: Stand) -> Stand:
        """After landing safely on a new one."""
        safe, sprung = stand.known[stand.block]
        return self._knowing(stand, (safe + 1, sprung))._replace(landed=self._counted(stand))

    def caught(self, stand: Stand) -> Stand:
        safe, sprung = stand.known[stand.block]
        left = self.blocks[stand.block].traps - sprung - 1
        known = (safe, sprung + 1) if left else (0, sprung + 1)  # a cleared block is like another
        return self._knowing(stand, known)._replace(block=0, landed=0)

    def onwards(self, stand: Stand) -> Stand:
        return stand._replace(block=stand.block + 1, landed=0)

    def _counted(self, stand: Stand) -> int:
        return min(stand.landed + 1, self.asks[stand.block])

    def _knowing(self, stand: Stand, known: tuple[int, int]) -> Stand:
        at = stand.block
        return stand._replace(known=(*stand.known[:at], known, *stand.known[at + 1 :]))

    def _numbered(self, stand: Stand) -> int:
        if stand not in self.number:
            self.number[stand] = len(self._stands)
            self._stands.append(stand)
            if len(self._stands) > self._most:
                raise TooLarge("There is too much to count; fewer traps make less.")
        return self.number[stand]

    def _follow(self) -> Follow:
        """What may follow each stand that can come about."""
        rows = []
        for stand in self._stands:  # which grows while it is walked
            onwards = again = passed = caught = NOTHING
            risk = 0.0
            if stand.block == len(self.blocks):
                if stand.goal:
                    again = self._numbered(self.start._replace(known=stand.known, goal=False))
            else:
                known, doubtful = sum(stand.known[stand.block]), not self.cleared(stand)
                if stand.landed >= self.asks[stand.block]:
                    onwards = self._numbered(self.onwards(stand))
                elif known > stand.landed or not doubtful:
                    again = self._numbered(self.again(stand))
                if doubtful:
                    risk = self.risk(stand)
                    caught = self._numbered(self.caught(stand))
                    passed = self._numbered(self.passed(stand)) if risk < 1.0 else NOTHING
            rows.append((onwards, again, passed, caught, risk))
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        return Follow(columns[0], columns[1], columns[2], columns[3], columns[4])

    def _chances(self, moves: int) -> Floats:
        follow, count = self._follow(), len(self._stands)
        at = np.array([stand.block for stand in self._stands])
        home = np.array(
            [stand.block == len(self.blocks) and not stand.goal for stand in self._stands]
        )
        chances = np.zeros((moves + 1, count + 1))  # nothing comes of what cannot be: the last
        for before, now in pairwise(chances):
            landing = (1 - follow.risk) * before[follow.passed] + follow.risk * before[
                follow.caught
            ]
            now[:-1] = np.where(home, 1.0, np.maximum(landing, before[follow.again]))
            for block in range(len(self.blocks) - 1, -1, -1):
                here = np.flatnonzero(at == block)
                now[here] = np.maximum(now[here], now[follow.onwards[here]])
        return chances
