"""Exact best responses, and with them the certificate of a pair of strategies.

Whoever fixes a strategy can be held to what a best response leaves of it, and to no less:
so a best response against each side bounds the value of the game from both sides, whatever
produced the strategies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trapline.solve import levels
from trapline.solve.interface import Certificate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve.tree import Tree

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Profile:
    """A strategy for each seat: a mix of holdings, and for each decision a mix of actions."""

    mixes: tuple[Floats, Floats]
    table: Floats


def uniform(tree: Tree) -> Profile:
    """Every action and every holding equally likely; a dealt holding weighs 1."""
    table = np.zeros(tree.entries)
    for node in np.flatnonzero(tree.nodes.mover):
        part = tree.table(table, int(node))
        part[:] = 1.0 / len(part)
    one, two = (np.full(n, 1.0 / n if tree.chosen else 1.0) for n in tree.holdings)
    return Profile((one, two), table)


def reach(tree: Tree, seat: int, profile: Profile) -> Floats:
    """The seat's reach of every node under its strategy."""
    result = np.zeros(len(tree.sides[seat - 1].live))
    result[: tree.holdings[seat - 1]] = profile.mixes[seat - 1]
    levels.run_down(tree, seat, profile.table, result)
    return result


def node_values(tree: Tree, seat: int, profile: Profile) -> Floats:
    """Everywhere, the most the seat can get against the other's fixed strategy."""
    values = levels.end_values(tree, seat, reach(tree, 3 - seat, profile))
    levels.best_values(tree, seat, values)
    return values


def root_values(tree: Tree, seat: int, profile: Profile) -> Floats:
    """For each holding, the most the seat can get against the other's fixed strategy."""
    return node_values(tree, seat, profile)[: tree.holdings[seat - 1]]


def mean_root_values(tree: Tree, seat: int, profile: Profile) -> Floats:
    """For each holding, what the seat gets when both play the profile."""
    values = levels.end_values(tree, seat, reach(tree, 3 - seat, profile))
    levels.mean_values(tree, seat, profile.table, values)
    return values[: tree.holdings[seat - 1]]


def best_response(tree: Tree, seat: int, profile: Profile) -> float:
    """The value, to the seat, of the best response to the other's strategy."""
    values = root_values(tree, seat, profile)
    return float(values.max() if tree.chosen else values.sum())


def certify(tree: Tree, profile: Profile) -> Certificate:
    return Certificate(-best_response(tree, 2, profile), best_response(tree, 1, profile))
