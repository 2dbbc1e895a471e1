"""Two searches at once, one for each seat's bound, each from a small tree to larger ones.

A seat that gives less up has a larger tree and can prove more, if there is time to search it. So
the trees that fit are searched in turn, and a small one that is settled leaves its time to the
larger ones; on a core for each seat. What one seat has proven tells the other when it is enough.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

from trapline.core import SEATS
from trapline.games.hidden_path.solving.duel.training import Training
from trapline.games.hidden_path.solving.duel.tree import build
from trapline.games.hidden_path.solving.modest.pool import (
    MOST_NODES,
    QUICK,
    RIPE,
    Pool,
)
from trapline.games.hidden_path.solving.patience import LONG, NARROW, worth_searching
from trapline.solve.interface import Certificate, TooLarge

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.games.hidden_path.solving.duel.training import Plan
    from trapline.games.hidden_path.solving.duel.tree import Tree
    from trapline.games.hidden_path.solving.modest.pool import Attempt, Modesty, Pairs, Support
    from trapline.solve.interface import Request

    Lists = dict[Seat, list[Support]]

LONG_ENOUGH = 3
"""Trees are left out if there were fewer than so many hundred iterations for them."""
SETTLED = 5e-4
"""What is proven in a modest tree is this near to all that can be proven there: enough, unless both
seats' bounds are about as close."""
TELLING = 0.02
"""A small tree is searched until its bounds are as close, for what both hide there."""
SLOW = 20_000
"""Trees with more nodes are left as soon as they can prove nothing new."""
OFTEN = 0.5
"""Seconds between two reports."""
A_WHILE = 0.02


class Proof(NamedTuple):
    """What a modest seat proves."""

    modesty: Modesty
    support: Support
    tree: Tree
    plan: Plan
    bound: float


class Standing:
    """What both searches have proven so far, and whether somebody has ended them."""

    def __init__(self, target: float, known: Certificate) -> None:
        self._target, self._began = target, time.monotonic()
        self._bounds: dict[Seat, float] = {1: known.lower, 2: known.upper}
        self._lock = threading.Lock()
        self.noted = 0
        """How often one of them has proven more than before."""
        self.stopped = False
        self.idle: set[Seat] = set()
        """Who has tried everything."""

    @property
    def proven(self) -> Certificate:
        return Certificate(self._bounds[1], self._bounds[2])

    def note(self, seat: Seat, bound: float) -> None:
        with self._lock:
            if better(seat, bound, self._bounds[seat]):
                self._bounds[seat] = bound
                self.noted += 1

    def more(self, seat: Seat, proven: Certificate) -> float:
        """How much a seat may still prove in its tree, above what it has proven anywhere."""
        lower, upper = self.proven
        return proven.upper - lower if seat == 1 else upper - proven.lower

    @property
    def enough(self) -> bool:
        if self.stopped or self.proven.exploitability <= self._target:
            return True
        lower, upper = self.proven
        return time.monotonic() - self._began > LONG and upper - lower <= NARROW


