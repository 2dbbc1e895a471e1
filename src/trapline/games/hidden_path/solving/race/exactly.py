"""What a blind strategy proves, in whole numbers and fractions.

The chances of a good strategy are often simple fractions that a computer's numbers only
come close to. Here they are made fractions again, and the best response to them is found
once more without any rounding, by plain recursion over the rules of Hidden Path. Nothing
is taken from the solver but the strategy.
"""

from __future__ import annotations

from fractions import Fraction
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
    """The bound on the value that a strategy, its chances made fractions, proves."""
    other = _Other(journeys, strategy, responder_first=not moves_first)
    lost = max(other.loses_to(secret) for secret in journeys.secrets)
    return 1 - 2 * lost if moves_first else 2 * lost - 1


Known = tuple[int, int, tuple[int, ...]]
"""The responder's position, the traps sprung, and the other's secrets still possible."""
Landing = tuple[int, int | None, int | None]
"""The weight won at once, and what is known after a safe landing and after a trap."""
Theirs = tuple[int, int, int]
"""The other's node, position, and the responder's traps that still act."""


class _Other:
    """A player with a fixed strategy, and what a best response wins against it.

    What is counted is not chances but weights: those of the other's secrets that are still
    possible, so that nothing is divided on the way. What the responder may know is numbered
    as it comes up.
    """

    def __init__(self, journeys: Journeys, strategy: Strategy, *, responder_first: bool) -> None:
        self._journeys = journeys
        self._strategy = strategy
        self._responder_first = responder_first
        chances = fractions_of(strategy.mixture)
        self._scale = lcm(*(chance.denominator for chance in chances.values()))
        self._weights = {
            journeys.secrets[i]: int(chance * self._scale) for i, chance in chances.items()
        }
        self._rows: dict[int, dict[int, Fraction]] = {}
        start = (0, 0, tuple(self._weights))
        self._known, self._number = [start], {start: 0}
        self._landings: dict[int, list[Landing]] = {}
        self._won: dict[tuple[int, Theirs], Fraction | int] = {}

    def loses_to(self, secret: int) -> Fraction:
        """The best response's chance to win with one secret (as bits)."""
        self._won.clear()
        turn = self._respond if self._responder_first else self._wait
        return Fraction(turn(0, (0, 0, secret))) / self._scale

    def _respond(self, mine: int, theirs: Theirs) -> Fraction | int:
        """The weight won from here by the responder, who is to move."""
        if (mine, theirs) not in self._won:
            best: Fraction | int = 0
            for total, passed, caught in self._land(mine):
                won: Fraction | int = total
                if passed is not None:
                    won += self._wait(passed, theirs)
                if caught is not None:
                    won += self._wait(caught, theirs)
                best = max(best, won)
            self._won[mine, theirs] = best
        return self._won[mine, theirs]

    def _wait(self, mine: int, theirs: Theirs) -> Fraction | int:
        """The same when the other is to move."""
        node, position, live = theirs
        if node not in self._rows:
            self._rows[node] = fractions_of(self._strategy.policy[node])
        total: Fraction | int = 0
        for move, chance in self._rows[node].items():
            to = position + move + 1
            if live >> to & 1:
                after = (int(self._journeys.trap[node, move]), 0, live & ~(1 << to))
            elif to < self._journeys.length:
                after = (int(self._journeys.safe[node, move]), to, live)
            else:
                continue  # the other has won
            won = self._respond(mine, after)
            total += won if chance == 1 else chance * won
        return total

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
