"""Hidden Path solved as a race: the method for what the public tree cannot hold."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.notation import format_secret
from trapline.solve import solution as solutions
from trapline.solve import words
from trapline.solve.best_response import Certificate
from trapline.solve.hidden_path import bound_hidden_path
from trapline.solve.race_policy import RacePolicy
from trapline.solve.solution import Facts, Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Seat, Secret

PATIENCE = 120.0
"""Seconds after which more training is not worth waiting for, unless somebody asks for it."""
USUAL_TARGET = 1e-4
"""Whoever asks for this much gets all there is: the last digits come at once if they come."""


def solve_race(
    game: Any,
    target: float,
    time_limit: float | None,
    progress: Callable[[int, Certificate], None] | None,
) -> Solution:
    """The solution of Hidden Path by blind strategies; TooLarge where they cannot be listed."""
    begin = time.monotonic()

    def tell(iterations: int, lower: float, upper: float) -> None:
        if progress is not None:
            progress(iterations, Certificate(lower, upper))

    race = bound_hidden_path(
        game,
        width=2 * target if target > USUAL_TARGET else solutions.ROUNDING,
        seconds=PATIENCE if time_limit is None else time_limit,
        progress=tell,
    )
    facts = solutions.bounds_facts(Certificate(race.lower, race.upper))
    policy = RacePolicy(game, race)
    one, two = (solutions.ranked(policy.secrets(seat)) for seat in SEATS)
    return Solution(
        game,
        Facts(
            game=game.name,
            options=changed_options(game),
            secrets=(one, two),
            sentence=_sentence(game, facts, (one, two)),
            method="race",
            seconds=round(time.monotonic() - begin, 3),
            **facts,
        ),
        race=race,
    )


def _sentence(
    game: Any, facts: dict[str, Any], secrets: tuple[list[tuple[Secret, float]], ...]
) -> str:
    better: Seat = 1 if facts["value"] > 0 else 2
    named = {format_secret(game, secret): chance for secret, chance in secrets[better - 1]}
    if facts["exact"] and abs(facts["value"]) == 1:
        return words.certain(better) + words.hides(better, named)
    return words.mixed(facts["bounds"]) + words.hides(better, named)
