"""What the server does in a match in which what is hidden stays on the players' own devices."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import BY_SEAT, SEATS, NotNow, other
from trapline.referee.locked.match import LockedMatch
from trapline.referee.locked.secrets import LockedSecrets
from trapline.referee.locked.turns.match import LockedTurns
from trapline.server import catalogue, messages
from trapline.server.messages import Locked, Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Seat, Shape, Viewer
    from trapline.referee import Match

Marks = dict[str, tuple["Shape", ...]]
COMMANDS = (
    messages.Lock,
    messages.Give,
    messages.OpenPlace,
    messages.OpenRest,
    messages.OpenSeed,
)


def carry_out(match: Match, seat: Seat, command: messages.AnyCommand) -> None:
    """What a device says."""
    match match, command:
        case LockedSecrets(), messages.Lock(locks):
            match.lock(seat, locks)
        case LockedSecrets(), messages.OpenRest(holds, salts):
            match.open_rest(seat, holds, salts)
        case LockedTurns(), messages.Lock(locks, asks):
            match.lock(seat, locks, asks)
        case LockedTurns(), messages.Give(gives):
            match.give(seat, gives)
        case LockedTurns(), messages.OpenSeed(seed):
            match.open_seed(seat, seed)
        case ((LockedSecrets() | LockedTurns()), messages.OpenPlace(place, holds, salt)):
            match.open(seat, place, holds, salt)
        case LockedMatch(), _:
            raise NotNow("In this match devices have something else to say.")
        case _:
            raise NotNow("In this match the referee keeps the secrets: choose yours as it is.")


def wrong_openings(match: Match, seat: Seat) -> int:
    """How often a player's device has said what opens nothing."""
    refused = match.evidence.refused if isinstance(match, LockedMatch) else []
    return sum(one.seat == seat for one in refused)


def is_opening(match: Match) -> bool:
    """Whether it is devices that everybody waits for, and not players."""
    return isinstance(match, LockedMatch) and bool(match.awaited or match.opening)


def shown(match: Match) -> Locked | None:
    """What everybody sees of it."""
    if not isinstance(match, LockedMatch):
        return None
    during = tuple(one for one in match.evidence.opened if one.turn is not None)
    most = match.game.places_a_move
    return Locked(match.awaited, during, match.decided, match.opening, most)


def with_marks(around: dict[Viewer, Surroundings], match: Match) -> dict[Viewer, Surroundings]:
    """Players are told how to draw what only their own device knows."""
    for seat in SEATS:
        locked = around[seat].locked
        if locked is not None:
            marked = msgspec.structs.replace(locked, marks=marks(match.game, match.first, seat))
            around[seat] = msgspec.structs.replace(around[seat], locked=marked)
    return around


@lru_cache(maxsize=64)
def marks(game: Game[Any], first: Seat, seat: Seat) -> Marks:
    """For each place, the shapes that show its owner that something is hidden there; and those
    that show what was found of the other's, under names such as "found 4"."""
    start = game.start(first)
    plain = _shapes(game, start, None)
    return {
        place: tuple(
            shape
            for shape in _shapes(game, state, seat)
            if shape not in plain and shape.place is None
        )
        for place, state in _hiding(game, start, seat)
    }


def _hiding(game: Game[Any], start: Any, seat: Seat) -> Iterator[tuple[str, Any]]:
    """States in which something is hidden at one place."""
    leaving = game.leaving()
    if leaving is not None:
        for place in leaving.places:
            yield str(place), leaving.lies(start, seat, place)
            yield f"found {place}", leaving.lies(start, other(seat), place, seat)
        return
    question = game.question(start, seat)
    assert question is not None  # a locked match begins with secrets, or leaves something behind
    for answer in question.answers:
        value = 1 << answer.value if question.choose else answer.value
        yield answer.text, game.with_secrets(start, (value, value))


def _shapes(game: Game[Any], state: Any, seat: Viewer) -> tuple[Shape, ...]:
    board = game.board(state, seat, False)
    return catalogue.drawn(type(game), board, BY_SEAT, seat).shapes
