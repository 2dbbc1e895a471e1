"""What a blind strategy proves, in whole numbers and fractions.

The chances of a good strategy are often simple fractions that a computer's numbers only
come close to. Here they are made fractions again, and the best response to them is found
once more without any rounding, by plain recursion over the rules of Hidden Path. Nothing
is taken from the solver but the strategy.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.race.journeys import Floats, Journeys
    from trapline.games.hidden_path.solving.race.races import Strategy

DENOMINATORS = (60, 1_000, 100_000)
CLOSE = 1e-9


def fractions_of(chances: Floats) -> dict[int, Fraction]:
    """Chances as the simplest fractions that fit them; they add up to one in any case."""
    used = [int(i) for i in np.flatnonzero(chances > CLOSE)]
    for largest in DENOMINATORS:
        simple = {i: Fraction(float(chances[i])).limit_denominator(largest) for i in used}
        if sum(simple.values()) == 1 and all(
            abs(float(simple[i]) - chances[i]) < CLOSE for i in used
        ):
            return simple
    exact = {i: Fraction(float(chances[i])) for i in used}
    total = sum(exact.values())
    return {i: chance / total for i, chance in exact.items()}


def prove_exactly(journeys: Journeys, strategy: Strategy, *, moves_first: bool) -> Fraction:
    """The bound on the value that a strategy, its chances made fractions, proves.

    Whoever responds to it meets its runner only in the count of moves, and wins more, whatever
    they do, where that runner is longer on the way: no other secret need be asked than those
    that hold it up longest.
    """
    runner = _Runner(journeys, strategy)
    responder = _Responder(journeys, strategy, moves_first=not moves_first)
    lost = max(map(responder.wins, _longest({runner.on_the_way(s) for s in journeys.secrets})))
    return 1 - 2 * lost if moves_first else 2 * lost - 1


OnTheWay = tuple[Fraction, ...]
"""How likely a runner is not at home after so many moves, from none to the most it can need."""


def _longest(ways: set[OnTheWay]) -> list[OnTheWay]:
    """Those than which no other is as long or longer at every count of moves."""
    most = max(map(len, ways))
    padded = [way + (Fraction(0),) * (most - len(way)) for way in ways]
    return [
        way
        for way in padded
        if not any(other != way and all(map(Fraction.__ge__, other, way)) for other in padded)
    ]


class _Runner:
    """Whoever plays the strategy: it looks at nothing but its own journey."""

    def __init__(self, journeys: Journeys, strategy: Strategy) -> None:
        self._journeys = journeys
        self._strategy = strategy
        self._rows: dict[int, dict[int, Fraction]] = {}

    def on_the_way(self, secret: int) -> OnTheWay:
        """Against one secret (as bits)."""
        found = []
        places = {(0, 0, secret): Fraction(1)}  # node, position, traps that still act
        while places:
            found.append(sum(places.values(), Fraction(0)))
            after: dict[tuple[int, int, int], Fraction] = {}
            for (node, position, live), likely in places.items():
                for move, chance in self._row(node).items():
                    to = position + move + 1
                    if live >> to & 1:
                        there = int(self._journeys.trap[node, move]), 0, live & ~(1 << to)
                    elif to < self._journeys.length:
                        there = int(self._journeys.safe[node, move]), to, live
                    else:
                        continue  # at home
                    after[there] = after.get(there, Fraction(0)) + likely * chance
            places = after
        return *found, Fraction(0)

    def _row(self, node: int) -> dict[int, Fraction]:
        if node not in self._rows:
            self._rows[node] = fractions_of(self._strategy.policy[node])
        return self._rows[node]


Known = tuple[int, int, tuple[int, ...]]
"""The responder's position, the traps sprung, and the other's secrets still possible."""
Landing = tuple[int, int | None, int | None]
"""The weight that is at home, and what is known after a safe landing and after a trap."""


class _Responder:
    """Whoever answers a strategy as well as anybody can.

    What is counted is not chances but weights: those of the other's secrets that are still
    possible, so that nothing is divided on the way. What the responder may know is numbered
    as it comes up.
    """

    def __init__(self, journeys: Journeys, strategy: Strategy, *, moves_first: bool) -> None:
        self._journeys = journeys
        self._behind = 0 if moves_first else 1
        chances = fractions_of(strategy.mixture)
        self._scale = lcm(*(chance.denominator for chance in chances.values()))
        self._weights = {
            journeys.secrets[i]: int(chance * self._scale) for i, chance in chances.items()
        }
        start = (0, 0, tuple(self._weights))
        self._known, self._number = [start], {start: 0}
        self._landings: dict[int, list[Landing]] = {}

    def wins(self, way: OnTheWay) -> Fraction:
        """How likely the responder is at home before a runner who is so long on the way."""
        scale = lcm(*(chance.denominator for chance in way))
        in_time = [int(chance * scale) for chance in way[self._behind :]]

        @cache
        def most(mine: int, moves: int) -> int:
            if not in_time[moves]:
                return 0
            return max(
                home * in_time[moves]
                + (most(passed, moves + 1) if passed is not None else 0)
                + (most(caught, moves + 1) if caught is not None else 0)
                for home, passed, caught in self._land(mine)
            )

        return Fraction(most(0, 0), scale * self._scale)

    def _land(self, mine: int) -> list[Landing]:
        """What each of the responder's moves can lead to."""
        if mine not in self._landings:
            position, sprung, possible = self._known[mine]
            farthest = min(position + self._journeys.max_step, self._journeys.length)
            landings: list[Landing] = []
            for to in range(position + 1, farthest + 1):
                known = sprung >> to & 1
                clear = tuple(s for s in possible if known or not s >> to & 1)
                trapped = tuple(s for s in possible if not known and s >> to & 1)
                caught = self._numbered((0, sprung | 1 << to, trapped))
                if to == self._journeys.length:
                    landings.append((sum(self._weights[s] for s in clear), None, caught))
                else:
                    landings.append((0, self._numbered((to, sprung, clear)), caught))
            self._landings[mine] = landings
        return self._landings[mine]

    def _numbered(self, known: Known) -> int | None:
        if not known[2]:
            return None  # no secret allows it
        if known not in self._number:
            self._number[known] = len(self._known)
            self._known.append(known)
        return self._number[known]
