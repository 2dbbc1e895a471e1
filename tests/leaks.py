"""What the rules let a viewer know, by the naive referee and not by any View.

Two moments with the same knowledge must look the same; `trapline.testing` searches for a pair
that does not.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from tests import oracle
from trapline.core import SEATS, SECRET, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Form, Game, Viewer
    from trapline.testing import Played

Secrets = dict[Seat, Any]
Turn = tuple["Form", ...]


def knows(played: Played, viewer: Viewer) -> Any:
    """What `viewer` may know of a position that the search has reached."""
    return seen(played.game, played.first, *written(played), viewer)


def written(played: Played) -> tuple[Secrets, list[Turn], Turn]:
    """The secrets, the complete turns and the open one, as a record writes answers."""
    game, state = played.game, played.game.start(played.first)
    secrets: Secrets = {}
    turns: list[Turn] = []
    pending: Turn = ()
    for actor, value in played.steps:
        assert actor != 0  # chance has no part in the rulebooks
        question = game.question(state, actor)
        assert question is not None
        if question.asks == SECRET:
            secrets[actor] = question.record(value)
        else:
            pending = (*pending, question.record(value))
        now, state = state.turn, game.apply(state, actor, value)
        if state.turn > now:
            turns.append(pending)
            pending = ()
    return secrets, turns, pending


def seen(
    game: Game[Any],
    first: Seat,
    secrets: Secrets,
    turns: Sequence[Turn],
    pending: Turn,
    viewer: Viewer,
) -> Any:
    """What `viewer` may know of this moment, by the naive referee."""
    own = secrets.get(viewer) if viewer is not None else None
    if game.name in oracle.WITH_SECRETS and len(secrets) < 2:
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


def turn_seen(before: oracle.Position, after: oracle.Position, turn: Turn, viewer: Viewer) -> Any:
    """A turn as everybody sees it, and the hidden part for the one who made it."""
    mover = before.mover - 1
    caught = after.sent_back[mover] or before.traps[1 - mover] != after.traps[1 - mover]
    public = (before.mover, turn[0], after.pieces, caught)
    if viewer != before.mover:
        return public
    return *public, turn[1:] == ("t",), before.traps[mover] != after.traps[mover]


def course(
    game: Game[Any], first: Seat, secrets: Secrets, turns: Sequence[Turn]
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


def every_secret(game: Game[Any]) -> Iterator[Secrets]:
    if game.name not in oracle.WITH_SECRETS:
        yield {}
        return
    start = game.start(1)
    one, two = (
        [question.record(value) for value in question.values()]
        for seat in SEATS
        for question in [game.question(start, seat)]
        if question is not None
    )
    for pair in itertools.product(one, two):
        yield dict(zip(SEATS, pair, strict=True))


def every_history(
    game: Game[Any], first: Seat, secrets: Secrets
) -> Iterator[tuple[list[Turn], Turn]]:
    """Every sequence of turns, and of turns with one still open."""

    def visit(state: Any, turns: list[Turn], pending: Turn) -> Iterator[tuple[list[Turn], Turn]]:
        yield turns, pending
        question = game.question(state, state.mover) if state.outcome is None else None
        for value in question.values() if question is not None else ():
            assert question is not None
            turn = (*pending, question.record(value))
            after = game.apply(state, state.mover, value)
            if after.turn > state.turn:
                yield from visit(after, [*turns, turn], ())
            else:
                yield from visit(after, turns, turn)

    return visit(begun(game, first, secrets), [], ())


def begun(game: Game[Any], first: Seat, secrets: Secrets) -> Any:
    """The state in which the first turn begins."""
    state = game.start(first)
    for seat, secret in secrets.items():
        question = game.question(state, seat)
        assert question is not None
        state = game.apply(state, seat, question.value(secret))
    return state
