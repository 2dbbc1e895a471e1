"""What still lies ahead of two runners, from where they are: one decision of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.race.journeys import GOAL, NONE
from trapline.games.hidden_path.solving.race.responses import (
    Chain,
    Run,
    other_moves,
    responder_moves,
)

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.race.journeys import Floats, Journeys


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


def arrivals(theirs: Chain) -> Floats:
    """How likely the other, against one secret, arrives after so many more moves."""
    found = np.zeros(theirs.last + 2)
    chances = np.ones(1)
    for layer in range(theirs.last + 1):
        columns = theirs.columns(layer)
        part = chances[:, None] * theirs.chances[columns]
        after = theirs.after[columns]
        found[layer + 1] = part[after == GOAL].sum()
        following = theirs.columns(layer + 1) if layer < theirs.last else slice(0, 0)
        chances = np.zeros(following.stop - following.start)
        np.add.at(chances, after[after >= 0], part[after >= 0])
    return found


def chances_by(mine: Run, worth: Floats) -> Floats:
    """What each first move can bring if arriving after so many moves has that worth, for a runner
    who looks at nothing else."""
    value = np.zeros(0)
    for layer in range(len(mine.layers) - 2, -1, -1):
        rows, begin = mine.rows(layer), mine.rows(layer + 1).start
        on_goal = worth[layer + 1] if layer + 1 < len(worth) else 0.0  # the other is there already
        ended = np.concatenate([value, [on_goal, 0.0]])
        safe, trap = mine.safe[rows], mine.trap[rows]
        caught = mine.caught[rows]
        total = (1 - caught) * ended[np.where(safe >= 0, safe - begin, safe)]
        total += caught * ended[np.where(trap >= 0, trap - begin, trap)]
        if layer == 0:
            return np.asarray(total[0])
        value = total.max(axis=1)
    return value
