"""A path bounded by two ways: one proves what whoever moves first keeps, one what the second does.

Each seat plays what proves its own bound. What a choice is worth to a seat is what it can bring
against the other's strategy, so that is asked of the way that found the other's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SECRET, other
from trapline.games.hidden_path.solving.patience import is_final
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import Certificate, Facts, Solution, bounds_facts, confirms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Form, Seat, View
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Machine, Method, Outlook, Policy, Request

NAME = "sides"


class SidesPolicy:
    def __init__(self, first: Policy, second: Policy) -> None:
        self._policies = (first, second)

    def _of(self, role: Seat) -> Policy:
        return self._policies[role - 1]

    def chances(self, view: View) -> dict[Form, float]:
        return self._of(_role(view)).chances(view)

    def look(self, view: View) -> Outlook:
        role = _role(view)
        found = self._of(other(role)).look(view)
        chances = self.chances(view)
        if view.asks == SECRET:
            return found._replace(chances=dict.fromkeys(found.chances, 0.0) | chances)
        return found._replace(chances=chances)


def _role(view: View) -> Seat:
    return 1 if view.seat == view.first else 2


class SidesSolution(Solution):
    def __init__(self, game: HiddenPath, facts: Facts, first: Solution, second: Solution) -> None:
        super().__init__(game, facts)
        self._solutions = (first, second)

    @property
    def policy(self) -> SidesPolicy:
        one, two = self._solutions
        return SidesPolicy(one.policy, two.policy)

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def of(self, role: Seat) -> Solution:
        """What proves the bound of whoever moves first (1) or second (2)."""
        return self._solutions[role - 1]

    def machine(self, role: Seat) -> Machine:
        return self.of(role).machine(role)

    def pack(self) -> bytes:
        return msgspec.msgpack.encode([(found.facts, found.pack()) for found in self._solutions])


def parts_of(solution: Solution | None) -> list[Solution]:
    """What was found by one way each, and is joined here."""
    if isinstance(solution, SidesSolution):
        return [solution.of(1), solution.of(2)]
    return [] if solution is None else [solution]


def joined(game: HiddenPath, found: Sequence[Solution], request: Request) -> Solution:
    """The best of several solutions, or of two of them together."""
    first = max(found, key=lambda solution: solution.bounds[0])
    second = min(found, key=lambda solution: solution.bounds[1])
    if first is second:
        return first
    proven = bounds_facts(Certificate(first.bounds[0], second.bounds[1]))
    secrets = (first.facts.secrets[0], second.facts.secrets[1])
    facts = facts_of(game, NAME, request, proven, secrets)
    return SidesSolution(game, facts, first, second)


class SidesMethod:
    """Proves anew what two other ways have found; it finds nothing by itself."""

    name = NAME

    def __init__(self, game: HiddenPath, ways: Sequence[Method]) -> None:
        self.game = game
        self._ways = {way.name: way for way in ways}

    def solve(self, request: Request) -> None:
        """Other ways come first."""

    def restore(self, facts: Facts, data: bytes) -> SidesSolution | None:
        kept = msgspec.msgpack.decode(data, type=list[tuple[Facts, bytes]])
        if len(kept) != 2 or any(part.method not in self._ways for part, _ in kept):
            raise ValueError("the plan of another game")
        one, two = (self._ways[part.method].restore(part, plan) for part, plan in kept)
        if one is None or two is None:
            return None
        if not confirms(facts, Certificate(one.bounds[0], two.bounds[1])):
            return None
        return SidesSolution(self.game, facts, one, two)
