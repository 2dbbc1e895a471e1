"""Simple blind strategies: traps drawn from blocks, and a few routes, repeated after a trap.

A strategy draws an arrangement of blocks (`blocks`) and with it a route from the start to the goal;
then its traps, evenly, from the blocks. After the first trap it may draw another route, and keeps
to that one from then on. Suppose the other player is told the arrangement, and how many moves the
strategy will need. That can only help; and then the other is home in time with no more than the
chances of `blocks.Homecoming`. What is left to choose is how often each arrangement goes together
with each route: a linear program, since what each secret of the other brings is a sum over them.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.solve.interface import TooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.games.hidden_path.solving.routes.blocks import Arrangement

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

MOST_WORST = 20_000

Route = tuple[int, ...]
"""Where it lands, the goal included."""


class RoutePlan(NamedTuple):
    """How often each arrangement and route are drawn together, and what follows the first trap."""

    arrangements: tuple[Arrangement, ...]
    routes: tuple[Route, ...]
    starts: Floats
    """By arrangement and route; the sum is 1."""
    turns: Floats
    """By arrangement, route, landing that was a trap, and new route; sums of 1. Where there is no
    choice, the list of new routes is empty, and a route is repeated."""


def steady_routes(length: int, max_step: int) -> list[Route]:
    """By the longest moves, after a first one of each length: no step lies on two of them."""
    return [
        (*range(first, length, max_step), length) for first in range(1, min(max_step, length) + 1)
    ]


def quick_routes(length: int, max_step: int, spare: int, most: int) -> list[Route] | None:
    """All that take no more than so many moves above the fewest; None beyond `most` of them."""
    moves = -(-length // max_step) + spare
    found: list[Route] = [()]
    whole: list[Route] = []
    while found:
        route = found.pop()
        at = route[-1] if route else 0
        if at == length:
            whole.append(route)
            continue
        left = moves - len(route) - 1
        nearest = max(at + 1, length - left * max_step)
        found += [(*route, to) for to in range(nearest, min(at + max_step, length) + 1)]
        if len(whole) > most:
            return None
    return sorted(whole)


def worst_for_steady(length: int, max_step: int, traps: int, *, goal_traps: bool) -> list[int]:
    """Of all secrets those that hold steady routes up most: on each route the latest steps.

    Time on a steady route is its moves and the places of its traps, so of all secrets with as many
    traps on each route one is the worst for all routes at once.
    """
    routes = steady_routes(length, max_step)
    if comb(len(routes) + traps - 1, traps) > MOST_WORST:
        raise TooLarge("There are too many ways to trap a few routes; fewer traps make fewer.")
    found = set()
    for goal in {goal_traps, False}:
        for chosen in combinations_with_replacement(range(len(routes)), traps - goal):
            counts = [chosen.count(number) for number in range(len(routes))]
            if all(count < len(route) for count, route in zip(counts, routes, strict=True)):
                late = (
                    s for c, r in zip(counts, routes, strict=True) for s in r[len(r) - 1 - c : -1]
                )
                found.add(sum(1 << step for step in late) | goal << length)
    return sorted(found)


class Times:
    """How many moves routes take against secrets of the other."""

    def __init__(self, routes: Sequence[Route], secrets: Sequence[int]) -> None:
        length = routes[0][-1]
        self.routes, self.length = routes, length
        bits = [[secret >> step & 1 for step in range(length + 1)] for secret in secrets]
        self._trapped = np.array(bits, np.int64)
        self._cost = np.zeros((len(routes), length + 1), np.int64)
        for number, route in enumerate(routes):
            self._cost[number, list(route)] = np.arange(1, len(route) + 1)
        self.moves = np.array([len(route) for route in routes])
        self.repeated = self.moves[:, None] + self._cost @ self._trapped.T
        """By route and secret: moves if it is repeated after every trap."""
        self.most = int(self.repeated.max() + self.moves.max())
        """Nothing takes more."""

    def first_trap(self, number: int) -> Ints:
        """For each secret, which landing of a route is the first on a trap, from 0; the goal, where
        nothing but the same route is left to do, and beyond count as none."""
        on_the_way = self._trapped[:, list(self.routes[number][:-1])] == 1
        none = len(self.routes[number]) - 1
        if not none:
            return np.zeros(len(self._trapped), np.int64)
        return np.where(on_the_way.any(axis=1), on_the_way.argmax(axis=1), none)

    def turning(self, number: int, landing: int, secrets: Ints) -> Ints:
        """By new route and secret: moves if a route's trap is met and then a new route taken."""
        step = self.routes[number][landing]
        return np.asarray(landing + 1 + self.repeated[:, secrets] - self._cost[:, [step]])
