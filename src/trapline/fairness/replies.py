"""Best replies: to random play, to that, and so on; to habits; and with the other's secret seen.

All of it is exact, by best responses on the public tree of a game. The ladder needs the tree laid
out to its end, so that mistakes count too. A game whose tree cannot be held has no such figures,
and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS, Seat, other
from trapline.fairness.figures import Ladder, Pair
from trapline.solve import TooLarge, Unsuited, best_response, levels
from trapline.solve.best_response import Profile
from trapline.solve.completion import answers_to
from trapline.solve.public import PublicSolution, public_tree
from trapline.solve.whole_size import probe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.solve import Solution
    from trapline.solve.tree import Tree

    Floats = NDArray[np.float64]

RUNGS = 6
"""How far the ladder is climbed."""
SETTLED = 0.01
"""Replies that get the value of the game but for this have come to best play."""
ON_THE_TREE = ("tree", "proof")
"""Methods that have held the public tree, or needed less."""


def ladder(solution: Solution) -> Ladder | None:
    """The ladder of best replies; None where the tree is too large."""
    game, first = solution.game, _first(solution)
    try:
        if game.turn_limit or solution.facts.method not in ON_THE_TREE:
            probe(game, first)
        _, tree = public_tree(game, first, to_the_end=True)
    except (TooLarge, Unsuited):
        return None
    results = list(_climb(tree, first))
    near = [abs(result - solution.value) < SETTLED for result in results]
    settles = next((i + 1 for i in range(len(near)) if all(near[i:])), None)
    return Ladder(results, settles)


def _climb(tree: Tree, first: Seat) -> list[float]:
    profile, found = best_response.uniform(tree), []
    for number in range(RUNGS):
        seat = first if number % 2 == 0 else other(first)
        worth = best_response.best_response(tree, seat, profile)
        found.append(round(worth if seat == first else -worth, 6))
        profile = _with(tree, profile, seat, answers_to(tree, seat, profile))
    return found


def _with(tree: Tree, profile: Profile, seat: Seat, theirs: Profile) -> Profile:
    """A profile in which one seat plays as in another."""
    entries = tree.descents[seat - 1].entries
    table = profile.table.copy()
    table[entries] = theirs.table[entries]
    mixes = list(profile.mixes)
    mixes[seat - 1] = theirs.mixes[seat - 1]
    return Profile((mixes[0], mixes[1]), table)


def habits(solution: Solution) -> dict[str, Pair]:
    """What it costs to play the solution but for a habit, against somebody who knows of it."""
    if not isinstance(solution, PublicSolution) or not solution.model.hides:
        return {}
    tree, profile = solution.tree, solution.profile
    anything, usual = best_response.uniform(tree), _likeliest(tree, profile)
    found = {
        "hides anything at all": (anything.mixes, profile.table),
        "always hides the likeliest secret": (usual.mixes, profile.table),
        "always makes the likeliest move": (profile.mixes, usual.table),
    }
    return {name: _costs(solution, Profile(mixes, table)) for name, (mixes, table) in found.items()}


def _costs(solution: PublicSolution, habit: Profile) -> Pair:
    lost = []
    for seat in (_first(solution), other(_first(solution))):
        played = _with(solution.tree, solution.profile, seat, habit)
        kept = -best_response.best_response(solution.tree, other(seat), played)
        worth = solution.value if seat == _first(solution) else -solution.value
        lost.append(round(max(0.0, (worth - kept) / 2), 6))
    return Pair(*lost)


def _likeliest(tree: Tree, profile: Profile) -> Profile:
    """Of every mix the likeliest part alone."""
    table = np.zeros(tree.entries)
    for node in np.flatnonzero(tree.nodes.mover).tolist():
        chances = tree.table(profile.table, node)
        part = tree.table(table, node)
        part[chances.argmax(axis=0), np.arange(part.shape[1])] = 1.0
    one, two = (np.eye(len(mix))[mix.argmax()] for mix in profile.mixes)
    return Profile((one, two), table)


def sight(solution: Solution) -> Pair | None:
    """What seeing the other's secret, once both are chosen, adds against best play.

    Where a result is forced it is forced against somebody who sees everything, so it adds nothing.
    """
    if solution.forced:
        return Pair(0.0, 0.0)
    if not isinstance(solution, PublicSolution):
        return None
    found = []
    for seat in (_first(solution), other(_first(solution))):
        worth = solution.value if seat == _first(solution) else -solution.value
        found.append(round(max(0.0, (_seeing(solution, seat) - worth) / 2), 6))
    return Pair(*found)


def _seeing(solution: PublicSolution, seat: Seat) -> float:
    """The best response of somebody who sees the other's secret, but had to hide the own before."""
    tree, rival = solution.tree, other(seat)
    totals = np.zeros(tree.holdings[seat - 1])
    for holding, often in enumerate(solution.profile.mixes[rival - 1].tolist()):
        if often > 0.0:
            reach = np.zeros(len(tree.sides[rival - 1].live))
            reach[holding] = often
            levels.run_down(tree, rival, solution.profile.table, reach)
            values = levels.end_values(tree, seat, reach)
            levels.best_values(tree, seat, values)
            totals += values[: tree.holdings[seat - 1]]
    return float(totals.max())


def _first(solution: Solution) -> Seat:
    return SEATS[1] if solution.facts.first == 2 else SEATS[0]
