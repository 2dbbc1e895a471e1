"""The best response to a blind strategy, by one who sees all that the rules show.

Against a blind strategy this is dynamic programming. The other's moves tell nothing of the
other's traps, so the belief in them depends on one's own journey alone; and given one's own
secret, the other's journey is a Markov chain.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.race.journeys import NONE, Journeys

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.race.journeys import Floats, Ints
    from trapline.games.hidden_path.solving.race.races import Strategy


TOGETHER = 60
"""So many secrets are answered at once, which takes fewer steps than one after the other."""
MOST_PAIRS = 1_000_000
"""Unless that would fill the memory: so many pairs of nodes, of both runners, are held."""


def at_least(times: Floats) -> Floats:
    """From the chances of each number of moves, the chance of so many or more."""
    return np.asarray(times[..., ::-1].cumsum(axis=-1)[..., ::-1])


def more_than(times: Floats) -> Floats:
    return at_least(times) - times


class OutOfTime(Exception):
    """The best response was not found in time."""


def respond(
    journeys: Journeys, strategy: Strategy, *, responder_first: bool, until: float = math.inf
) -> Floats:
    """For each secret, the best chance of winning of a player who knows the strategy.

    The player runs as well as anybody can, seeing everything that the rules show. Raises
    OutOfTime where that takes longer than it may.
    """
    used = np.flatnonzero(strategy.mixture)
    mine = Journeys(journeys.length, journeys.max_step, [journeys.secrets[i] for i in used])
    weight = mine.weights(strategy.mixture[used])
    caught = np.where(mine.trap >= 0, weight[mine.trap], 0.0) / weight[:, None]
    run = Run(mine.layers, mine.safe, mine.trap, caught)
    every = np.arange(len(journeys.secrets))
    alone = chain(journeys, strategy.policy, every[:1])
    pairs = int(np.diff(mine.layers).max()) * int(np.diff(alone.layers).max())
    together = max(1, min(TOGETHER, MOST_PAIRS // pairs))
    parts = (every[begin : begin + together] for begin in range(0, len(every), together))
    answers = []
    for part in parts:
        if time.monotonic() > until:
            raise OutOfTime
        theirs = chain(journeys, strategy.policy, part)
        answers.append(_respond(theirs, run, responder_first))
    return np.concatenate(answers)


class Chain(NamedTuple):
    """The other's journeys, one against each of some secrets: the nodes that they can come to,
    layer by layer."""

    layers: Ints
    after: Ints
    """The next node after each move, counted from the beginning of its layer."""
    chances: Floats
    """How likely each move is."""

    def columns(self, layer: int) -> slice:
        return slice(int(self.layers[layer]), int(self.layers[layer + 1]))

    @property
    def last(self) -> int:
        return len(self.layers) - 2


class Run(NamedTuple):
    """One's own journey against a mixture of secrets, its nodes layer by layer."""

    layers: Ints
    safe: Ints
    trap: Ints
    caught: Floats
    """How likely each move ends on a trap."""

    def rows(self, layer: int) -> slice:
        ends = len(self.layers) - 1
        begin, end = (int(self.layers[min(at, ends)]) for at in (layer, layer + 1))
        return slice(begin, end)


def chain(journeys: Journeys, policy: Floats, secrets: Ints, start: int = 0) -> Chain:
    """Where a policy can come to against each of these secrets, by their numbers."""
    steps = np.arange(1, journeys.max_step + 1)
    sizes, afters, chances = [0], [], []
    nodes, against = np.full(len(secrets), start), secrets
    while len(nodes):
        # A trap that nobody has sprung yet lies there: then the node after it exists.
        lands = journeys.at[nodes, None] + steps
        caught = (journeys.trap[nodes] >= 0) & journeys.trapped[against[:, None], lands]
        to = np.where(caught, journeys.trap[nodes], journeys.safe[nodes])
        to = np.where(policy[nodes] > 0.0, to, NONE)
        keys = against[:, None] * len(journeys) + to
        following = np.unique(keys[to >= 0])
        sizes.append(len(nodes))
        afters.append(np.where(to >= 0, np.searchsorted(following, keys), to))
        chances.append(policy[nodes])
        against, nodes = np.divmod(following, len(journeys))
    return Chain(np.cumsum(sizes), np.concatenate(afters), np.concatenate(chances))


def _respond(theirs: Chain, mine: Run, responder_first: bool) -> Floats:
    """The responder's chances of winning, with each secret, by backward induction.

    A matrix holds that chance for every pair of nodes: the responder's (rows) and the
    other's (columns). Once the other's chain has no nodes left, the other has won.
    """
    rows = mine.rows(theirs.last + 1)
    value = np.zeros((rows.stop - rows.start, 0))
    for layer in range(theirs.last, -1, -1):
        if responder_first:
            value = other_moves(value, theirs, layer)
            value = responder_moves(value, mine, layer)
        else:
            value = responder_moves(value, mine, layer)
            value = other_moves(value, theirs, layer)
    return np.asarray(value[0])


def other_moves(value: Floats, theirs: Chain, layer: int) -> Floats:
    """The same one move of the other's earlier."""
    columns = theirs.columns(layer)
    # On the goal, which like no node at all is the last column, the responder has lost.
    ended = np.concatenate([value, np.zeros((len(value), 1))], axis=1)
    after, chances = np.maximum(theirs.after[columns], NONE), theirs.chances[columns]
    out = np.zeros((len(value), len(after)))
    for move in range(after.shape[1]):
        if (after[:, move] >= 0).any():
            out += chances[:, move] * ended[:, after[:, move]]
    return out


def responder_moves(value: Floats, mine: Run, layer: int) -> Floats:
    """The same one move of the responder's earlier, the best there is."""
    rows, begin = mine.rows(layer), mine.rows(layer + 1).start
    # The last two rows stand for the goal and for no node, which are numbered from the end.
    width = value.shape[1]
    ended = np.concatenate([value, np.ones((1, width)), np.zeros((1, width))])
    out = np.zeros((rows.stop - rows.start, width))
    for move in range(mine.safe.shape[1]):
        safe, trap = mine.safe[rows, move], mine.trap[rows, move]
        caught = mine.caught[rows, move, None]
        total = (1.0 - caught) * ended[np.where(safe >= 0, safe - begin, safe)]
        if caught.any():
            total += caught * ended[np.where(trap >= 0, trap - begin, trap)]
        np.maximum(out, total, out=out)
    return out
