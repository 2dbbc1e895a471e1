"""Matches that follow each other: players, series, rematches."""

from __future__ import annotations

import secrets
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, First, Seat, other
from trapline.players import STRENGTH, is_player
from trapline.referee import Match, Player, Series
from trapline.terminal.saves import new_match_id

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.terminal.saves import Saves

LONGEST_NAME = 24
AS_STRONG = "equal: "
"""What the name of a computer begins with that was chosen to be as strong as the learner."""


def make_player(text: str | None, seat: Seat) -> Player:
    """A computer opponent by its name, or a person by theirs."""
    if text is not None and text.startswith(AS_STRONG):
        level = make_player(text.removeprefix(AS_STRONG), seat)
        return Player(f"{AS_STRONG}{level.name}", bot=level.bot)
    if text is not None and is_player(text):
        strength = text.removeprefix(STRENGTH)
        return Player(text if strength == text else f"strength {strength}", bot=text)
    # In a locale that knows ASCII alone, other letters arrive as raw bytes.
    decoded = (text or "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    name = "".join(character for character in decoded if character.isprintable()).strip()
    return Player(name[:LONGEST_NAME] or f"Player {seat}")


def make_players(one: str | None, two: str | None) -> dict[Seat, Player]:
    return {1: make_player(one, 1), 2: make_player(two, 2)}


def rival_named(name: str | None, game: Game[Any], saves: Saves) -> str | None:
    """Who is meant: `equal` is a player of the strength that past matches tell of."""
    from trapline.players.learner import EQUAL, as_strong

    return f"{AS_STRONG}{as_strong(saves.all(), game.name)}" if name == EQUAL else name


def new_match(
    game: Game[Any],
    players: dict[Seat, Player],
    first: First | None,
    seed: int | None,
    series: Series | None,
) -> Match:
    seed = secrets.randbits(48) if seed is None else seed
    return Match(
        game,
        first,
        rng=Random(f"{seed} toss"),
        match_id=new_match_id(),
        players=_tell_apart(players),
        seed=seed,
        series=series,
    )


def _tell_apart(players: dict[Seat, Player]) -> dict[Seat, Player]:
    """Two of the same name get numbers."""
    if players[1].name != players[2].name:
        return players
    return {
        seat: Player(f"{player.name} {seat}", bot=player.bot) for seat, player in players.items()
    }


def next_in_series(match: Match) -> Match | None:
    """The game that follows a finished one in its series, unless that is decided."""
    following = match.series.following(match.outcome) if match.series is not None else None
    if following is None:
        return None
    seed = (match.seed or 0) + 1
    return new_match(match.game, match.players, other(match.first), seed, following)


def rematch(match: Match, saves: Saves, first: First | None = None) -> Match:
    """The same again with seats swapped; who was to be as strong as the learner still is."""
    swapped: dict[Seat, Player] = {
        seat: _renewed(_moved_to(match.players[other(seat)], seat), seat, match.game, saves)
        for seat in SEATS
    }
    series = match.series
    fresh = Series(series.best_of, 1, (0, 0)) if series is not None else None
    return new_match(match.game, swapped, first, (match.seed or 0) + 1, fresh)


def _moved_to(player: Player, seat: Seat) -> Player:
    """The same player on the other side of the table; a name that is only a number changes."""
    nameless = player.name == f"Player {other(seat)}"
    return Player(f"Player {seat}") if nameless and player.bot is None else player


def _renewed(player: Player, seat: Seat, game: Game[Any], saves: Saves) -> Player:
    """The same player as strong as was asked for, after one more match to tell it from."""
    if player.bot is None or not player.name.startswith(AS_STRONG):
        return player
    from trapline.players.learner import EQUAL

    return make_player(rival_named(EQUAL, game, saves), seat)


def score_after(match: Match) -> tuple[int, int]:
    """What both have won in the series of a match that is over."""
    return match.series.score_after(match.outcome) if match.series is not None else (0, 0)


def series_result(match: Match) -> list[str]:
    """How a series ended, in a sentence; nothing where it goes on, or where there is none."""
    if match.series is None or not match.series.decided_by(match.outcome):
        return []
    one, two = score_after(match)
    if one == two:
        return [f"The series ends level, {one}:{two}."]
    return [f"{match.players[1 if one > two else 2].name} wins the series, {one}:{two}."]
