"""What a modest seat may still try: lists of secrets, each with more or less hurry.

A seat that keeps to a few secrets tells the other what they are. So the other soon knows all that
matters and is only a number, and then the seat runs alone, in no hurry at all: a short list makes a
tree smaller, and may prove more. Which secrets those are is told by the trees that were searched:
by what the seat hides in its own, and by what it hides in the other's, where nothing is given up.

Other lists are guessed: pairs of what is hidden most often, and a good list with one secret more or
less.

Attempts come in levels. Each level has larger trees and longer turns than the one before, and the
same share of the time. The most promising list, the smallest tree, and the smallest of
a list that was told take turns.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import deque
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.doubts import NO_LIMIT
from trapline.games.hidden_path.solving.duel.tree import measure
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.duel.training import Training
    from trapline.games.hidden_path.solving.duel.tree import Pair, Size
    from trapline.solve.interface import Certificate

    Support = tuple[int, ...]
    """The secrets to which a seat keeps, as bits, in rising order."""
    Pairs = Callable[[Seat, "Modesty", Support], Pair]


class Modesty(NamedTuple):
    """What a seat gives up, beside secrets."""

    first: int
    """Moves that it may waste with the first step of a journey."""
    later: int
    """And with each later one."""
    whole: int = NO_LIMIT
    """And in a whole journey."""
    luck: int = 0
    """The other is given so many moves that luck could save, as soon as there are no more."""


HURRIES = (
    Modesty(0, 0),
    Modesty(1, 0),
    Modesty(0, 1),
    Modesty(1, 1, 1),
    Modesty(1, 1),
    Modesty(2, 2),
    Modesty(NO_LIMIT, NO_LIMIT),
)
"""The last is in no hurry at all."""
LUCKS = (0, 1, 2)
QUICK = 200_000
"""Luck makes trees smaller, and bounds a little wider; a tree with so few nodes needs none."""
MOST_NODES = 12_000_000
SMALLEST = 3_000
"""Nodes of the largest trees of the first level."""
GROWS = 4
TURN = 1.0
"""Seconds that an attempt may take in the first level; twice as many in the next."""
OFTEN_HIDDEN = (0.02, 0.1)
"""Lists are made of the secrets that are hidden more often than this."""
WIDENED = 4
"""Lists with one secret more or less are made of those that have no more than this."""
POPULAR = 8
"""So many of the secrets that are hidden most often anywhere are tried in pairs, and beside a good
list."""
RIPE = 0.05
"""A seat's own list is made of what it hides in its tree when the bounds there are as close."""


class Attempt:
    """One tree of a seat, and how far its search has come."""

    def __init__(self, support: Support, modesty: Modesty, size: Size) -> None:
        self.support, self.modesty, self.size = support, modesty, size
        self.level = -1
        """The last at which it had a turn."""
        self.training: Training | None = None
        self.over = False
        """Whether nothing more can be proven by it."""


