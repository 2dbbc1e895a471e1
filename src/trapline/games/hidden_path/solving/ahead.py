"""What still lies ahead of two runners, from where they are: one decision of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.games.hidden_path.solving.journeys import NONE, kernel
from trapline.games.hidden_path.solving.responses import other_moves, responder_moves

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.journeys import Floats, Ints, Journeys


class Ahead(NamedTuple):
    """What can still come of one's own journey: nodes numbered anew, from the present one."""

    layers: Ints
    safe: Ints
    trap: Ints
    caught: Floats
    """How likely each move ends on a trap."""


def ahead_of(journeys: Journeys, weight: Floats, start: int) -> Ahead:
    """What follows a node, if the secrets have these weights at every node."""
    nodes = np.flatnonzero(_possible(journeys.safe, journeys.trap, weight, start))
    moves = journeys.moves[nodes] - journeys.moves[start]
    local = np.full(len(journeys), NONE)
    local[nodes] = np.arange(len(nodes))
    safe, trap = journeys.safe[nodes], journeys.trap[nodes]
    caught = np.where(trap >= 0, weight[trap], 0.0) / weight[nodes, None]
    return Ahead(
        np.searchsorted(moves, np.arange(moves[-1] + 2)),
        np.where(safe >= 0, local[safe], safe),
        np.where(trap >= 0, local[trap], trap),
        caught,
    )


@kernel
def _possible(safe: Ints, trap: Ints, weight: Floats, start: int) -> Any:
    """The nodes that may come after one, where secrets that may be there lead."""
    reached = np.zeros(len(safe), np.bool_)
    reached[start] = True
    for node in range(start, len(safe)):
        if not reached[node]:
            continue
        for m in range(safe.shape[1]):
            good, bad = safe[node, m], trap[node, m]
            if good >= 0 and weight[good] > 0.0:
                reached[good] = True
            if bad >= 0 and weight[bad] > 0.0:
                reached[bad] = True
    return reached


@kernel
def chances_after(
    layers: Ints,
    after: Ints,
    policy: Floats,
    my_layers: Ints,
    safe: Ints,
    trap: Ints,
    caught: Floats,
) -> Floats:
    """The chance of winning at each node after the first move, the other to move."""
    last = len(layers) - 2
    rows = np.zeros(my_layers.shape[0] + last + 3, np.int64)
    rows[: len(my_layers) - 1] = np.diff(my_layers)
    value = np.zeros((rows[last + 1], 0))
    for t in range(last, -1, -1):
        value = other_moves(value, after, policy, layers[t], layers[t + 1] - layers[t])
        if t > 0:
            value = responder_moves(value, my_layers, t, rows[t], safe, trap, caught)
    return value[:, 0].copy()
