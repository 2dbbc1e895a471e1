"""Two searches at once, one for each seat's bound, each from a small tree to larger ones.

A seat that gives less up has a larger tree and can prove more, if there is time to search it. So
the trees that fit are searched in turn, and a small one that is settled leaves its time to the
larger ones; on a core for each seat. What one seat has proven tells the other when it is enough.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from trapline.core import SEATS
from trapline.games.hidden_path.solving.doubts import NO_LIMIT
from trapline.games.hidden_path.solving.duel.training import train
from trapline.games.hidden_path.solving.duel.tree import build, measure
from trapline.games.hidden_path.solving.patience import LONG, NARROW, worth_searching
from trapline.solve.interface import Certificate, TooLarge
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.duel.training import Plan
    from trapline.games.hidden_path.solving.duel.tree import Pair, Size, Tree
    from trapline.solve.interface import Request

    Pairs = Callable[[Seat, "Modesty"], Pair]

MOST_NODES = 12_000_000
LONG_ENOUGH = 3
"""Trees are left out if, with them, there were fewer than so many hundred iterations for each."""
SETTLED = 5e-4
"""What is proven in a modest tree is this near to all that can be proven there: enough."""
OFTEN = 0.5
"""Seconds between two reports."""


class Modesty(NamedTuple):
    """What a seat gives up."""

    first: int
    """Moves that it may waste with the first step of a journey."""
    later: int
    """And with each later one."""
    whole: int = NO_LIMIT
    """And in a whole journey."""
    luck: int = 0
    """The other is given so many moves that luck could save, as soon as there are no more."""

    def gives_up(self, other: Modesty) -> bool:
        """Whether it gives up all that another does."""
        own, theirs = (*self[:3], -self.luck), (*other[:3], -other.luck)
        return all(mine <= yours for mine, yours in zip(own, theirs, strict=True))


HURRIES = (Modesty(0, 0), Modesty(1, 0), Modesty(0, 1), Modesty(1, 1, 1), Modesty(1, 1))
LUCKS = (0, 1, 2)
QUICK = 200_000
"""Luck makes trees smaller, and bounds a little wider; a tree with so few nodes needs none."""
EASY = 4
"""Nor does one that could be searched so many times."""


class Proof(NamedTuple):
    """What a modest seat proves."""

    modesty: Modesty
    tree: Tree
    plan: Plan
    bound: float


class Standing:
    """What both searches have proven so far, and whether somebody has ended them."""

    def __init__(self, target: float) -> None:
        self._target, self._began = target, time.monotonic()
        self._bounds: dict[Seat, float] = {1: -1.0, 2: 1.0}
        self._lock = threading.Lock()
        self.noted = 0
        """How often one of them has proven more than before."""
        self.stopped = False

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


def search_both(pairs: Pairs, request: Request, last: float) -> tuple[dict[Seat, Proof], bool]:
    """The best proof of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    standing = Standing(request.target)
    with ThreadPoolExecutor(len(SEATS)) as pool:
        searches = {
            seat: pool.submit(_climb, seat, pairs, request, last, standing) for seat in SEATS
        }
        try:
            while wait(searches.values(), OFTEN).not_done:
                if request.progress is not None:
                    request.progress(standing.noted, standing.proven)
        except KeyboardInterrupt:
            standing.stopped = True
    proofs = {seat: search.result() for seat, search in searches.items()}
    return {seat: proof for seat, proof in proofs.items() if proof is not None}, standing.stopped


def _climb(
    seat: Seat, pairs: Pairs, request: Request, last: float, standing: Standing
) -> Proof | None:
    best: Proof | None = None
    trees = trees_that_fit(seat, pairs, last - time.monotonic())
    for number, (modesty, size) in enumerate(trees):
        if best is not None and (standing.enough or time.monotonic() > last):
            break
        share = (last - time.monotonic()) / (len(trees) - number)
        near = max(SETTLED, request.target)

        def enough(proven: Certificate, near: float = near) -> bool:
            standing.note(seat, bound_of(seat, proven))
            return standing.enough or standing.more(seat, proven) <= near

        try:
            tree = build(pairs(seat, modesty), size)
        except TooLarge:  # the memory that was free is not any more
            continue
        plan, proven = train(
            tree,
            enough,
            deadline=time.monotonic() + share,
            checkpoint=request.checkpoint(f"modest {seat} {'-'.join(map(str, modesty))}"),
        )
        bound = bound_of(seat, proven)
        if best is None or better(seat, bound, best.bound):
            best = Proof(modesty, tree, plan, bound)
    return best


def trees_that_fit(seat: Seat, pairs: Pairs, seconds: float) -> list[tuple[Modesty, Size]]:
    """The trees that can be searched, the smaller first."""
    found: dict[int, tuple[Modesty, Size]] = {}
    too_large: list[Modesty] = []
    worth = worth_searching(MOST_NODES, seconds / LONG_ENOUGH)
    most = min(MOST_NODES, max(worth, QUICK))
    for hurry in HURRIES:
        for luck in LUCKS:
            modesty = hurry._replace(luck=luck)
            if any(large.gives_up(modesty) for large in too_large):
                continue
            size = measure(pairs(seat, modesty), most)
            if size is None or size.memory > room() / len(SEATS):
                too_large.append(modesty)
                continue
            found.setdefault(size.nodes, (modesty, size))  # different ones may be the same
            if size.nodes <= max(QUICK, worth // EASY):
                break
    sizes = sorted(found)
    count = sum(total <= worth for total in accumulate(sizes))
    return [found[nodes] for nodes in sizes[: max(1, count)]]  # the smallest is always tried


def better(seat: Seat, bound: float, than: float) -> bool:
    return bound > than if seat == 1 else bound < than


def bound_of(seat: Seat, proven: Certificate) -> float:
    """A seat's own bound; what its tree says of the other seat is not proven."""
    return proven.lower if seat == 1 else proven.upper
