"""Best replies: to random play, to that, and so on; to habits; and with the other's secret seen.

All of it is exact, by best responses on the public tree of a game, and tried out before the
referee. The ladder needs the tree laid out to its end, so that mistakes count too. A game whose
tree cannot be held has no such figures, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.core import Seat, other
from trapline.fairness import trials
from trapline.fairness.figures import Estimate, Ladder, Pair
from trapline.fairness.trees import seats_of, tree_of, worth_to
from trapline.solve import best_response
from trapline.solve.best_response import Profile
from trapline.solve.completion import answers_to
from trapline.solve.public import PublicSolution

if TYPE_CHECKING:
    from trapline.solve import Solution
    from trapline.solve.model import GameModel
    from trapline.solve.tree import Tree

RUNGS = 6
"""How far the ladder is climbed."""
SETTLED = 0.01
"""Replies that get the value of the game but for this have come to best play."""


def ladder(solution: Solution) -> Ladder | None:
    """The ladder of best replies; None where the tree is too large."""
    held = tree_of(solution, to_the_end=True)
    if held is None:
        return None
    results, played = _climb(*held, seats_of(solution))
    near = [abs(result - solution.value) < SETTLED for result in results]
    settles = next((i + 1 for i in range(len(near)) if all(near[i:])), None)
    return Ladder(results, settles, played)


def _climb(
    model: GameModel, tree: Tree, seats: tuple[Seat, Seat]
) -> tuple[list[float], list[Estimate]]:
    profile, found, played = best_response.uniform(tree), [], []
    for number in range(RUNGS):
        seat = seats[number % 2]
        worth = best_response.best_response(tree, seat, profile)
        found.append(round(worth if seat == seats[0] else -worth, 6))
        profile = with_part(tree, profile, seat, answers_to(tree, seat, profile))
        played.append(trials.result(trials.meet(model, tree, profile)))
    return found, played


def with_part(tree: Tree, profile: Profile, seat: Seat, theirs: Profile) -> Profile:
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
    model, tree, seats = solution.model, solution.tree, seats_of(solution)
    found = [
        cost(solution, model, tree, seat, with_part(tree, solution.profile, seat, habit))
        for seat in seats
    ]
    return paired(found)


def cost(
    solution: Solution, model: GameModel, tree: Tree, seat: Seat, played: Profile
) -> tuple[float, Estimate]:
    """What a seat loses by its part of a profile to who knows it: exactly, and in matches."""
    rival, worth = other(seat), worth_to(solution, seat)
    kept = -best_response.best_response(tree, rival, played)
    known = with_part(tree, played, rival, answers_to(tree, rival, played))
    score = trials.meet(model, tree, known)
    tried = trials.lost_by(score, worth, first=seat == model.first)
    return round(max(0.0, (worth - kept) / 2), 6), tried


def paired(found: list[tuple[float, Estimate]]) -> Pair:
    (first, one), (second, two) = found
    return Pair(first, second, (one, two))


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
    return paired([_seen(solution, seat) for seat in seats_of(solution)])


def _seen(solution: PublicSolution, seer: Seat) -> tuple[float, Estimate]:
    """What is gained by a seer, who had to hide the own secret before."""
    tree, profile, worth = solution.tree, solution.profile, worth_to(solution, seer)
    mix = profile.mixes[other(seer) - 1]

    def hiding(seat: Seat, holding: int) -> Profile:
        """The solution, but for a seat that hides one thing always."""
        mixes = list(profile.mixes)
        mixes[seat - 1] = np.eye(len(mixes[seat - 1]))[holding]
        return Profile((mixes[0], mixes[1]), profile.table)

    def seeing(holding: int) -> Profile:
        return answers_to(tree, seer, hiding(other(seer), holding))

    totals = sum(
        often * best_response.root_values(tree, seer, hiding(other(seer), holding))
        for holding, often in enumerate(mix.tolist())
        if often > 0.0
    )
    assert isinstance(totals, np.ndarray)  # something is hidden, always
    hides = hiding(seer, int(totals.argmax()))
    score = trials.meet_seer(solution.model, tree, hides, seer, seeing)
    tried = trials.lost_by(score, worth, first=seer == solution.model.first)
    gained = max(0.0, (float(totals.max()) - worth) / 2)
    return round(gained, 6), Estimate(-tried.mean, tried.margin, tried.matches)
