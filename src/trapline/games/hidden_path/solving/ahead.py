"""What still lies ahead of two runners, from where they are: one decision of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.journeys import NONE
from trapline.games.hidden_path.solving.responses import (
    Chain,
    Run,
    other_moves,
    responder_moves,
)

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.journeys import Floats, Journeys


def ahead_of(journeys: Journeys, weight: Floats, start: int) -> Run:
    """What follows a node, if the secrets have these weights at every node; its nodes are
    numbered anew, from the present one."""
    layers = [np.array([start])]
    while len(layers[-1]):
        to = np.concatenate([journeys.safe[layers[-1]], journeys.trap[layers[-1]]])
        to = np.unique(to[to >= 0])
        layers.append(to[weight[to] > 0.0])
    nodes = np.concatenate(layers)
    local = np.full(len(journeys), NONE)
    local[nodes] = np.arange(len(nodes))
    safe, trap = journeys.safe[nodes], journeys.trap[nodes]
    caught = np.where(trap >= 0, weight[trap], 0.0) / weight[nodes, None]
    return Run(
        np.cumsum([0, *map(len, layers[:-1])]),
        np.where(safe >= 0, local[safe], safe),
        np.where(trap >= 0, local[trap], trap),
        caught,
    )


def chances_after(theirs: Chain, mine: Run) -> Floats:
    """The chance of winning at each node after the first move, the other to move."""
    rows = mine.rows(theirs.last + 1)
    value = np.zeros((rows.stop - rows.start, 0))
    for layer in range(theirs.last, -1, -1):
        value = other_moves(value, theirs, layer)
        if layer > 0:
            value = responder_moves(value, mine, layer)
    return np.asarray(value[:, 0])
