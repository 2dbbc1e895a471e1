"""What a tournament amounts to: scores, ratings, regrets, exploitabilities, and the bill."""

from __future__ import annotations

import math
from functools import reduce
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING

import msgspec

from trapline.arena import ratings
from trapline.arena.exploiting import Exploitability, exploitability
from trapline.arena.fixtures import Played, Unfinished
from trapline.arena.noise import Noise, noise
from trapline.arena.ratings import Rating
from trapline.arena.strategies import Strategy
from trapline.fairness import Score
from trapline.games import changed_options, make_game
from trapline.measures.decisions import all_decisions
from trapline.players.llm.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trapline.arena.config import Config, Entry
    from trapline.arena.results import Result


class Regret(msgspec.Struct, frozen=True):
    """What a choice cost on average, against the best one, on the scale from −1 to 1."""

    mean: float
    margin: float | None
    """Half the width of a 95% confidence interval; None where one match is all there is."""
    choices: int


class Standing(msgspec.Struct, frozen=True):
    player: str
    rating: Rating | None
    """None for whoever has not played a match: there is nothing to rank."""
    score: Score
    forfeits: int
    regret: Regret | None
    """Over all games that could be solved."""
    regrets: dict[str, Regret]
    exploitabilities: dict[str, Exploitability]
    noise: Noise
    spent: Spent | None


class Pair(msgspec.Struct, frozen=True):
    """The first player's results against the second."""

    one: str
    two: str
    score: Score


class Report(msgspec.Struct, frozen=True):
    games: list[str]
    seed: int
    played: int
    standings: list[Standing]
    """The highest rating first; who has not played stands last, without a place."""
    pairs: list[Pair]
    unfinished: list[Unfinished]
    refused: list[str]
    """Games in which no strategy could be sampled, and why."""
    evergreen: int | None = None
    """The seed that drew the games, if one did."""


def report(
    config: Config,
    results: Iterable[Result],
    unfinished: list[Unfinished],
    refused: list[str],
) -> Report:
    done = list(results)
    matches = [result for result in done if isinstance(result, Played)]
    strategies = [result for result in done if isinstance(result, Strategy)]
    rated = ratings.rate(config.players, [(m.one, m.two, m.winner) for m in matches], config.seed)
    standings = [
        _standing(config, player, rated[player], matches, strategies) for player in config.players
    ]
    standings.sort(key=lambda s: (s.rating is None, -s.rating.mean if s.rating else 0.0))
    order = [standing.player for standing in standings]
    pairs = [Pair(*pair, _score(pair[0], matches, pair[1])) for pair in combinations(order, 2)]
    labels = [entry.label for entry in config.games]
    seed = config.evergreen
    return Report(labels, config.seed, len(matches), standings, pairs, unfinished, refused, seed)


def _standing(
    config: Config,
    player: str,
    rating: Rating,
    matches: list[Played],
    strategies: list[Strategy],
) -> Standing:
    own = [match for match in matches if player in (match.one, match.two)]
    by_game = {entry.label: [m for m in own if _is_of(entry, m)] for entry in config.games}
    regrets = {label: _regret(player, of_game) for label, of_game in by_game.items()}
    samples = [strategy for strategy in strategies if strategy.player == player]
    asked: list[Result] = [*own, *samples]
    bills = [result.spent[player] for result in asked if player in result.spent]
    exploitabilities = dict(_exploitabilities(config, samples))
    return Standing(
        player,
        rating if own else None,
        _score(player, own),
        sum(m.forfeit is not None and m.winner != player for m in own),
        _regret(player, own),
        {label: regret for label, regret in regrets.items() if regret is not None},
        exploitabilities,
        _noise(player, own, samples, list(exploitabilities.values())),
        reduce(add, bills) if bills else None,
    )


def _noise(
    player: str, own: list[Played], samples: list[Strategy], found: list[Exploitability]
) -> Noise:
    stakes = [make_game(match.game, match.options).stake for match in own]
    results = [(1 + m.result(player) / stake) / 2 for m, stake in zip(own, stakes, strict=True)]
    solved = [(m, stake) for m, stake in zip(own, stakes, strict=True) if m.lost is not None]
    given_away = [sum(_costs(player, match)) / (2 * stake) for match, stake in solved]
    choices = sum(len(_costs(player, match)) for match in own)
    asked = sum(sum(counts.chosen) for strategy in samples for counts in strategy.decisions)
    return noise(
        results,
        given_away,
        found,
        playing=(_tokens(player, own), choices),
        asking=(_tokens(player, samples), asked),
    )


def _tokens(player: str, results: Sequence[Result]) -> int:
    bills = (result.spent[player] for result in results if player in result.spent)
    return sum(bill.tokens_in + bill.tokens_out for bill in bills)


def _is_of(entry: Entry, result: Result) -> bool:
    game = make_game(entry.game, entry.options)
    return (result.game, result.options) == (game.name, changed_options(game))


def _score(player: str, matches: Sequence[Played], rival: str | None = None) -> Score:
    between = [m for m in matches if player in (m.one, m.two) and rival in (None, m.one, m.two)]
    return reduce(add, (Score.of(match.result(player)) for match in between), Score())


def _regret(player: str, matches: Sequence[Played]) -> Regret | None:
    """The mean over choices. Choices of one match depend on each other, so the margin is that
    of a ratio of two sums over matches."""
    lost = [costs for m in matches if (costs := _costs(player, m))]
    choices = sum(map(len, lost))
    if not choices:
        return None
    mean = sum(map(sum, lost)) / choices
    count = len(lost)
    if count < 2:
        return Regret(mean, None, choices)
    spread = sum((sum(one) - mean * len(one)) ** 2 for one in lost) * count / (count - 1)
    return Regret(mean, 1.96 * math.sqrt(spread) / choices, choices)


def _costs(player: str, match: Played) -> list[float]:
    """What the choices of a match cost a player; giving up in it is the last of them."""
    if match.lost is None:
        return []
    forfeited = match.forfeit is not None and match.winner != player
    given_up = [match.forfeited] if forfeited and match.forfeited is not None else []
    return [*match.lost[player], *given_up]


def _exploitabilities(
    config: Config, strategies: list[Strategy]
) -> Iterable[tuple[str, Exploitability]]:
    for entry in config.games:
        own = {s.seat: s for s in strategies if _is_of(entry, s)}
        if len(own) == 2:
            known = all_decisions(make_game(entry.game, entry.options))
            yield entry.label, exploitability(known, (own[1], own[2]), config.seed)
