"""What a viewer is sent of a match: its View, every sentence about it, and its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import CHANCE, SECRET
from trapline.referee import Walk
from trapline.server.messages import Frame, Said, Shown, State, Surroundings

if TYPE_CHECKING:
    from trapline.core import AnyEvent, Game, Names, Seat, View
    from trapline.referee import Match

MOST_FRAMES = 500
"""Turns that a replay shows: options allow matches without end."""


def shown(view: View) -> Shown:
    """A View as it is sent."""
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    return Shown(**fields, asks=view.asks, legal=view.legal)


def said(game: Game[Any], view: View, names: Names) -> Said:
    words = game.words(game, view, names)
    asked = view.question is not None and view.seat is not None
    heads = asked and view.asks != SECRET
    return Said(
        welcome=words.welcome(),
        heading=words.heading(view.seat) if heads else [],  # type: ignore[arg-type]
        prompt=words.prompt(view.seat).strip() if asked else None,  # type: ignore[arg-type]
        told=words.told({}),
        ending=words.ending(view.outcome) if view.outcome else [],
        board=view.board.words(names, game.place),
    )


def whole(
    game: Game[Any], match_id: str, version: int, view: View, around: Surroundings, names: Names
) -> State:
    """All that a viewer is sent who has seen nothing yet."""
    if view.asks == SECRET and view.question is not None:  # for older clients
        around = msgspec.structs.replace(
            around,
            secret_hint=game.words(game, view, names).wanted(),
            secret_places=tuple(answer.place or answer.value for answer in view.question.answers),
            secret_count=view.question.choose or 1,
        )
    picture = view.board.picture(names, view.seat)
    return State(
        match_id, version, 0, shown(view), around, said(game, view, names), picture
    )


def cut(state: State, marks: list[int], since: int, answers: tuple[str, ...]) -> State:
    """A whole state without the events that were heard up to version `since`."""
    if not 0 < since < len(marks):
        return msgspec.structs.replace(state, answers=answers)
    heard = marks[since]
    view = msgspec.structs.replace(state.view, events=state.view.events[heard:])
    words = msgspec.structs.replace(state.words, told=state.words.told[heard:])
    return msgspec.structs.replace(state, since=since, view=view, words=words, answers=answers)


def frames(match: Match) -> list[Frame]:
    """A finished match before its first turn and after each, with everything shown."""
    game = match.game
    names: Names = {seat: player.name for seat, player in match.players.items()}
    walk = Walk(match.record())
    events: list[AnyEvent] = []
    kept: list[tuple[int, Seat | None, int, Any]] = []  # turn, by, events so far, state
    turn, state, by = 0, walk.state, None
    for step in walk.steps():
        if step.turn >= 0 and not kept:
            kept.append((0, None, len(events), state))
        value = step.question.value(step.answer)
        happened = game.events(step.before, step.seat, value, step.after)
        events += [event for event in happened if not event.private]
        state = step.after
        if step.seat != CHANCE and step.turn >= 0:
            by = step.before.mover or None
        if state.turn > turn:
            turn = state.turn
            kept.append((turn, by, len(events), state))
    if not kept:
        kept.append((0, None, len(events), state))
    told = game.words(game, msgspec.structs.replace(match.view(None), events=tuple(events)), names)
    lines = told.told({})
    begins = [0, *(end for _, _, end, _ in kept)]
    return [
        _frame(game, names, entry, [line for said in lines[start : entry[2]] for line in said])
        for start, entry in list(zip(begins, kept, strict=False))[-MOST_FRAMES - 1 :]
    ]


def _frame(game: Game[Any], names: Names, entry: tuple[Any, ...], told: list[str]) -> Frame:
    turn, by, _, state = entry
    board = game.board(state, None, True)
    return Frame(turn, by, told, board.picture(names, None), board.words(names, game.place))
