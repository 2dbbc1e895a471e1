"""The inner loops of a lone run: who is likely where, what that is worth, and what to do anew.

Arrays are handed over one by one: compiled code counts the users of an array whenever it takes one
out of a tuple, which would take longer than the few sums at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.loops import Loop
from trapline.solve.regret import choose_anew

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.duel.nodes import Counts

    Floats = NDArray[np.float64]


@Loop
def lone_reach(
    run: Any,
    points: Any,
    passed: Counts,
    caught: Counts,
    entry: int,
    table: Floats,
    chances: Floats,
) -> None:
    """How likely the runner comes to each point of a run, if the secrets lead there."""
    begin, width = run.begin, passed.shape[1]
    chances[0] = 1.0
    for j in range(1, run.end - begin):
        chances[j] = 0.0
    for j in range(run.end - begin):
        point = points[begin + j]
        if not point.open or chances[j] == 0.0:
            continue
        row = entry + point.row * width
        for m in range(point.moves):
            part = chances[j] * table[row + m]
            good, bad = passed[begin + j, m], caught[begin + j, m]
            if good >= 0:
                chances[good] += part
            if bad >= 0:
                chances[bad] += part


@Loop
def lone_ends(
    run: Any, points: Any, secrets: Counts, weights: Floats, first: int, worths: Floats
) -> None:
    """At points that are not open: the weight of the secrets with which they are reached."""
    for at in range(run.begin, run.end):
        point = points[at]
        worth = 0.0
        if not point.open:
            for k in range(point.first, point.last):
                worth += weights[first + secrets[k]]
        worths[at - run.begin] = worth


@Loop
def lone_worth(passed: Counts, caught: Counts, at: int, m: int, worths: Floats) -> float:
    """What a move at a point is worth, when it is known what the points after it are."""
    worth = 0.0
    if passed[at, m] >= 0:
        worth += worths[passed[at, m]]
    if caught[at, m] >= 0:
        worth += worths[caught[at, m]]
    return worth


@Loop
def lone_best(
    run: Any,
    points: Any,
    passed: Counts,
    caught: Counts,
    secrets: Counts,
    weights: Floats,
    first: int,
    worths: Floats,
) -> float:
    """The most of the weight with which the runner can be there in time."""
    lone_ends(run, points, secrets, weights, first, worths)
    for at in range(run.end - 1, run.begin - 1, -1):
        if points[at].open:
            best = 0.0
            for m in range(points[at].moves):
                best = max(best, lone_worth(passed, caught, at, m, worths))
            worths[at - run.begin] = best
    return float(worths[0])


@Loop
def learn_alone(
    rule: Any,
    run: Any,
    points: Any,
    passed: Counts,
    caught: Counts,
    secrets: Counts,
    weights: Floats,
    first: int,
    entry: int,
    strategy: Floats,
    regret: Floats,
    worths: Floats,
    offered: Floats,
) -> float:
    """One update of a lone run; returns the weight with which the runner was there in time."""
    lone_ends(run, points, secrets, weights, first, worths)
    for at in range(run.end - 1, run.begin - 1, -1):
        point = points[at]
        if point.open:
            for m in range(point.moves):
                offered[m] = lone_worth(passed, caught, at, m, worths)
            row = entry + point.row * passed.shape[1]
            worths[at - run.begin] = choose_anew(
                rule, strategy, regret, row, 1, point.moves, offered
            )
    return float(worths[0])
