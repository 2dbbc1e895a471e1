"""Hidden Path solved as a race: the method for what the public tree cannot hold."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.games.hidden_path.solving.exactly import prove_exactly
from trapline.games.hidden_path.solving.machine import RaceMachine
from trapline.games.hidden_path.solving.policy import RacePolicy
from trapline.games.hidden_path.solving.races import ITERATIONS, RaceBounds
from trapline.games.hidden_path.solving.training import bound_hidden_path
from trapline.solve import sentences
from trapline.solve.interface import (
    ROUNDING,
    Certificate,
    Facts,
    Solution,
    TooLarge,
    bounds_facts,
    confirms,
    ranked,
)
from trapline.solve.public import PublicMethod

if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Any

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Ranked, Request

PATIENCE = 120.0
"""Seconds after which more training is not worth waiting for, unless somebody asks for it."""
USUAL_TARGET = 1e-4
"""Whoever asks for this much gets all there is: the last digits come at once if they come."""
FEW_JOURNEYS = 1_000
"""With no more nodes of a runner's knowledge than this, the public tree takes seconds as well."""


class RaceSolution(Solution):
    def __init__(self, game: HiddenPath, facts: Facts, race: RaceBounds) -> None:
        super().__init__(game, facts)
        self.race = race
        self._rules = game

    @cached_property
    def policy(self) -> RacePolicy:
        return RacePolicy(self._rules, self.race)

    @property
    def final(self) -> bool:
        return self.exact or self.race.iterations >= ITERATIONS

    @cached_property
    def fraction(self) -> Fraction | None:
        """What both strategies prove in fractions, if it is the same."""
        if not self.exact:
            return None
        race = self.race
        lower = prove_exactly(race.journeys, race.first, moves_first=True)
        upper = prove_exactly(race.journeys, race.second, moves_first=False)
        return lower if lower == upper else None

    def machine(self, role: Seat) -> RaceMachine:
        proven = self.race.first if role == 1 else self.race.second
        secrets = list(map(self._rules.hiding.record, self._rules.hiding.values()))
        return RaceMachine(self.race.journeys, proven, secrets, role)

    def pack(self) -> bytes:
        return self.race.to_bytes()


class RaceMethod:
    """Right for Hidden Path alone: two runners who meet only in the count of their moves."""

    name = "race"

    def __init__(self, game: HiddenPath) -> None:
        self.game = game

    def solve(self, request: Request) -> Solution:
        """By blind strategies, or on the public tree where that is small and does better."""
        found = self._race(request)
        good = found.exact or found.exploitability <= request.target
        if good or request.late or len(found.race.journeys) > FEW_JOURNEYS:
            return found
        try:
            by_tree = PublicMethod(self.game, 1).solve(request)
        except TooLarge:
            return found
        return min(found, by_tree, key=lambda solution: solution.exploitability)

    def restore(self, facts: Facts, data: bytes) -> RaceSolution | None:
        race = RaceBounds.from_bytes(self.game, data)
        if not confirms(facts, Certificate(race.lower, race.upper)):
            return None
        return RaceSolution(self.game, facts, race)

    def _race(self, request: Request) -> RaceSolution:
        def tell(iterations: int, lower: float, upper: float) -> None:
            if request.progress is not None:
                request.progress(iterations, Certificate(lower, upper))

        seconds = PATIENCE
        if request.deadline is not None:
            seconds = request.deadline - time.monotonic()
        race = bound_hidden_path(
            self.game,
            width=2 * request.target if request.target > USUAL_TARGET else ROUNDING,
            seconds=seconds,
            progress=tell,
        )
        facts = bounds_facts(Certificate(race.lower, race.upper))
        policy = RacePolicy(self.game, race)
        one, two = (ranked(policy.secrets(role)) for role in SEATS)
        return RaceSolution(
            self.game,
            Facts(
                game=self.game.name,
                options=changed_options(self.game),
                first=1,
                method=self.name,
                seconds=request.seconds,
                sentence=self._sentence(facts, (one, two)),
                secrets=(one, two),
                **facts,
            ),
            race,
        )

    def _sentence(self, facts: dict[str, Any], secrets: tuple[Ranked, Ranked]) -> str:
        first = facts["value"] > 0
        named = {
            sentences.named(self.game.hiding, secret): chance
            for secret, chance in secrets[0 if first else 1]
        }
        hides = sentences.hides(first=first, secrets=named)
        if facts["exact"] and abs(facts["value"]) == 1:
            return sentences.certain(first=first) + hides
        return sentences.mixed(facts["bounds"]) + hides
