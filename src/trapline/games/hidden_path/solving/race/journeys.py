"""One runner's journey against hidden traps, as arrays.

In Hidden Path a runner learns of the other's secret only by landing: a step is safe, or it
was a trap, is now known and gone. What a runner knows is therefore a position, the traps
sprung so far, and the secrets that are still possible. `Journeys` lists every such piece
of knowledge together with the number of moves made to reach it, one node each, parents
before children, so that every question about a journey is one pass over the nodes.

Steps that no possible secret traps any more count as known to be safe, whether or not
anybody has stood on them: two runners who would answer every question alike share a node.
"""

from __future__ import annotations

import math
import time
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve.interface import TooLarge
from trapline.solve.memory import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

NONE, GOAL = -1, -2
"""In place of a next node: this cannot happen; the journey ends on the goal."""

MOST_KNOWN = 200_000_000
"""Things a runner may know, times the secrets there are: listing more takes minutes."""
LOOK_AFTER = 4_096
"""Whoever lists them looks at the clock after so many."""
NO_TIME = (
    "There was no time to list all that a runner may come to know; a shorter path or fewer traps "
    "make it less."
)
NODE_BYTES, MOVE_BYTES, SECRET_BYTES = 100, 130, 16
"""What a node costs in a race, training included; and each of its moves and possible secrets."""


class TooManyJourneys(TooLarge):
    """These options are beyond what can be listed."""

    def __init__(
        self,
        sentence: str = (
            "There are too many journeys to list; a shorter path or fewer traps make fewer."
        ),
    ) -> None:
        super().__init__(sentence)  # which is all that another process is told


class Journeys:
    """Every node of a runner who faces one of `secrets` (sets of steps, as bits).

    `safe[node, m]` and `trap[node, m]` are the nodes after `m + 1` steps that were safe, or
    a trap: a node, NONE or GOAL. `layers[t]` is the first node after `t` moves. The secrets
    possible at a node are `possible[span[node] : span[node + 1]]`.
    """

    def __init__(
        self, length: int, max_step: int, secrets: Sequence[int], until: float = math.inf
    ) -> None:
        self.length, self.max_step, self.secrets = length, max_step, tuple(secrets)
        known = _knowledge(length, max_step, self.secrets, until)
        layers, states = [0], []
        safes: list[Ints] = []
        traps: list[Ints] = []
        layer = np.zeros(1, np.int64)
        budget, held = Budget(), 0
        while len(layer):
            layers.append(layers[-1] + len(layer))
            held += int(known.sizes[known.fits[layer]].sum())
            nodes_and_moves = layers[-1] * (NODE_BYTES + MOVE_BYTES * max_step)
            budget.check(nodes_and_moves + SECRET_BYTES * held, "the journeys of a runner")
            after = np.unique(
                np.concatenate([known.safe[layer].ravel(), known.trap[layer].ravel()])
            )
            after = after[after >= 0]
            node = np.full(len(known.at), NONE, np.int64)
            node[after] = layers[-1] + np.arange(len(after))
            for nodes, table in ((safes, known.safe), (traps, known.trap)):
                went = table[layer]
                nodes.append(np.where(went >= 0, node[went], went))
            states.append(layer)
            layer = after
        state = np.concatenate(states)
        self.layers = np.array(layers)
        self.moves = np.repeat(np.arange(len(layers) - 1), np.diff(self.layers))
        self.safe, self.trap = np.concatenate(safes), np.concatenate(traps)
        self.legal = (self.safe != NONE) | (self.trap != NONE)
        begin, count = known.begin[known.fits[state]], known.sizes[known.fits[state]]
        self.span = np.concatenate([[0], np.cumsum(count)])
        places = np.arange(self.span[-1]) + np.repeat(begin - self.span[:-1], count)
        self.possible = known.listed[places]
        self.by_layer = [slice(begin, end) for begin, end in pairwise(layers)]
        self.at = known.at[state]
        """Where the runner stands at each node."""
        self.trapped = np.array(
            [[secret >> step & 1 for step in range(length + max_step + 1)] for secret in secrets],
            np.bool_,
        )
        """For each secret, which steps it traps."""
        self.longest = len(layers) - 1
        """No journey takes more moves than this."""

    def __len__(self) -> int:
        return len(self.moves)

    def follow(self, journey: Iterable[tuple[int, bool]]) -> int:
        """The node after these moves: steps, and whether they ended on a trap."""
        node = 0
        for steps, trapped in journey:
            node = int((self.trap if trapped else self.safe)[node, steps - 1])
            if node < 0:
                raise ValueError("no secret allows this journey")
        return node

    def weights(self, mixture: Floats) -> Floats:
        """For each node, the probability of the secrets that are still possible there."""
        return np.add.reduceat(mixture[self.possible], self.span[:-1])

    def reach(self, policy: Floats) -> Floats:
        """For each node, the runner's own part in the probability of coming there."""
        out = np.zeros(len(self))
        out[0] = 1.0
        for nodes in self.by_layer:
            part = out[nodes, None] * policy[nodes]
            for to in (self.safe[nodes], self.trap[nodes]):
                goes = (to >= 0) & (part > 0.0)
                np.add.at(out, to[goes], part[goes])
        return out

    def times(self, policy: Floats, reach: Floats | None = None) -> Floats:
        """For each secret (row), the probability of ending with each number of moves."""
        reach = self.reach(policy) if reach is None else reach
        part = reach[:, None] * policy
        nodes, moves = np.nonzero((self.safe == GOAL) & (part > 0.0))
        part, caught = part[nodes, moves], self.trap[nodes, moves]
        row = self.longest + 1
        out = np.zeros(len(self.secrets) * row)
        # Whoever comes to a node arrives from there, save those whom a trap on the goal catches.
        for sign, ends in ((1.0, nodes), (-1.0, caught)):
            real = np.flatnonzero(ends >= 0)
            places, which = _joined_spans(self.span, ends[real])
            which = real[which]
            at = self.possible[places] * row + self.moves[nodes[which]] + 1
            out += np.bincount(at, sign * part[which], len(out))
        return np.maximum(out, 0.0).reshape(-1, row)  # taking away leaves rounding

    def best_runs(self, mixture: Floats, worths: Floats) -> list[tuple[float, Floats]]:
        """For each row of `worths`, the best expectation of `worth[moves]` against a mixture
        of secrets, and the policy that has it."""
        weight = self.weights(mixture)
        return [self._best_run(weight, worth) for worth in worths]

    def _best_run(self, weight: Floats, worth: Floats) -> tuple[float, Floats]:
        value = np.zeros(len(self) + 1)  # the last place stands for no node at all
        policy = np.zeros(self.safe.shape)
        missed = np.append(weight, 0.0)
        for nodes in reversed(self.by_layer):
            good, bad = self.safe[nodes], np.maximum(self.trap[nodes], NONE)
            passed = (weight[nodes, None] - missed[bad]) * worth[self.moves[nodes.start] + 1]
            total = value[bad] + np.where(good == GOAL, passed, value[np.maximum(good, NONE)])
            total[~self.legal[nodes]] = -1.0
            total[weight[nodes] == 0.0] = 0.0  # nobody comes here; one step is always legal
            chosen = total.argmax(axis=1)
            rows = np.arange(len(chosen))
            policy[nodes][rows, chosen] = 1.0
            value[nodes] = total[rows, chosen]
        return float(value[0]), policy