class Pool:
    """The attempts of one seat."""

    def __init__(self, seat: Seat, pairs: Pairs, supports: Iterable[Support], most: int) -> None:
        self.seat, self._pairs = seat, pairs
        self._most = most
        self._arrived = deque(supports)
        self._supports: dict[Support, float] = {}
        """With what they promise: what the other has not yet refuted."""
        self._proven: dict[Support, float] = {}
        """What was proven with a list, the more the better for the seat."""
        self._weights: dict[int, float] = {}
        """How often each secret is hidden, over all trees."""
        self._widened: set[Support] = set()
        self._guessed: set[Support] = set()
        """Lists that no tree has told of."""
        self._attempts: dict[tuple[Support, int], Attempt] = {}
        self._sizes: dict[tuple[Support, Modesty], Size] = {}
        self._least: dict[tuple[Support, Modesty], int] = {}
        """How many nodes a tree has, or at least has."""
        self._turns = 0
        self.level = 0

    @property
    def cap(self) -> int:
        """How many nodes a tree may have at this level."""
        return int(min(self._most, SMALLEST * GROWS**self.level))

    @property
    def levels_left(self) -> int:
        """With this one."""
        count = 1
        while SMALLEST * GROWS ** (self.level + count - 1) < self._most:
            count += 1
        return count

    @property
    def turn(self) -> float:
        """Seconds that an attempt may take at this level."""
        return float(TURN * 2**self.level)

    def rise(self) -> bool:
        """To the next level, if there is one."""
        if self.cap >= self._most:
            return False
        self.level += 1
        return True

    def tell(self, secrets: Sequence[int], mix: NDArray[np.float64]) -> None:
        """How often secrets are hidden in a tree; called by both seats' searches."""
        self._arrived.extend(supports_of(secrets, mix))
        for number in np.flatnonzero(mix > OFTEN_HIDDEN[0]).tolist():
            secret = secrets[number]
            self._weights[secret] = self._weights.get(secret, 0.0) + float(mix[number])

    @property
    def waiting(self) -> bool:
        return bool(self._arrived)

    def next(self, until: float = math.inf) -> Attempt | None:
        """What to try at this level, or go on with; None where nothing is left, or it is late."""
        self._turns += 1
        kind = self._turns % 3
        if kind == 0:
            self._widen()
        while self._arrived:
            support = self._arrived.popleft()
            self._supports.setdefault(support, -math.inf)
            self._guessed.discard(support)
        ready = [
            (self._order(kind, support), self._at_least(support, hurry), support, hurry)
            for support in self._supports
            for hurry in HURRIES
        ]
        heapq.heapify(ready)
        while ready and time.monotonic() <= until:
            order, known, support, hurry = heapq.heappop(ready)
            found = self._attempt(support, hurry) if known <= self.cap else None
            if found is None or found.over or found.level >= self.level:
                continue
            if found.size.nodes > known and ready and (order, found.size.nodes) > ready[0][:2]:
                heapq.heappush(ready, (order, found.size.nodes, support, hurry))
                continue
            found.level = self.level
            return found
        return None

    def _order(self, kind: int, support: Support) -> float:
        """By promise; or by size alone; or by size, lists that were only guessed last."""
        if kind == 1:
            return -self._supports[support]
        return float(kind == 2 and support in self._guessed)

    def _guess(self, supports: Iterable[Support]) -> None:
        for support in supports:
            if support not in self._supports:
                self._supports[support] = -math.inf
                self._guessed.add(support)

    def _at_least(self, support: Support, hurry: Modesty) -> int:
        """As few nodes has the tree, as far as others are known: who may do more has a larger one.
        With luck for the other it may be smaller."""
        if self.cap >= QUICK:
            return 0
        return max(
            self._least.get((support, less), 0)
            for less in HURRIES
            if all(own <= most for own, most in zip(less, hurry, strict=True))
        )

    def _widen(self) -> None:
        """Offer pairs of what is hidden most often, and what is next to the best list that was not
        yet treated so."""
        weights = dict(self._weights)
        popular = heapq.nlargest(POPULAR, weights, key=weights.__getitem__)
        self._guess(combinations(sorted(popular), 2))
        rest = [
            support
            for support in self._proven
            if support not in self._widened and len(support) <= WIDENED
        ]
        if not rest:
            return
        best = max(rest, key=lambda support: (round(self._proven[support], 3), -len(support)))
        self._widened.add(best)
        self._guess(tuple(sorted((*best, secret))) for secret in popular if secret not in best)
        if len(best) > 1:
            self._guess(tuple(kept for kept in best if kept != secret) for secret in best)

    def pair(self, attempt: Attempt) -> Pair:
        return self._pairs(self.seat, attempt.modesty, attempt.support)

    def note(self, attempt: Attempt, proven: Certificate) -> None:
        """What a seat has proven with a list, and what it might still prove."""
        least, most = proven if self.seat == 1 else (-proven.upper, -proven.lower)
        support = attempt.support
        self._supports[support] = most
        self._proven[support] = max(least, self._proven.get(support, -math.inf))

    def _attempt(self, support: Support, hurry: Modesty) -> Attempt | None:
        """With no more luck for the other than it takes to make the tree small enough."""
        for number, luck in enumerate(LUCKS):
            if number and self.cap < QUICK:
                break
            size = self._size(support, hurry._replace(luck=luck))
            if size is not None:
                # Different ones may be the same.
                fresh = Attempt(support, hurry._replace(luck=luck), size)
                found = self._attempts.setdefault((support, size.nodes), fresh)
                return found if found.modesty == fresh.modesty else None
        return None

    def _size(self, support: Support, modesty: Modesty) -> Size | None:
        key = (support, modesty)
        if key not in self._sizes:
            if self._least.get(key, 0) > self.cap:
                return None
            size = measure(self._pairs(self.seat, modesty, support), self.cap)
            self._least[key] = self.cap + 1 if size is None else size.nodes
            if size is None:
                return None
            self._sizes[key] = size
        size = self._sizes[key]
        return size if size.nodes <= self.cap and size.memory <= room() / 2 else None


def supports_of(secrets: Sequence[int], mix: NDArray[np.float64]) -> list[Support]:
    """The secrets that are hidden often, by one measure and by another."""
    found = [np.flatnonzero(mix > often).tolist() for often in OFTEN_HIDDEN]
    return [tuple(secrets[k] for k in numbers) for numbers in found if numbers]
