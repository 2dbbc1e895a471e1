"""What a tournament will ask of language models, and what that may cost, before it is held.

Nobody knows how long matches between models are. They are taken to be as long as matches between
players who move at random, which a few matches of each game tell; the prompts of these matches are
the prompts that models will read. Strategies are counted with every decision there is: players
with firm habits come to fewer.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.arena.fixtures import Fixture
from trapline.contest import forced_answer, next_asked
from trapline.core import SEATS
from trapline.games import make_game
from trapline.measures.decisions import all_decisions
from trapline.players import is_model, uniform
from trapline.players.llm import prompt
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.arena.run import Task
    from trapline.core import Game
    from trapline.players.llm.settings import Settings

MATCHES = 8
"""How many matches of a game are looked at."""
LETTERS = 4
"""Of a prompt in each token, about."""
REPLY = 300
"""Tokens in a reply, where the settings have no limit."""


class Demand(msgspec.Struct, frozen=True):
    """What one model will be asked."""

    player: str
    requests: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    """None where its price is not known."""


class Estimate(msgspec.Struct, frozen=True):
    matches: int
    strategies: int
    requests: int
    cost: float | None
    """Of those models whose price is known; None where no price is."""
    demands: list[Demand]


class Typical(NamedTuple):
    """A match of a game, as one of its players is asked."""

    questions: float
    letters: float
    """In a prompt."""


def estimate(tasks: Iterable[Task]) -> Estimate:
    """Of what is not done yet."""
    asked: dict[str, tuple[float, float]] = {}
    settings: dict[str, Settings] = {}
    waiting = list(tasks)
    for task in waiting:
        game = make_game(task.game, task.options)
        for player in filter(is_model, task.players):
            count = typical(game).questions
            if not isinstance(task, Fixture):
                count = len(all_decisions(game).of(task.seat)) * task.samples
            requests, read = asked.get(player, (0.0, 0.0))
            asked[player] = requests + count, read + count * typical(game).letters / LETTERS
            if task.llm is not None:
                settings[player] = task.llm
    demands = [_demand(player, *sums, settings.get(player)) for player, sums in asked.items()]
    matches = sum(isinstance(task, Fixture) for task in waiting)
    known = [demand.cost for demand in demands if demand.cost is not None]
    return Estimate(
        matches,
        len(waiting) - matches,
        sum(demand.requests for demand in demands),
        sum(known) if known else None,
        demands,
    )


def _demand(player: str, requests: float, read: float, settings: Settings | None) -> Demand:
    written = requests * ((settings.max_tokens if settings else None) or REPLY)
    prices = settings.prices.get(player.partition(":")[2]) if settings else None
    cost = None if prices is None else (read * prices[0] + written * prices[1]) / 1e6
    return Demand(player, round(requests), round(read), round(written), cost)


@lru_cache(maxsize=64)
def typical(game: Game[Any]) -> Typical:
    questions, letters = 0, 0
    for number in range(MATCHES):
        rng = Random(f"estimate {number}")  # noqa: S311 (a look at the game)
        match = Match(game, SEATS[number % 2], rng=rng)
        while (seat := next_asked(match)) is not None:
            answer = forced_answer(match, seat)
            if answer is None:
                view = match.view(seat)
                questions += 1
                letters += sum(len(message["content"]) for message in prompt.question(game, view))
                answer = uniform.choose(view, rng)
            match.play(seat, answer)
    return Typical(questions / MATCHES / len(SEATS), letters / max(1, questions))
