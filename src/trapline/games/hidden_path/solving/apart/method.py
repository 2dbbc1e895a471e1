"""Hidden Path for two who look at each other, and draw most of their runs apart from their secrets.

Each seat's plan is searched on a graph of what both can see (`graph`), against a rival who may do
anything; what it keeps there is a bound. Often that is all there is: to use that one knows the own
traps would tell of them.
"""

from __future__ import annotations

import math
import time
import zlib
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.machine import ApartMachine
from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
from trapline.games.hidden_path.solving.apart.search import MOST_STATES, search_apart
from trapline.games.hidden_path.solving.apart.side import Answer, Beliefs, Side, answered
from trapline.games.hidden_path.solving.apart.training import Apart
from trapline.games.hidden_path.solving.beginnings import first_lists, proven_by
from trapline.games.hidden_path.solving.both import above
from trapline.games.hidden_path.solving.doubts import explore, one_way
from trapline.games.hidden_path.solving.duel.nodes import MOST_BITS
from trapline.games.hidden_path.solving.patience import PATIENCE, is_final
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import (
    Certificate,
    Facts,
    Solution,
    TooLarge,
    bounds_facts,
    confirms,
    ranked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.doubts import Doubts, Hidden
    from trapline.solve.interface import Request

    Floats = NDArray[np.float64]
    Bits = NDArray[np.int16]

ANOTHER = "the plan of another game"


class Kept(msgspec.Struct, array_like=True):
    """A seat's plan as it is kept."""

    support: tuple[int, ...]
    knowing: int
    allowed: bytes
    mix: bytes
    moves: bytes
    chances: bytes

    @classmethod
    def of(cls, side: Side) -> Kept:
        mix, moves, chances = (
            zlib.compress(part.T.astype(np.float32).tobytes(), 1) for part in side.plan
        )
        other = side.manner.allowed ^ one_way(side.running.doubts)  # mostly nothing
        allowed = zlib.compress(other.tobytes(), 1)
        return cls(side.hiding.secrets, side.manner.knowing, allowed, mix, moves, chances)


class ApartSolution(Solution):
    def __init__(
        self, game: HiddenPath, facts: Facts, kept: list[Kept], policy: ApartPolicy
    ) -> None:
        super().__init__(game, facts)
        self._kept, self._policy = kept, policy

    @property
    def policy(self) -> ApartPolicy:
        return self._policy

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def machine(self, role: Seat) -> ApartMachine:
        return ApartMachine(self.policy, role)

    def pack(self) -> bytes:
        """To the letter what was played and proven: to round once more would be another plan."""
        return msgspec.msgpack.encode(self._kept)


class ApartMethod:
    """Right for Hidden Path alone."""

    name = "apart"

    def __init__(
        self, game: HiddenPath, seconds: float | None = None, found: Sequence[Solution] = ()
    ) -> None:
        """`found` are solutions by other ways: what they hide is tried, and what they have
        proven need not be proven again."""
        self.game, self._found = game, found
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self.interrupted = False
        """Whether somebody has ended the search."""

    def _explore(self, secrets: Sequence[int], *, by_sprung: bool = False) -> Hidden:
        length, max_step = self.game.length, self.game.options.max_step
        return explore(length, max_step, secrets, self._until, by_sprung=by_sprung)

    @cached_property
    def _running(self) -> Hidden:
        return self._explore(secrets_of(self.game))

    def solve(self, request: Request) -> ApartSolution:
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        if self.game.options.max_step > MOST_BITS:
            raise TooLarge(f"There are more than {MOST_BITS} moves to choose from.")
        lists = first_lists(self.game, self._running.secrets, self._found)
        known = proven_by(self._found)
        begins = {seat: self._best_known(seat) for seat in SEATS}
        found, self.interrupted = search_apart(self._running, lists, begins, request, last, known)
        if len(found) < len(SEATS):
            raise TooLarge("There are too many situations that both runners can see on this path.")
        kept = [Kept.of(found[seat]) for seat in SEATS]
        one, two = (_as_kept(found[seat], kept[seat - 1]) for seat in SEATS)
        policy = ApartPolicy(self.game, (one, two))
        proven = bounds_facts(Certificate(one.bound, two.bound))
        hides = (ranked(policy.secrets(1)), ranked(policy.secrets(2)))
        facts = facts_of(self.game, self.name, request, proven, hides)
        return ApartSolution(self.game, facts, kept, policy)

    def _best_known(self, seat: Seat) -> Side | None:
        """What a seat goes on from."""
        sides = [s.policy.side(seat) for s in self._found if isinstance(s, ApartSolution)]
        return max(sides, key=lambda side: above(seat, side.bound, 0.0), default=None)

    def _restored(self, seat: Seat, kept: Kept) -> Side | None:
        """The plan as it is kept, and what that proves; None where it is too large."""
        every = set(self._running.secrets)
        if not kept.support or list(kept.support) != sorted(set(kept.support) & every):
            raise ValueError(ANOTHER)
        hiding = self._explore(kept.support, by_sprung=True)
        manner = Manner(_unpacked_moves(self._running.doubts, kept.allowed), kept.knowing)
        graph = connect(seat, self._running, hiding, manner, MOST_STATES)
        if graph is None or not len(graph.states):
            return None
        hidden, nothing = (self._running, hiding), np.zeros(0)
        unplayed = (Apart(*[nothing] * 3), Answer(*[nothing] * 5))
        return _as_kept(Side(seat, *hidden, manner, graph, *unplayed), kept)

    def restore(self, facts: Facts, data: bytes) -> ApartSolution | None:
        try:
            kept = msgspec.msgpack.decode(data, type=list[Kept])
            if len(kept) != len(SEATS):
                raise ValueError(ANOTHER)
            one, two = (self._restored(seat, plan) for seat, plan in zip(SEATS, kept, strict=True))
        except (msgspec.ValidationError, zlib.error):
            raise ValueError(ANOTHER) from None
        if one is None or two is None:
            return None
        if not confirms(facts, Certificate(one.bound, two.bound)):
            return None
        return ApartSolution(self.game, facts, kept, ApartPolicy(self.game, (one, two)))


def _unpacked_moves(doubts: Doubts, kept: bytes) -> Bits:
    """ValueError where there is a place from which nobody could go on."""
    usual = one_way(doubts)
    values = np.frombuffer(zlib.decompress(kept), np.int16)
    if values.size != usual.size:
        raise ValueError(ANOTHER)
    allowed = np.asarray(usual ^ values.reshape(usual.shape))
    places = np.arange(doubts.length)
    legal = (1 << np.minimum(doubts.max_step, doubts.length - places)) - 1
    if not np.all(allowed[:, :-1] & legal):
        raise ValueError(ANOTHER)
    return allowed


def _as_kept(side: Side, kept: Kept) -> Side:
    """With the plan as it is kept, and what that proves: no other is ever played."""
    graph, count = side.graph, len(kept.support)
    mix = _chances(kept.mix, np.zeros(1, np.int64), count)
    moves = _chances(kept.moves, graph.states["edge"], len(graph.edges))
    begins = np.flatnonzero(graph.signals.begin == np.arange(len(graph.signals.begin)))
    by_secret = np.add.outer(np.arange(count) * len(graph.signals.begin), begins).ravel()
    chances = _chances(kept.chances, by_secret, count * len(graph.signals.begin))
    plan = Apart(mix, moves, np.ascontiguousarray(chances.reshape(count, -1).T))
    return side._replace(plan=plan, answer=answered(graph, Beliefs(side.hiding, graph), plan))


def _chances(data: bytes, begins: NDArray[np.int64], count: int) -> Floats:
    """Chances as they were kept, choice by choice. ValueError for what is none."""
    values = np.frombuffer(zlib.decompress(data), np.float32)
    if len(values) != count or not np.all(values >= 0):
        raise ValueError(ANOTHER)
    found = values.astype(np.float64)
    wholes = np.add.reduceat(found, begins)
    if not np.all(wholes > 0):
        raise ValueError(ANOTHER)
    return np.asarray(found / np.repeat(wholes, np.diff(begins, append=count)))
