"""What the rules let a viewer know, by the naive referee and not by any View.

Two moments with the same knowledge must look the same; `trapline.testing` searches for a pair
that does not.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from tests import oracle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game, Move, Seat, Secret
    from trapline.match import Viewer
    from trapline.testing import Played


def knows(played: Played, viewer: Viewer) -> Any:
    """What `viewer` may know of a position that the search has reached."""
    return seen(*played, viewer)


def seen(
    game: Game[Any, Any],
    first: Seat,
    secrets: dict[Seat, Secret],
    turns: Sequence[tuple[Move, ...]],
    pending: tuple[Move, ...],
    viewer: Viewer,
) -> Any:
    """What `viewer` may know of this moment, by the naive referee."""
    own = secrets.get(viewer) if viewer is not None else None
    if game.secret is not None and len(secrets) < 2:
        return "choosing", viewer, first, own, tuple(sorted(secrets))
    positions = course(game, first, secrets, turns)
    if positions[-1].outcome is not None:
        return "over", viewer, first, tuple(sorted(secrets.items())), tuple(turns)
    known = [
        turn_seen(before, after, turn, viewer)
        for (before, after), turn in zip(itertools.pairwise(positions), turns, strict=True)
    ]
    now = positions[-1]
    if pending and now.mover == viewer:
        # The mover already knows where the open turn has landed.
        ahead = course(game, first, secrets, [*turns, pending])[-1]
        known.append((*pending, ahead.pieces[viewer - 1], ahead.sent_back[viewer - 1]))
    return viewer, first, own, tuple(known)


def turn_seen(
    before: oracle.Position, after: oracle.Position, turn: tuple[Move, ...], viewer: Viewer
) -> Any:
    """A turn as everybody sees it, and the hidden part for the one who made it."""
    mover = before.mover - 1
    caught = after.sent_back[mover] or before.traps[1 - mover] != after.traps[1 - mover]
    public = (before.mover, turn[0], after.pieces, caught)
    if viewer != before.mover:
        return public
    return *public, turn[1:] == ("t",), before.traps[mover] != after.traps[mover]


def course(
    game: Game[Any, Any],
    first: Seat,
    secrets: dict[Seat, Secret],
    turns: Sequence[tuple[Move, ...]],
) -> list[oracle.Position]:
    options = {
        field: list(value) if isinstance(value, tuple) else value
        for field in game.options.__struct_fields__
        for value in [getattr(game.options, field)]
    }
    noted = {int(seat): list(secret) for seat, secret in secrets.items()}
    setup, position = oracle.opening(game.name, options, first, noted)
    positions = [position]
    for turn in turns:
        move: Any = list(turn[0]) if isinstance(turn[0], tuple) else turn[0]
        following = oracle.after(setup, positions[-1], f"{move}t" if "t" in turn[1:] else move)
        assert following is not None
        positions.append(following)
    return positions


# --- every match -----------------------------------------------------------------------


def every_secret(game: Game[Any, Any]) -> Iterator[dict[Seat, Secret]]:
    if game.secret is None:
        yield {}
        return
    for one in game.secrets(1):
        for two in game.secrets(2):
            yield {1: one, 2: two}


def every_history(
    game: Game[Any, Any], first: Seat, secrets: dict[Seat, Secret]
) -> Iterator[tuple[list[tuple[Move, ...]], tuple[Move, ...]]]:
    """Every sequence of turns, and of turns with one still open."""

    def visit(
        state: Any, turns: list[tuple[Move, ...]], pending: tuple[Move, ...]
    ) -> Iterator[tuple[list[tuple[Move, ...]], tuple[Move, ...]]]:
        yield turns, pending
        for move in game.legal(state):
            after = game.apply(state, move)
            if after.turn > state.turn:
                yield from visit(after, [*turns, (*pending, move)], ())
            else:
                yield from visit(after, turns, (*pending, move))

    return visit(game.start(first, secrets), [], ())
