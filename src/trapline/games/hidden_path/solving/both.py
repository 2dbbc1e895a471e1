"""Two searches at once, one for each seat's bound: what both have proven, and what each kept."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.patience import LONG, NARROW
from trapline.solve.interface import Certificate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Request

OFTEN = 0.5
"""Seconds between two reports."""


class Standing:
    """What both searches have proven so far, and whether somebody has ended them."""

    def __init__(self, target: float, known: Certificate) -> None:
        self.target, self._known, self._began = target, known, time.monotonic()
        self._bounds: dict[Seat, float] = {1: -1.0, 2: 1.0}
        self._lock = threading.Lock()
        self.noted = 0
        """How often one of them has proven more than before."""
        self.stopped = False

    @property
    def proven(self) -> Certificate:
        """With what was known before."""
        lower, upper = self._known
        return Certificate(max(lower, self._bounds[1]), min(upper, self._bounds[2]))

    def bound(self, seat: Seat) -> float:
        """What a seat's search has found."""
        return self._bounds[seat]

    @property
    def apart(self) -> float:
        """How far apart the bounds are that both have found."""
        return self._bounds[2] - self._bounds[1]

    def still_to_gain(self, seat: Seat, proven: Certificate) -> float:
        """How much more a seat may prove in a tree than it has proven anywhere."""
        most = proven.upper if seat == 1 else proven.lower
        return above(seat, most, self._bounds[seat])

    def note(self, seat: Seat, bound: float) -> None:
        with self._lock:
            if better(seat, bound, self._bounds[seat]):
                self._bounds[seat] = bound
                self.noted += 1

    @property
    def enough(self) -> bool:
        if self.stopped or self.proven.exploitability <= self.target:
            return True
        lower, upper = self.proven
        return time.monotonic() - self._began > LONG and upper - lower <= NARROW


class Search(Protocol):
    def run(self) -> None: ...


def search_at_once(searches: Sequence[Search], standing: Standing, request: Request) -> bool:
    """Run searches on a core each; returns whether an interrupt (Ctrl-C) has ended them."""
    with ThreadPoolExecutor(len(SEATS)) as threads:
        running = [threads.submit(search.run) for search in searches]
        try:
            while wait(running, OFTEN).not_done:
                if request.progress is not None:
                    request.progress(standing.noted, standing.proven)
        except KeyboardInterrupt:
            standing.stopped = True
    for search in running:
        search.result()
    return standing.stopped


def taken_up(
    checkpoint: Checkpoint, types: Sequence[type]
) -> tuple[dict[str, float], list[Any]] | None:
    """The numbers and arrays that a search has kept; None where there are none of these types."""
    sizes = checkpoint.sizes()
    if sizes is None or len(sizes) != len(types):
        return None
    arrays: list[Any] = [
        np.zeros(size // np.dtype(type_).itemsize, type_)
        for size, type_ in zip(sizes, types, strict=True)
    ]
    kept = checkpoint.take_up(arrays)
    return None if kept is None else (kept, arrays)


def better(seat: Seat, bound: float, than: float) -> bool:
    return above(seat, bound, than) > 0


def above(seat: Seat, bound: float, than: float) -> float:
    """How much better one bound is for a seat than another."""
    return bound - than if seat == 1 else than - bound
