"""Plans as they are kept on disk, and proven anew from there."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.lots import Lots
from trapline.games.hidden_path.solving.apart.side import Answer, Beliefs, Side, answered
from trapline.games.hidden_path.solving.apart.training import Apart
from trapline.games.hidden_path.solving.doubts import explore, one_way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.doubts import Doubts, Hidden

    Floats = NDArray[np.float64]
    Bits = NDArray[np.int16]

MOST_STATES = 3_000_000
ANOTHER = "the plan of another game"


class Kept(msgspec.Struct, array_like=True):
    """A plan, and how often its seat draws it."""

    support: tuple[int, ...]
    knowing: int
    allowed: bytes
    mix: bytes
    moves: bytes
    chances: bytes
    share: float = 1.0
    seat: int = 0
    """0 in files from when each seat had one plan: then they stand in order."""

    @classmethod
    def of(cls, side: Side, share: float = 1.0) -> Kept:
        mix, moves, chances = (
            zlib.compress(part.T.astype(np.float32).tobytes(), 1) for part in side.plan
        )
        other = side.manner.allowed ^ one_way(side.running.doubts)  # mostly nothing
        allowed = zlib.compress(other.tobytes(), 1)
        hides = side.hiding.secrets
        return cls(hides, side.manner.knowing, allowed, mix, moves, chances, share, side.seat)


def kept_of(lots: Lots) -> list[Kept]:
    return [Kept.of(side, share) for side, share in zip(*lots, strict=True)]


def packed(kept: Sequence[Kept]) -> bytes:
    return msgspec.msgpack.encode(kept)


def unpacked(data: bytes) -> list[Kept]:
    """ValueError for what is none."""
    try:
        kept = msgspec.msgpack.decode(data, type=list[Kept])
    except msgspec.DecodeError:
        raise ValueError(ANOTHER) from None
    for seat, plan in zip(SEATS, kept, strict=False):
        plan.seat = plan.seat or seat
    if not all(plan.seat in SEATS for plan in kept):
        raise ValueError(ANOTHER)
    return kept


def restored(kept: Sequence[Kept], seat: Seat, running: Hidden, until: float) -> Lots | None:
    """A seat's plans as they are kept, and what they prove; None where one is too large."""
    plans = [plan for plan in kept if plan.seat == seat]
    whole = sum(plan.share for plan in plans)
    if not all(plan.share > 0 for plan in plans) or not 0 < whole < math.inf:
        raise ValueError(ANOTHER)
    sides = []
    for plan in plans:
        side = _side(seat, plan, running, until)
        if side is None:
            return None
        sides.append(side)
    return Lots(tuple(sides), tuple(plan.share / whole for plan in plans))


def _side(seat: Seat, kept: Kept, running: Hidden, until: float) -> Side | None:
    every, doubts = set(running.secrets), running.doubts
    if not kept.support or list(kept.support) != sorted(set(kept.support) & every):
        raise ValueError(ANOTHER)
    hiding = explore(doubts.length, doubts.max_step, kept.support, until, by_sprung=True)
    try:
        manner = Manner(_unpacked_moves(doubts, kept.allowed), kept.knowing)
        graph = connect(seat, running, hiding, manner, MOST_STATES)
        if graph is None or not len(graph.states):
            return None
        unplayed = (Apart(*[np.zeros(0)] * 3), Answer(*[np.zeros(0)] * 5))
        return as_kept(Side(seat, running, hiding, manner, graph, *unplayed), kept)
    except zlib.error:
        raise ValueError(ANOTHER) from None


def played(lots: Lots) -> tuple[Lots, list[Kept]]:
    """With plans as they are kept, and what those prove: no others are ever played."""
    kept = kept_of(lots)
    sides = (as_kept(side, plan) for side, plan in zip(lots.sides, kept, strict=True))
    return Lots(tuple(sides), lots.shares), kept


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


def as_kept(side: Side, kept: Kept) -> Side:
    """With the plan as it is kept, and what that proves."""
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