class _Knowledge(NamedTuple):
    """Everything a runner can know, one item each."""

    at: Ints
    """Where the runner stands."""
    safe: Ints
    trap: Ints
    """What is known after each move that was safe, or a trap."""
    fits: Ints
    """Which set of secrets is still possible; sets are numbered."""
    listed: Ints
    """The secrets of all sets, one set after the other."""
    begin: Ints
    sizes: Ints
    """Where a set begins in that list, and how many secrets it has."""


def _knowledge(length: int, max_step: int, secrets: Sequence[int], until: float) -> _Knowledge:
    trapping = [
        sum(1 << i for i, secret in enumerate(secrets) if secret >> step & 1)
        for step in range(length + 1)
    ]
    start = (0, 0, (1 << len(secrets)) - 1)
    found = [start]
    number = {start: 0}
    most = MOST_KNOWN // len(secrets)

    def begin(key: tuple[int, int, int]) -> int:
        known = number[key] = len(found)
        found.append(key)
        if known >= most:
            raise TooManyJourneys
        if known % LOOK_AFTER == 0 and time.monotonic() > until:
            raise TooManyJourneys(NO_TIME)
        return known

    safe: list[int] = []
    trap: list[int] = []
    for position, sprung, possible in found:  # grows while we walk it
        for to in range(position + 1, position + max_step + 1):
            caught = 0 if to > length or sprung >> to & 1 else possible & trapping[to]
            passed = possible ^ caught if to <= length else 0
            after = NONE
            if caught:
                key = (0, sprung | 1 << to, caught)
                after = number[key] if key in number else begin(key)
            trap.append(after)
            after = GOAL if passed and to == length else NONE
            if passed and to < length:
                key = (to, sprung, passed)
                after = number[key] if key in number else begin(key)
            safe.append(after)
    sets = {key[2]: None for key in found}
    numbers = {possible: i for i, possible in enumerate(sets)}
    wide = (len(secrets) + 7) // 8
    packed = b"".join(possible.to_bytes(wide, "little") for possible in sets)
    bits = np.unpackbits(
        np.frombuffer(packed, np.uint8).reshape(-1, wide), axis=1, bitorder="little"
    )
    listed = np.nonzero(bits)[1]
    count = bits.sum(axis=1, dtype=np.int64)
    return _Knowledge(
        np.array([key[0] for key in found]),
        np.array(safe).reshape(-1, max_step),
        np.array(trap).reshape(-1, max_step),
        np.array([numbers[key[2]] for key in found]),
        listed,
        np.cumsum(count) - count,
        count,
    )


def _joined_spans(span: Ints, nodes: Ints) -> tuple[Ints, Ints]:
    """The places of all secrets possible at these nodes, and to which of the nodes each belongs."""
    counts = span[nodes + 1] - span[nodes]
    which = np.repeat(np.arange(len(nodes)), counts)
    within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return span[nodes][which] + within, which
