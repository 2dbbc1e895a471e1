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

from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np

from trapline.solve.interface import TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

NONE, GOAL = -1, -2
"""In place of a next node: this cannot happen; the journey ends on the goal."""

LIMIT = 3_000_000
"""So many nodes, or secrets possible at one or another, are more than memory or patience hold."""

F = TypeVar("F", bound="Callable[..., Any]")


class TooManyJourneys(TooLarge):
    """These options are beyond what can be listed."""

    def __init__(self) -> None:
        super().__init__(
            "There are too many journeys to list; a shorter path or fewer traps make fewer."
        )


def kernel(function: F) -> F:
    """Compile a loop over arrays; compiled once and kept on disk."""
    return cast("F", numba.njit(cache=True)(function))


class Journeys:
    """Every node of a runner who faces one of `secrets` (sets of steps, as bits).

    `safe[node, m]` and `trap[node, m]` are the nodes after `m + 1` steps that were safe, or
    a trap: a node, NONE or GOAL. `layers[t]` is the first node after `t` moves. The secrets
    possible at a node are `possible[span[node] : span[node + 1]]`.
    """

    def __init__(self, length: int, max_step: int, secrets: Sequence[int]) -> None:
        self.length, self.max_step, self.secrets = length, max_step, tuple(secrets)
        fits, safe, trap = _knowledge(length, max_step, self.secrets)
        layers, states = [0], []
        safes: list[Ints] = []
        traps: list[Ints] = []
        layer = np.zeros(1, np.int64)
        while len(layer):
            layers.append(layers[-1] + len(layer))
            if layers[-1] > LIMIT:
                raise TooManyJourneys
            after = np.unique(np.concatenate([safe[layer].ravel(), trap[layer].ravel()]))
            after = after[after >= 0]
            node = np.full(len(fits), NONE, np.int64)
            node[after] = layers[-1] + np.arange(len(after))
            for nodes, table in ((safes, safe), (traps, trap)):
                went = table[layer]
                nodes.append(np.where(went >= 0, node[went], went))
            states.append(layer)
            layer = after
        state = np.concatenate(states)
        self.layers = np.array(layers)
        self.moves = np.repeat(np.arange(len(layers) - 1), np.diff(self.layers))
        self.safe, self.trap = np.concatenate(safes), np.concatenate(traps)
        self.legal = (self.safe != NONE) | (self.trap != NONE)
        self.possible = np.concatenate([fits[i] for i in state])
        self.span = np.concatenate([[0], np.cumsum([len(fits[i]) for i in state])])
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
        return _weights(self.span, self.possible, mixture)

    def reach(self, policy: Floats) -> Floats:
        """For each node, the runner's own part in the probability of coming there."""
        return _reach(self.safe, self.trap, policy)

    def times(self, policy: Floats, reach: Floats | None = None) -> Floats:
        """For each secret (row), the probability of ending with each number of moves."""
        reach = self.reach(policy) if reach is None else reach
        arrays = (self.safe, self.trap, self.moves, self.span, self.possible)
        return _times(*arrays, policy, reach, len(self.secrets), self.longest)

    def best_runs(self, mixture: Floats, worths: Floats) -> list[tuple[float, Floats]]:
        """For each row of `worths`, the best expectation of `worth[moves]` against a mixture
        of secrets, and the policy that has it."""
        arrays = (self.safe, self.trap, self.moves, self.weights(mixture))
        return [_best_run(*arrays, worth) for worth in worths]


def _knowledge(length: int, max_step: int, secrets: Sequence[int]) -> tuple[list[Ints], Ints, Ints]:
    """Everything a runner can know: the secrets still possible, and what follows a move."""
    trapping = [
        sum(1 << i for i, secret in enumerate(secrets) if secret >> step & 1)
        for step in range(length + 1)
    ]
    start = (0, 0, (1 << len(secrets)) - 1)
    found = [start]
    number = {start: 0}

    def numbered(key: tuple[int, int, int]) -> int:
        if key not in number:
            number[key] = len(found)
            found.append(key)
            if len(found) * len(secrets) > 64 * LIMIT:
                raise TooManyJourneys
        return number[key]

    safe: list[list[int]] = []
    trap: list[list[int]] = []
    for position, sprung, possible in found:  # grows while we walk it
        safe.append([NONE] * max_step)
        trap.append([NONE] * max_step)
        for m, to in enumerate(range(position + 1, min(position + max_step, length) + 1)):
            caught = 0 if sprung >> to & 1 else possible & trapping[to]
            passed = possible & ~caught
            if caught:
                trap[-1][m] = numbered((0, sprung | 1 << to, caught))
            if passed:
                safe[-1][m] = GOAL if to == length else numbered((to, sprung, passed))
    fits = {
        possible: np.array([i for i in range(len(secrets)) if possible >> i & 1])
        for possible in {key[2] for key in found}
    }
    return [fits[key[2]] for key in found], np.array(safe), np.array(trap)


@kernel
def _weights(span: Ints, possible: Ints, mixture: Floats) -> Floats:
    out = np.zeros(len(span) - 1)
    for node in range(len(out)):
        for k in range(span[node], span[node + 1]):
            out[node] += mixture[possible[k]]
    return out


@kernel
def _reach(safe: Ints, trap: Ints, policy: Floats) -> Floats:
    out = np.zeros(len(safe))
    out[0] = 1.0
    for node in range(len(safe)):
        for m in range(safe.shape[1]):
            part = out[node] * policy[node, m]
            if part > 0.0:
                if safe[node, m] >= 0:
                    out[safe[node, m]] += part
                if trap[node, m] >= 0:
                    out[trap[node, m]] += part
    return out


@kernel
def _times(
    safe: Ints,
    trap: Ints,
    moves: Ints,
    span: Ints,
    possible: Ints,
    policy: Floats,
    reach: Floats,
    secrets: int,
    longest: int,
) -> Floats:
    out = np.zeros((secrets, longest + 1))
    for node in range(len(safe)):
        for m in range(safe.shape[1]):
            part = reach[node] * policy[node, m]
            if safe[node, m] != GOAL or part == 0.0:
                continue
            for k in range(span[node], span[node + 1]):
                out[possible[k], moves[node] + 1] += part
            caught = trap[node, m]
            if caught >= 0:
                for k in range(span[caught], span[caught + 1]):
                    out[possible[k], moves[node] + 1] -= part
    return np.maximum(out, 0.0)  # what was added and taken away again leaves rounding


@kernel
def _best_run(
    safe: Ints, trap: Ints, moves: Ints, weight: Floats, worth: Floats
) -> tuple[float, Floats]:
    value = np.zeros(len(safe))
    policy = np.zeros(safe.shape)
    for node in range(len(safe) - 1, -1, -1):
        if weight[node] == 0.0:
            policy[node, 0] = 1.0  # nobody comes here; one step is always legal
            continue
        chosen, best = -1, -1.0
        for m in range(safe.shape[1]):
            good, bad = safe[node, m], trap[node, m]
            if good == NONE and bad == NONE:
                continue
            total = value[bad] if bad >= 0 else 0.0
            if good >= 0:
                total += value[good]
            elif good == GOAL:
                passed = weight[node] - (weight[bad] if bad >= 0 else 0.0)
                total += passed * worth[moves[node] + 1]
            if total > best:
                chosen, best = m, total
        policy[node, chosen] = 1.0
        value[node] = best
    return value[0], policy
