"""A match between programs: the referee asks, the players answer, nobody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from trapline.core import SEATS, Forfeit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from trapline.core import Move, Seat, Secret, View
    from trapline.match import Match
    from trapline.players import Choose

    Chance = Callable[[View], Random]
    """The source of chance for one decision."""


def play_out(match: Match, choose: Mapping[Seat, Choose], chance: Chance) -> Forfeit | None:
    """Play a match to its end; a player without a usable answer resigns, and is returned as why."""
    while match.outcome is None:
        seat = next_to_act(match)
        view = match.view(seat)
        try:
            choice = choose[seat](view, chance(view))
        except Forfeit as forfeit:
            match.resign(seat)
            return forfeit
        act(match, seat, choice)
    return None


def next_to_act(match: Match) -> Seat:
    """Whom the referee asks now: secrets first, then whoever is to move."""
    for seat in SEATS:
        if match.view(seat).asks == "secret":
            return seat
    return cast("Seat", match.to_move)


def act(match: Match, seat: Seat, choice: Move | Secret) -> None:
    """Hand a player's answer to the referee."""
    if match.view(seat).asks == "secret":
        match.choose_secret(seat, cast("Secret", choice))
    else:
        match.play(seat, cast("Move", choice))
