"""A profile as it is played: with something to do also where it would never have come.

Methods that find a profile say nothing about decisions that the player's own choices never
lead to. Nobody meets the player there, so whatever is done there proves the same; but somebody
else may be there, who asks for a hint or wants to know what a choice was worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS
from trapline.solve import best_response, levels
from trapline.solve.best_response import Profile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.tree import Tree

    Floats = NDArray[np.float64]

NOISE = 1e-12
"""Chances smaller than this are left over from rounding, and not meant."""
UNEXPECTED = 1e-3
"""How much a player off the path reckons with choices that the other never makes."""
SAME = 1e-9
"""Actions whose values differ by less are equally good."""
LOST = -1 + 1e-9
"""Who can get no more than this in the whole game has lost it, unless the other goes wrong."""


def completed(tree: Tree, profile: Profile) -> Profile:
    """The same play where a seat's own choices lead, and good play everywhere else.

    A seat that has lost the whole game against good play has nothing to give away. It plays
    what wins most against somebody who hides and moves at random.
    """
    profile = _without_noise(tree, profile)
    careless = best_response.uniform(tree)
    unsure = blend(profile, careless, UNEXPECTED)
    mixes, table = list(profile.mixes), profile.table.copy()
    for seat in SEATS:
        lost = best_response.best_response(tree, seat, profile) <= LOST
        answers = answers_to(tree, seat, careless if lost else unsure)
        reach, start = best_response.reach(tree, seat, profile), tree.sides[seat - 1].start
        for node in np.flatnonzero(tree.nodes.mover == seat).tolist():
            strange = (reach[start[node] : start[node + 1]] == 0.0) | lost
            part = tree.table(table, node)
            part[:] = np.where(strange, tree.table(answers.table, node), part)
        if lost:
            mixes[seat - 1] = answers.mixes[seat - 1]
    return Profile((mixes[0], mixes[1]), table)


def _without_noise(tree: Tree, profile: Profile) -> Profile:
    table = np.where(profile.table < NOISE, 0.0, profile.table)
    for node in np.flatnonzero(tree.nodes.mover).tolist():
        part = tree.table(table, node)
        part /= part.sum(axis=0)
    one, two = (np.where(mix < NOISE, 0.0, mix) for mix in profile.mixes)
    return Profile((one / one.sum(), two / two.sum()), table)


def blend(one: Profile, two: Profile, share: float) -> Profile:
    """The first profile, with a share of the second in every choice."""
    first, second = ((1 - share) * a + share * b for a, b in zip(one.mixes, two.mixes, strict=True))
    return Profile((first, second), (1 - share) * one.table + share * two.table)


def answers_to(tree: Tree, seat: int, profile: Profile) -> Profile:
    """A seat's best responses to the other's part of a profile, equally good ones equally often."""
    found, theirs = best_response.uniform(tree), tree.sides[2 - seat]
    values = best_response.node_values(tree, seat, profile)
    reach = best_response.reach(tree, 3 - seat, profile)
    for node in np.flatnonzero(tree.nodes.mover == seat).tolist():
        part = tree.table(found.table, node)
        # Values are weighted with how likely the other comes here.
        whole = reach[theirs.start[node] : theirs.start[node + 1]].sum()
        part[:] = _best(levels.action_values(tree, seat, node, values), SAME * whole)
    found.mixes[seat - 1][:] = _best(values[: tree.holdings[seat - 1], None], SAME)[:, 0]
    return found


def _best(worth: Floats, same: float) -> Floats:
    """In each column, the highest values equally often."""
    best = worth >= worth.max(axis=0) - same
    return np.asarray(best / best.sum(axis=0))
