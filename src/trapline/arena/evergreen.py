"""A test that stays fresh: variants that nobody has seen, drawn by a seed within stated bounds.

Each is small enough to be solved and to be asked through whole, takes a few choices of each player,
and is won neither by sitting in the right seat nor by playing anything. That best play may
decide it is no fault: the two sides of a pair change seats. Which variants a seed draws depends on
the rules alone, never on how fast the machine is.
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
from trapline.measures.exploiting import plan
from trapline.measures.policies import uniform
from trapline.players.perfect import solution_of

if TYPE_CHECKING:
    from trapline.core import Game

MOST_WAYS = 12_000
"""In which a variant can go."""
DECISIONS = (8, 500)
"""Of one player, at least and at most."""
DEPTH = (1.5, 8.0)
"""Choices of one player in a match of random play, at least and at most."""
UNEVEN = 0.6
"""What moving first may be worth, one way or the other, where both play at random."""
SKILL = 0.3
"""What best play must gain over random play, in either seat, where the other plays at random."""
TRIES = 2_000
"""Variants of one game that are looked at before it is given up."""
ROUND = 4
"""Matches in which both players have sat in both seats and moved first from both."""


def fresh(config: Config, seed: int) -> Config:
    """The tournament on variants that this seed draws, told in a theme that it draws too."""
    if config.games:
        raise ConfigError("games: an evergreen test draws its games; leave them out of the file.")
    llm = replace(config.llm_settings, theme=seed)
    matches = -(-config.matches // ROUND) * ROUND
    entries = draw(seed, config.variants)
    return replace(config, games=entries, seed=seed, evergreen=seed, matches=matches, llm=llm)


def draw(seed: int, count: int) -> list[Entry]:
    """So many different variants; the games take turns as long as they have any."""
    rng = Random(f"{seed} evergreen")  # noqa: S311 (a seed must reproduce it)
    drawn: dict[str, Entry] = {}
    kinds = list(GAMES.values())
    rng.shuffle(kinds)
    while len(drawn) < count and kinds:
        kind = kinds.pop(0)
        entry = _another(kind, rng, drawn)
        if entry is not None:
            drawn[entry.label] = entry
            kinds.append(kind)
    if len(drawn) < count:
        raise ConfigError(f"variants: only {len(drawn)} were found within the bounds, not {count}.")
    return list(drawn.values())


def _another(kind: type[Game[Any]], rng: Random, drawn: dict[str, Entry]) -> Entry | None:
    """A variant within the bounds that was not drawn yet; None where none is found."""
    for _ in range(TRIES):
        game = _some_variant(kind, rng)
        if game is None or not _suits(game):
            continue
        entry = Entry(game.name, changed_options(game))
        if entry.label not in drawn:
            return entry
    return None


def _some_variant(kind: type[Game[Any]], rng: Random) -> Game[Any] | None:
    """Options drawn without knowing what they mean; None where they make no game."""
    options: dict[str, Any] = {}
    for field in fields(kind.options_type):
        known = kind.variants.get(field.name, ())
        if isinstance(field.default, bool):
            options[field.name] = rng.random() < 0.5
        elif isinstance(field.default, int):
            options[field.name] = _some_number(max([field.default, *known]), rng)
        elif isinstance(field.default, tuple):
            most = max(field.default, default=1)
            numbers = {_some_number(most, rng) for _ in field.default if rng.random() < 0.5}
            options[field.name] = sorted(numbers)
        elif known:
            options[field.name] = rng.choice(list(known))
    try:
        return make_game(kind, options)
    except OptionsError:
        return None


def _some_number(most: int, rng: Random) -> int:
    """Small ones as often as large ones."""
    return round(math.exp(rng.uniform(0.0, math.log(most))))


@lru_cache(maxsize=8192)
def _suits(game: Game[Any]) -> bool:
    """Whether a variant lies within the bounds; the quickest question first."""
    try:
        count_ways(game, 1, MOST_WAYS)
    except TooMany:
        return False
    if not DEPTH[0] <= typical(game).questions <= DEPTH[1]:
        return False
    known = all_decisions(game)
    if not all(DECISIONS[0] <= len(seat) <= DECISIONS[1] for seat in known.seats):
        return False
    even, *gains = worth_of_skill(game)
    return abs(even) <= UNEVEN and min(gains) >= SKILL and solution_of(game) is not None


def worth_of_skill(game: Game[Any]) -> tuple[float, float, float]:
    """What a match of random play is worth to who moves first, and what each seat gains in it by
    best play instead, as parts of what can be won."""
    known = all_decisions(game)
    one, two = plan(known, 1, uniform), plan(known, 2, uniform)
    even = known.worth(one, two)
    first = known.worth(known.best_response(1, two), two) - even
    second = even - known.worth(one, known.best_response(2, one))
    return even / game.stake, first / game.stake, second / game.stake