def search_both(
    pairs: Pairs, lists: Lists, request: Request, last: float, known: Certificate
) -> tuple[dict[Seat, Proof], bool]:
    """The best proof of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    worth = worth_searching(MOST_NODES, (last - time.monotonic()) / LONG_ENOUGH)
    most = min(MOST_NODES, max(worth, QUICK))
    pools = {seat: Pool(seat, pairs, lists[seat], most) for seat in SEATS}
    standing = Standing(request.target, known)
    climbs = [Climb(seat, pools, request, last, standing) for seat in SEATS]
    with ThreadPoolExecutor(len(SEATS)) as threads:
        searches = [threads.submit(climb.run) for climb in climbs]
        try:
            while wait(searches, OFTEN).not_done:
                if request.progress is not None:
                    request.progress(standing.noted, standing.proven)
        except KeyboardInterrupt:
            standing.stopped = True
    for search in searches:
        search.result()
    return {c.seat: c.best for c in climbs if c.best is not None}, standing.stopped


class Climb:
    """One seat's search, from small trees to large ones."""

    def __init__(
        self,
        seat: Seat,
        pools: dict[Seat, Pool],
        request: Request,
        last: float,
        standing: Standing,
    ) -> None:
        self.seat, self._pools, self._pool = seat, pools, pools[seat]
        self._request, self._last, self._standing = request, last, standing
        self.best: Proof | None = None

    @property
    def _settled(self) -> float:
        """How close the bounds of a tree must be: the closer, the closer both seats' are."""
        lower, upper = self._standing.proven
        return max(self._request.target, min(SETTLED, (upper - lower) / 4))

    @property
    def _ended(self) -> bool:
        """Whoever has nothing to play by goes on, however late it is."""
        late = time.monotonic() > self._last
        return self.best is not None and (self._standing.enough or late)

    def run(self) -> None:
        while not self._ended:
            share = (self._last - time.monotonic()) / self._pool.levels_left
            self._level(time.monotonic() + share)
            if not self._ended and not self._pool.rise() and not self._more_to_come():
                break
        self._standing.idle.add(self.seat)

    def _more_to_come(self) -> bool:
        """Where all has been tried, the other's search may still tell of other lists."""
        idle = self._standing.idle
        idle.add(self.seat)
        while not self._pool.waiting and not self._ended and len(idle) < len(SEATS):
            time.sleep(A_WHILE)
        if not self._pool.waiting:
            return False
        idle.discard(self.seat)
        return True

    def _level(self, until: float) -> None:
        while not self._ended and (self.best is None or time.monotonic() < until):
            attempt = self._pool.next(math.inf if self.best is None else until)
            if attempt is None:
                break
            self._try(attempt)

    def _try(self, attempt: Attempt) -> None:
        modesty, support, seat = attempt.modesty, attempt.support, self.seat
        if attempt.training is None:
            try:
                tree = build(self._pool.pair(attempt), attempt.size)
            except TooLarge:  # the memory that was free is not any more
                attempt.over = True
                return
            attempt.training = Training(tree, self._request.checkpoint(_name(seat, attempt)))
        training, standing = attempt.training, self._standing
        large = attempt.size.nodes > SLOW

        def enough(proven: Certificate) -> bool:
            standing.note(seat, bound_of(seat, proven))
            width, settled = proven.upper - proven.lower, self._settled
            attempt.over = width <= settled or (
                standing.more(seat, proven) <= settled and (large or width <= TELLING)
            )
            return attempt.over or standing.enough

        last = min(self._last, time.monotonic() + self._pool.turn)
        training.go_on(enough, deadline=last)
        self._pool.note(attempt, training.proven)
        self._tell(training)
        bound = bound_of(seat, training.proven)
        if self.best is None or better(seat, bound, self.best.bound):
            self.best = Proof(modesty, support, training.tree, training.plan, bound)
        if attempt.over:
            attempt.training = None

    def _tell(self, training: Training) -> None:
        """Offer lists of what both hide in a tree to whom they may serve."""
        tree, proven = training.tree, training.proven
        for seat in SEATS:
            if seat != self.seat or proven.upper - proven.lower <= RIPE:
                self._pools[seat].tell(tree.secrets(seat), training.plan.mixes[seat - 1])


def _name(seat: Seat, attempt: Attempt) -> str:
    """Under which a tree's search is written down."""
    secrets = hashlib.sha256(repr(attempt.support).encode()).hexdigest()[:12]
    return f"modest {seat} {'-'.join(map(str, attempt.modesty))} {secrets}"


def better(seat: Seat, bound: float, than: float) -> bool:
    return bound > than if seat == 1 else bound < than


def bound_of(seat: Seat, proven: Certificate) -> float:
    """A seat's own bound; what its tree says of the other seat is not proven."""
    return proven.lower if seat == 1 else proven.upper
