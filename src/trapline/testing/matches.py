"""Positions of a match under this project's referee, and what the rules let players know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import PRIVATE_EVENTS, SEATS, TraplineError
from trapline.match import Match
from trapline.terminal import boards
from trapline.words.boards import Names, describe
from trapline.words.phrases import phrases
from trapline.words.questions import question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from trapline.core import Game, Move, Seat, Secret
    from trapline.match import Viewer

NAMES: Names = {1: "Ann", 2: "Ben"}


class Played(NamedTuple):
    """What `knows` is given: everything that was chosen, and no View of it."""

    game: Game[Any, Any]
    first: Seat
    secrets: dict[Seat, Secret]
    turns: tuple[tuple[Move, ...], ...] = ()
    pending: tuple[Move, ...] = ()
    """The moves of a turn that is not complete."""


class MatchWorld:
    viewers: Sequence[Viewer] = (*SEATS, None)
    visible = True

    def __init__(self, match: Match, state: Played) -> None:
        self.match = match
        self.state = state
        self.label = f"Player {state.first} moves first"

    @property
    def actor(self) -> Seat | None:
        if self.match.ready:
            return self.match.to_move
        return next(seat for seat in SEATS if seat not in self.state.secrets)

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    def actions(self) -> Sequence[Any]:
        actor = self.actor
        assert actor is not None  # the match goes on
        if not self.match.ready:
            return list(self.state.game.secrets(actor))
        return self.match.view(actor).legal

    def draw(self, rng: Random) -> Any:
        actor = self.actor
        if not self.match.ready and actor is not None:
            return self.state.game.random_secret(actor, rng)
        return rng.choice(self.actions())

    def after(self, action: Any) -> MatchWorld:
        actor, state, match = self.actor, self.state, self.match.fork()
        assert actor is not None  # the match goes on
        if not match.ready:
            match.choose_secret(actor, action)
            return MatchWorld(match, state._replace(secrets={**state.secrets, actor: action}))
        before = match.view(None).turn
        match.play(actor, action)
        pending = (*state.pending, action)
        if match.view(None).turn > before:
            return MatchWorld(match, state._replace(turns=(*state.turns, pending), pending=()))
        return MatchWorld(match, state._replace(pending=pending))

    def shown(self, viewer: Viewer) -> dict[str, Any]:
        return shown_to(self.match, viewer)

    def information(self, viewer: Viewer) -> Any:
        return msgspec.json.encode(self.match.view(viewer))


def starts(game: Game[Any, Any]) -> list[MatchWorld]:
    return [MatchWorld(Match(game, first), Played(game, first, {})) for first in SEATS]


# --- what reaches a viewer --------------------------------------------------------------


def shown_to(match: Match, viewer: Viewer) -> dict[str, Any]:
    """Everything that reaches a viewer at this moment."""
    view = match.view(viewer)
    said = phrases(view, NAMES)
    sealed = dict.fromkeys(match.commitments, "0" * 64)
    text = [*said.welcome(), *said.account(sealed)]
    for width, glyphs in ((80, boards.UNICODE), (40, boards.ASCII)):
        text += [line.plain for line in boards.draw(view, NAMES, width, glyphs)]
    text += [*describe(view, NAMES, match.game.place), question(view)]
    if view.to_move is not None:
        text += said.heading(view.to_move)
    return {
        "View": view,
        "legal moves": view.legal,
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


# --- what the rules let a viewer know ---------------------------------------------------


def heard(played: Played, viewer: Viewer) -> Any:
    """A viewer's own secret and moves, and the events of the game that are not private.

    It is worked out from the rules and not from the referee; a game whose events tell too much
    is beyond it, and needs a `knows` of its own.
    """
    game, secrets = played.game, played.secrets
    chosen = tuple(seat in secrets for seat in SEATS)
    own = secrets.get(viewer) if viewer is not None else None
    known: list[Any] = [viewer, played.first, chosen, own]
    if game.secret is not None and not all(chosen):
        return known
    state = game.start(played.first, secrets)
    for turn in [*played.turns, played.pending]:
        mover, complete = state.mover, turn is not played.pending
        for move in turn:
            after = game.apply(state, move)
            if viewer == mover:
                known += [move, *game.events(state, move, after)]
            elif complete:
                events = game.events(state, move, after)
                known += [event for event in events if not isinstance(event, PRIVATE_EVENTS)]
            state = after
    return known
