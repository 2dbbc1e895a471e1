"""What a runner may still be in doubt about, as a graph that both runners share.

A doubt is the set of all that may still lie hidden on the path: for each of the other's secrets
that is still possible, the traps that were not sprung yet. Landing on a step parts a doubt in
two: the traps that are there are sprung and gone, or they are not there. Where a runner stands,
and what the runner doubts, says all about the rest of the way; two histories that come to the
same doubt are alike from then on.

For each place and doubt two numbers are known beforehand: the fewest moves to the goal with any
luck (`fewest`), and the moves that suffice without any (`surely`).
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.race.journeys import NO_TIME
from trapline.solve.interface import TooLarge
from trapline.solve.loops import Loop
from trapline.solve.memory import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Counts = NDArray[np.int32]

NOTHING = -1
"""In place of a doubt: this cannot happen."""
SAME = -1
"""In place of where a list of secrets begins: all of them, in their order."""


class Doubts(NamedTuple):
    """For each doubt and each step: what is left of it after landing there safely, or on a trap.

    `slots[passed_slot[d, to] :][:size[new]]` are the places, in the list of a doubt, of the secrets
    that are left in the list of the new one.
    """

    length: int
    max_step: int
    size: Ints
    """How many secrets are possible."""
    passed: Ints
    caught: Ints
    passed_slot: Ints
    caught_slot: Ints
    slots: Counts
    fewest: Counts
    """By doubt and place."""
    surely: Counts


class Hidden(NamedTuple):
    """The graph, and the secrets that belong to it."""

    doubts: Doubts
    secrets: tuple[int, ...]
    left: tuple[Ints, ...]
    """For each doubt: the traps not sprung yet, as bits, in rising order; one entry a secret."""
    sprung: tuple[int, ...]
    """For each doubt: the traps sprung, as bits, where doubts are told apart by them; else 0."""


NO_LIMIT = 1 << 20
"""More moves than anybody ever needs."""
MOST_SECRETS = 1_001
"""Four traps on fourteen steps: nothing comes of a tree with more."""
LONGEST = 62
"""Steps that are bits of a number."""
TOO_MUCH = "There is too much to be in doubt about; a shorter path or fewer traps make it less."
MOST_LANDINGS = 300_000
"""Doubts, times the steps of the path: listing more takes long, and nothing comes of it."""


def explore(
    length: int,
    max_step: int,
    secrets: Sequence[int],
    until: float = math.inf,
    most: int = MOST_LANDINGS,
    *,
    by_sprung: bool = False,
) -> Hidden:
    """All doubts that a runner may come to, the first being before the first move.

    Two that leave the same traps are one, unless they are to be told apart by the traps that were
    sprung: then each belongs to one set of secrets. TooLarge where they, times the steps of the
    path, are too many, or cannot be listed in time.
    """
    if len(secrets) > MOST_SECRETS:
        raise TooLarge(
            f"Each may hide more than {MOST_SECRETS} secrets; a shorter path or fewer traps make "
            "fewer."
        )
    if length > LONGEST:
        raise TooLarge(TOO_MUCH)
    start = np.array(sorted(secrets), np.int64)
    left, sprung = [start], [0]
    number = {(0, start.tobytes()): 0}
    tables: dict[str, list[list[int]]] = {name: [] for name in ("p", "c", "ps", "cs")}
    slots: list[Counts] = []
    used = held = 0
    budget = Budget()

    def numbered(found: Ints, gone: int) -> int:
        nonlocal held
        key = (gone if by_sprung else 0, found.tobytes())
        if key not in number:
            number[key] = len(left)
            left.append(found)
            sprung.append(key[0])
            held += len(found)
            if len(left) * length > most:
                raise TooLarge(TOO_MUCH)
        return number[key]

    for at, doubt in enumerate(left):  # grows while we walk it
        rows = {name: [NOTHING] * (length + 1) for name in tables}
        for to in range(1, length + 1):
            trapped = (doubt >> to & 1).astype(bool)
            if not trapped.any():
                rows["p"][to] = at
                continue
            kept, met = np.flatnonzero(~trapped), np.flatnonzero(trapped)
            gone = sprung[at] | 1 << to
            rows["c"][to], rows["cs"][to] = numbered(doubt[met] & ~(1 << to), gone), used
            slots.append(met.astype(np.int32))
            used += len(met)
            if len(kept):
                rows["p"][to], rows["ps"][to] = numbered(doubt[kept], sprung[at]), used
                slots.append(kept.astype(np.int32))
                used += len(kept)
        for name, row in rows.items():
            tables[name].append(row)
        if at % 1024 == 0:
            budget.check(8 * held + 4 * used, "what a runner may be in doubt about")
            if at and time.monotonic() > until:
                raise TooLarge(NO_TIME)
    passed, caught, passed_slot, caught_slot = (np.array(tables[name]) for name in tables)
    size = np.array([len(doubt) for doubt in left])
    # What follows a doubt leaves fewer steps in question, so it comes earlier in this order.
    spread = np.array([int(np.bitwise_or.reduce(doubt)).bit_count() for doubt in left])
    order = np.argsort(spread, kind="stable")
    fewest, surely = _numbers.at_hand(length, max_step, order, passed, caught)
    doubts = Doubts(
        length,
        max_step,
        size,
        passed,
        caught,
        passed_slot,
        caught_slot,
        np.concatenate(slots) if slots else np.zeros(0, np.int32),
        fewest,
        surely,
    )
    return Hidden(doubts, tuple(start.tolist()), tuple(left), tuple(sprung))


def in_a_hurry(doubts: Doubts) -> NDArray[np.int16]:
    """By doubt and place: the moves, as bits, by which the goal is no farther away than it must be,
    if all goes well."""
    found = np.zeros(doubts.fewest.shape, np.int16)
    for place in range(doubts.length):
        for steps in range(1, min(doubts.max_step, doubts.length - place) + 1):
            lucky, _ = _after(doubts, place + steps)
            found[:, place] |= (lucky < doubts.fewest[:, place]).astype(np.int16) << (steps - 1)
    return found


def one_way(doubts: Doubts) -> NDArray[np.int16]:
    """By doubt and place: of all moves, as a bit, that with the best prospects, with luck and
    without."""
    found = np.zeros(doubts.fewest.shape, np.int16)
    for place in range(doubts.length):
        steps = range(1, min(doubts.max_step, doubts.length - place) + 1)
        costs = np.array([sum(_after(doubts, place + far)) for far in steps])
        found[:, place] = 1 << costs.argmin(axis=0)
    return found


def _after(doubts: Doubts, to: int) -> tuple[Ints, Ints]:
    """By doubt, after a landing: the fewest moves with any luck, and those that suffice."""
    good, bad = doubts.passed[:, to], doubts.caught[:, to]
    lucky = np.where(good >= 0, doubts.fewest[good, to], NO_LIMIT)
    worst = np.where(good >= 0, doubts.surely[good, to], 0)
    lucky = np.minimum(lucky, np.where(bad >= 0, doubts.fewest[bad, 0], NO_LIMIT))
    return lucky, np.maximum(worst, np.where(bad >= 0, doubts.surely[bad, 0], 0))


@Loop
def _numbers(
    length: int, max_step: int, order: Ints, passed: Ints, caught: Ints
) -> tuple[Counts, Counts]:
    fewest = np.zeros((len(order), length + 1), np.int32)
    surely = np.zeros((len(order), length + 1), np.int32)
    for doubt in order:
        for at in range(length - 1, -1, -1):
            best, sure = NO_LIMIT, NO_LIMIT
            for to in range(at + 1, min(at + max_step, length) + 1):
                good, bad = passed[doubt, to], caught[doubt, to]
                lucky, worst = NO_LIMIT, 0
                if good >= 0:
                    lucky, worst = fewest[good, to], surely[good, to]
                if bad >= 0:
                    lucky, worst = min(lucky, fewest[bad, 0]), max(worst, surely[bad, 0])
                best, sure = min(best, lucky + 1), min(sure, worst + 1)
            fewest[doubt, at], surely[doubt, at] = best, sure
    return fewest, surely
