"""What the server does in a match whose secrets stay on the players' own devices."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import BY_SEAT, SEATS, NotNow
from trapline.referee.locked.match import LockedMatch
from trapline.server import catalogue, messages
from trapline.server.messages import Locked, Surroundings

if TYPE_CHECKING:
    from trapline.core import Game, Seat, Shape, Viewer
    from trapline.referee import Match

Marks = dict[str, tuple["Shape", ...]]
COMMANDS = (messages.Lock, messages.OpenPlace, messages.OpenRest)


def carry_out(
    match: Match, seat: Seat, command: messages.Lock | messages.OpenPlace | messages.OpenRest
) -> None:
    if not isinstance(match, LockedMatch):
        raise NotNow("In this match the referee keeps the secrets: choose yours as it is.")
    match command:
        case messages.Lock():
            match.lock(seat, command.locks)
        case messages.OpenPlace():
            match.open(seat, command.place, command.holds, command.salt)
        case messages.OpenRest():
            match.open_rest(seat, command.holds, command.salts)


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
    """For each place, the shapes that show its owner that something is hidden there."""
    start = game.start(first)
    question = game.question(start, seat)
    assert question is not None  # a locked match begins with secrets
    plain = _shapes(game, start, None)
    found: Marks = {}
    for place in question.answers:
        value = 1 << place.value if question.choose else place.value
        state = game.with_secrets(start, (value, value))
        drawn = _shapes(game, state, seat)
        found[place.text] = tuple(
            shape for shape in drawn if shape not in plain and shape.place is None
        )
    return found


def _shapes(game: Game[Any], state: Any, seat: Viewer) -> tuple[Shape, ...]:
    board = game.board(state, seat, False)
    return catalogue.drawn(type(game), board, BY_SEAT, seat).shapes
