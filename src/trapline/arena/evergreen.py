"""A test that stays fresh: variants that nobody has seen, drawn by a seed within stated bounds.

Each is small enough to be solved and to be asked through whole, takes a few choices of each player,
and is not decided before it begins. Which variants a seed draws depends on the rules alone, never
on how fast the machine is.
"""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import fields, replace

from trapline.arena.config import Config, ConfigError, Entry
from trapline.arena.estimate import typical
from trapline.core import OptionsError
from trapline.games import GAMES, changed_options, make_game
from trapline.measures.decisions import TooMany, all_decisions, count_ways
from trapline.players.perfect import solution_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game

MOST_WAYS = 5_000
"""In which a variant can go."""
DECISIONS = (8, 400)
"""Of one player, at least and at most."""
DEPTH = (1.5, 8.0)
"""Choices of one player in a match of random play, at least and at most."""
UNFAIR = 0.6
"""What best play may be worth to whoever moves first, one way or the other."""
TRIES = 4_000
"""Variants that are looked at before a draw is given up."""
ROUND = 4
"""Matches in which both players have sat in both seats and moved first from both."""


def fresh(config: Config, seed: int) -> Config:
    """The tournament on variants that this seed draws, told in a theme that it draws too."""
    if config.games:
        raise ConfigError("games: an evergreen test draws its games; leave them out of the file.")
    llm = replace(config.llm_settings, theme=seed)
    matches = -(-config.matches // ROUND) * ROUND
    entries = list(draw(seed, config.variants))
    return replace(config, games=entries, seed=seed, evergreen=seed, matches=matches, llm=llm)


def draw(seed: int, count: int) -> Iterator[Entry]:
    """So many different variants; the games take turns as long as they have any."""
    rng = Random(f"{seed} evergreen")  # noqa: S311 (a seed must reproduce it)
    seen: set[str] = set()
    kinds = list(GAMES.values())
    rng.shuffle(kinds)
    for number in range(TRIES):
        game = _some_variant(kinds[number % len(kinds)], rng)
        if game is None or not _suits(game):
            continue
        entry = Entry(game.name, changed_options(game))
        if entry.label not in seen:
            seen.add(entry.label)
            yield entry
        if len(seen) == count:
            return
    raise ConfigError(f"variants: only {len(seen)} were found within the bounds, not {count}.")


def _some_variant(kind: type[Game[Any]], rng: Random) -> Game[Any] | None:
    """Options drawn without knowing what they mean; None where they make no game."""
    options: dict[str, Any] = {}
    for field in fields(kind.options_type):
        known = kind.variants.get(field.name, ())
        if isinstance(field.default, bool):
            options[field.name] = rng.random() < 0.5
        elif isinstance(field.default, int):
            most = max([field.default, *known])
            options[field.name] = round(math.exp(rng.uniform(0.0, math.log(most))))
        elif known:
            options[field.name] = rng.choice(list(known))
    try:
        return make_game(kind, options)
    except OptionsError:
        return None


@lru_cache(maxsize=8192)
def _suits(game: Game[Any]) -> bool:
    """Whether a variant lies within the bounds; the quickest question first."""
    try:
        count_ways(game, 1, MOST_WAYS)
    except TooMany:
        return False
    if not DEPTH[0] <= typical(game).questions <= DEPTH[1]:
        return False
    solution = solution_of(game)
    if solution is None or abs(solution.value) / game.stake > UNFAIR:
        return False
    sizes = [len(decisions) for decisions in all_decisions(game).seats]
    return all(DECISIONS[0] <= size <= DECISIONS[1] for size in sizes)
