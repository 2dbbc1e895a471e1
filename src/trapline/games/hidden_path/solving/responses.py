"""The best response to a blind strategy, by one who sees all that the rules show.

Against a blind strategy this is dynamic programming. The other's moves tell nothing of the
other's traps, so the belief in them depends on one's own journey alone; and given one's own
secret, the other's journey is a Markov chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.games.hidden_path.solving.journeys import GOAL, NONE, Journeys, kernel

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.journeys import Floats, Ints
    from trapline.games.hidden_path.solving.races import Strategy


def at_least(times: Floats) -> Floats:
    """From the chances of each number of moves, the chance of so many or more."""
    return np.asarray(times[..., ::-1].cumsum(axis=-1)[..., ::-1])


def more_than(times: Floats) -> Floats:
    return at_least(times) - times


def respond(journeys: Journeys, strategy: Strategy, *, responder_first: bool) -> Floats:
    """For each secret, the best chance of winning of a player who knows the strategy.

    The player runs as well as anybody can, seeing everything that the rules show.
    """
    used = np.flatnonzero(strategy.mixture)
    mine = Journeys(journeys.length, journeys.max_step, [journeys.secrets[i] for i in used])
    weight = mine.weights(strategy.mixture[used])
    caught = np.where(mine.trap >= 0, weight[mine.trap], 0.0) / weight[:, None]
    out = np.zeros(len(journeys.secrets))
    for secret in range(len(out)):
        nodes, layers, after = chain(journeys, strategy.policy, secret)
        args = (layers, after, strategy.policy[nodes], mine.layers, mine.safe, mine.trap, caught)
        out[secret] = _respond(*args, responder_first)
    return out


def chain(
    journeys: Journeys, policy: Floats, secret: int, start: int = 0
) -> tuple[Ints, Ints, Ints]:
    """The nodes that a policy can come to against one secret, layer by layer, and the next
    ones, counted from the beginning of their layer."""
    arrays = (journeys.safe, journeys.trap, journeys.span, journeys.possible)
    reached, after = _reachable(*arrays, policy, secret, start)
    nodes = np.flatnonzero(reached)
    moves = journeys.moves[nodes] - journeys.moves[start]
    layers = np.searchsorted(moves, np.arange(moves[-1] + 2))
    local = np.full(len(journeys), NONE)
    local[nodes] = np.arange(len(nodes)) - layers[moves]
    after = after[nodes]
    return nodes, layers, np.where(after >= 0, local[after], after)


@kernel
def _reachable(
    safe: Ints, trap: Ints, span: Ints, possible: Ints, policy: Floats, secret: int, start: int
) -> tuple[Any, Ints]:
    reached = np.zeros(len(safe), np.bool_)
    after = np.full(safe.shape, NONE)
    reached[start] = True
    for node in range(start, len(safe)):
        if not reached[node]:
            continue
        for m in range(safe.shape[1]):
            if policy[node, m] == 0.0:
                continue
            to = safe[node, m]
            caught = trap[node, m]
            if caught >= 0:
                held = possible[span[caught] : span[caught + 1]]
                k = np.searchsorted(held, secret)
                if k < len(held) and held[k] == secret:
                    to = caught
            after[node, m] = to
            if to >= 0:
                reached[to] = True
    return reached, after


@kernel
def _respond(
    layers: Ints,
    after: Ints,
    policy: Floats,
    my_layers: Ints,
    safe: Ints,
    trap: Ints,
    caught: Floats,
    responder_first: bool,
) -> float:
    """The responder's chance of winning, with one secret, by backward induction.

    A matrix holds that chance for every pair of nodes: the responder's (rows) and the
    other's (columns). Once the other's chain has no nodes left, the other has won.
    """
    last = len(layers) - 2
    ended = np.zeros(my_layers.shape[0] + last + 3, np.int64)
    ended[: len(my_layers) - 1] = np.diff(my_layers)
    value = np.zeros((ended[last + 1], 0))
    for t in range(last, -1, -1):
        columns = layers[t + 1] - layers[t]
        if responder_first:
            value = other_moves(value, after, policy, layers[t], columns)
            value = responder_moves(value, my_layers, t, ended[t], safe, trap, caught)
        else:
            value = responder_moves(value, my_layers, t, ended[t], safe, trap, caught)
            value = other_moves(value, after, policy, layers[t], columns)
    return float(value[0, 0])


@kernel
def other_moves(value: Floats, after: Ints, policy: Floats, start: int, columns: int) -> Floats:
    out = np.zeros((value.shape[0], columns))
    for row in range(value.shape[0]):
        for column in range(columns):
            for m in range(after.shape[1]):
                to = after[start + column, m]
                if to >= 0:  # on the goal the responder has lost
                    out[row, column] += policy[start + column, m] * value[row, to]
    return out


@kernel
def responder_moves(
    value: Floats, layers: Ints, t: int, rows: int, safe: Ints, trap: Ints, caught: Floats
) -> Floats:
    out = np.zeros((rows, value.shape[1]))
    for row in range(rows):
        node = layers[t] + row
        for m in range(safe.shape[1]):
            good, bad, chance = safe[node, m], trap[node, m], caught[node, m]
            if good == NONE and bad == NONE:
                continue
            for column in range(value.shape[1]):
                total = 0.0
                if bad >= 0:
                    total += chance * value[bad - layers[t + 1], column]
                if good >= 0:
                    total += (1.0 - chance) * value[good - layers[t + 1], column]
                elif good == GOAL:
                    total += 1.0 - chance
                out[row, column] = max(out[row, column], total)
    return out
