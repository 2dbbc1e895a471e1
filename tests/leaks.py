"""Search for leaks: what a viewer is shown must follow from what the rules let them see.

`seen` says what a viewer may know, from the naive referee's positions and not from any View.
Two moments with the same `seen` must look the same: the same View, legal moves, encoded
bytes, refusals and rendered text. `Watch` collects moments and complains about the first
pair that does not.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from tests import oracle
from trapline.adapters import telling
from trapline.core import SEATS, TraplineError
from trapline.match import Match
from trapline.terminal import boards
from trapline.words.boards import Names, describe
from trapline.words.phrases import phrases
from trapline.words.questions import question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Move, Seat, Secret
    from trapline.match import Viewer

NAMES: Names = {1: "Ann", 2: "Ben"}


class LeakFound(AssertionError):
    pass


class Watch:
    def __init__(self) -> None:
        self.shown: dict[Any, dict[str, Any]] = {}
        self.pairs = 0

    def look(self, match: Match, viewer: Viewer, known: Any) -> None:
        now = shown_to(match, viewer)
        before = self.shown.setdefault(known, now)
        if before is now:
            return
        self.pairs += 1
        for what, value in now.items():
            if before[what] != value:
                raise LeakFound(f"{what} tells {viewer or 'a spectator'}: {before[what]} | {value}")


def shown_to(match: Match, viewer: Viewer) -> dict[str, Any]:
    """Everything that reaches a viewer at this moment."""
    view = match.view(viewer)
    said = phrases(view, NAMES)
    sealed = dict.fromkeys(match.commitments, "0" * 64)
    text = [*said.welcome(), *said.account(sealed)]
    for width, glyphs in ((80, boards.UNICODE), (40, boards.ASCII)):
        text += [line.plain for line in boards.draw(view, NAMES, width, glyphs)]
    text += describe(view, NAMES, match.game.place)
    text += [question(view), *telling.position(view)]
    if view.to_move is not None:
        text += said.heading(view.to_move)
    return {
        "view": view,
        "legal": view.legal,
        "bytes": msgspec.json.encode(view),
        "text": "\n".join(text),
        "refusals": refusals(match, viewer),
        "commitments": [(key, len(value)) for key, value in match.commitments.items()],
    }


def refusals(match: Match, viewer: Viewer) -> list[str]:
    """The sentences that moves which are not allowed get, on a copy of the match."""
    if viewer is None or match.outcome is not None:
        return []
    sentences = []
    moves: list[Any] = [(0, 0), (9, 9)] if match.game.moves == "cell" else [0, 9, "t"]
    for move in moves:
        if move not in match.view(viewer).legal:
            try:
                match.fork().play(viewer, move)
            except TraplineError as error:
                sentences.append(str(error))
    return sentences


# --- what may be known ------------------------------------------------------------------


def seen(
    game: Game[Any, Any],
    first: Seat,
    secrets: dict[Seat, Secret],
    turns: list[tuple[Move, ...]],
    pending: tuple[Move, ...],
    viewer: Viewer,
) -> Any:
    """What `viewer` may know of this moment, by the naive referee."""
    positions = course(game, first, secrets, turns)
    if positions[-1].outcome is not None:
        return "over", viewer, first, tuple(sorted(secrets.items())), tuple(turns)
    own = secrets.get(viewer) if viewer is not None else None
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
    game: Game[Any, Any], first: Seat, secrets: dict[Seat, Secret], turns: list[tuple[Move, ...]]
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


# --- every moment of every match --------------------------------------------------------


def search_everything(game: Game[Any, Any], first: Seat, watch: Watch) -> int:
    """Watch every moment of every match; returns the number of moments."""
    moments = 0
    for secrets in every_secret(game):
        for turns, pending in every_history(game, first, secrets):
            match = Match(game, first)
            for seat, secret in secrets.items():
                match.choose_secret(seat, secret)
            for turn in [*turns, pending]:
                if turn and match.to_move is not None:
                    match.play(match.to_move, *turn)
            for viewer in (*SEATS, None):
                known = seen(game, first, secrets, turns, pending, viewer)
                watch.look(match, viewer, known)
            moments += 1
    return moments


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
