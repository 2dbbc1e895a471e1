"""Hidden Path solved as a race: the method for what the public tree cannot hold."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from trapline.core import SEATS
from trapline.games.hidden_path.solving.patience import PATIENCE, is_final
from trapline.games.hidden_path.solving.race.machine import RaceMachine
from trapline.games.hidden_path.solving.race.policy import RacePolicy
from trapline.games.hidden_path.solving.race.races import ITERATIONS, RaceBounds
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import (
    ROUNDING,
    Certificate,
    Facts,
    Solution,
    bounds_facts,
    confirms,
    ranked,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Request

USUAL_TARGET = 1e-4
"""Whoever asks for this much gets all there is: the last digits come at once if they come."""


class RaceSolution(Solution):
    looks = False

    def __init__(self, game: HiddenPath, facts: Facts, race: RaceBounds) -> None:
        super().__init__(game, facts)
        self.race = race
        self._rules = game

    @cached_property
    def policy(self) -> RacePolicy:
        return RacePolicy(self._rules, self.race)

    @property
    def final(self) -> bool:
        return is_final(self.facts) or self.race.iterations >= ITERATIONS

    @cached_property
    def fraction(self) -> Fraction | None:
        """What both strategies prove in fractions, if it is the same."""
        if not self.exact:
            return None
        from trapline.games.hidden_path.solving.race.exactly import prove_exactly

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
        self.journeys: int | None = None
        """How many nodes a runner's knowledge has, once that is known."""
        self.interrupted = False
        """Whether somebody has ended the search."""

    def restore(self, facts: Facts, data: bytes) -> RaceSolution | None:
        race = RaceBounds.from_bytes(self.game, data)
        if not confirms(facts, Certificate(race.lower, race.upper)):
            return None
        return RaceSolution(self.game, facts, race)

    def solve(self, request: Request) -> RaceSolution:
        # Training is compiled, which whoever loads a solution need not wait for.
        from trapline.games.hidden_path.solving.race.training import bound_hidden_path

        def tell(iterations: int, lower: float, upper: float) -> None:
            if request.progress is not None:
                request.progress(iterations, Certificate(lower, upper))

        seconds = PATIENCE
        if request.deadline is not None:
            seconds = request.deadline - time.monotonic()
        width = 2 * request.target if request.target > USUAL_TARGET else ROUNDING
        race = bound_hidden_path(
            self.game,
            width=width,
            seconds=seconds,
            progress=tell,
            checkpoint=request.checkpoint(self.name),
        )
        self.journeys = len(race.journeys)
        settled = race.iterations >= ITERATIONS or race.upper - race.lower <= width
        self.interrupted = not settled and race.seconds < seconds
        facts = bounds_facts(Certificate(race.lower, race.upper))
        policy = RacePolicy(self.game, race)
        one, two = (ranked(policy.secrets(role)) for role in SEATS)
        return RaceSolution(
            self.game,
            facts_of(self.game, self.name, request, facts, (one, two)),
            race,
        )
