"""What a viewer is sent of a match: its View, every sentence about it, and its picture."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import BY_SEAT, CHANCE, SECRET
from trapline.referee import Walk
from trapline.referee.verify import hidden_answers
from trapline.server import catalogue
from trapline.server.messages import Frame, Frames, Said, Seal, Shown, State, Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import AnyEvent, Board, Game, Names, Question, Seat, View, Viewer, Words
    from trapline.core import State as GameState
    from trapline.referee import Match, Step

    Lines = list[tuple[str, ...]]
    """What was said of each event."""
    Turn = tuple[Seat | None, GameState, int]
    """By whom, the state after it, and how many events there were by then."""

NO_ANSWERS = b"[]}"
"""How a state ends that settles no command."""
MOST_FRAMES = 500
"""Turns that a replay shows: options allow matches without end."""


def names(match: Match) -> Names:
    """What players are called in sentences: a program is the computer, whichever it is."""
    return {
        seat: "Computer" if player.bot else player.name for seat, player in match.players.items()
    }


_fields = attrgetter(*Shown.__struct_fields__)
_QUESTION = Shown.__struct_fields__.index("question")
_known: dict[int, tuple[Question, msgspec.Raw, Any]] = {}
MOST_KNOWN = 2048
"""Questions that are kept as they are sent."""


def shown(view: View) -> Shown:
    """A View as it is sent."""
    return Shown(*_fields(view))


def said(words: Words, told: Lines) -> Said:
    """Every sentence about a View; `told` are the lines of its events."""
    view = words.view
    asked = view.question is not None and view.seat is not None
    heads = asked and view.asks != SECRET
    return Said(
        welcome=words.welcome(),
        heading=words.heading(view.seat) if heads else [],  # type: ignore[arg-type]  # who is asked has a seat
        prompt=words.prompt(view.seat).strip() if asked else None,  # type: ignore[arg-type]  # likewise
        told=tuple(told),
        ending=words.ending(view.outcome) if view.outcome else [],
        board=described(view.board, words.names[1], words.names[2], words.game.place),
    )


@lru_cache(maxsize=2048)
def described(board: Board, one: str, two: str, place: str) -> list[str]:
    """A board in sentences, which are the same for all who see the same."""
    return board.words({1: one, 2: two}, place)


def tell(words: Words, told: Lines) -> None:
    """Add the lines of the events that `told` does not hold yet.

    The last event is told again: how it is said may depend on what follows it.
    """
    events = words.view.events
    begin = max(0, len(told) - 1)
    followers = (*events[begin + 1 :], None)
    told[begin:] = [
        tuple(words.say(event, following))
        for event, following in zip(events[begin:], followers, strict=False)
    ]


def whole(match_id: str, version: int, view: View, around: Surroundings) -> State:
    """All that a program is sent which has seen nothing yet: no words, no picture."""
    return State(match_id, version, 0, shown(view), around, None, None)


def slim(match_id: str, version: int, since: int, view: View, table: msgspec.Raw) -> State:
    """The same to be encoded at once, with what is encoded already."""
    question = view.question
    if question is None:
        sent = Shown(*(*msgspec.structs.astuple(view), None, ()))
    else:
        fields = [*msgspec.structs.astuple(view)]
        fields[_QUESTION], legal = _encoded(question)
        sent = Shown(*(*fields, question.asks, legal))
    return State(match_id, version, since, sent, table, None, None)  # type: ignore[arg-type]  # it is encoded


def _encoded(question: Question) -> tuple[msgspec.Raw, Any]:
    """A question and its answers as they are sent: games ask the very same again and again.

    What is known keeps its question alive, so that no other has the same id.
    """
    known = _known.get(id(question))
    if known is None:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        raw, legal = (msgspec.Raw(msgspec.json.encode(part)) for part in (question, question.legal))
        known = _known[id(question)] = question, raw, legal
    return known[1], known[2]


def asking_for_secret(around: Surroundings, words: Words) -> Surroundings:
    """The same for older clients, where a secret is asked for."""
    question = words.view.question
    if question is None or question.asks != SECRET:
        return around
    return msgspec.structs.replace(
        around,
        secret_hint=words.wanted(),
        secret_places=tuple(
            answer.value if answer.place is None else answer.place for answer in question.answers
        ),
        secret_count=question.choose or 1,
    )


def with_answers(frame: bytes, keys: list[str]) -> bytes:
    """A state that is encoded already, with the keys of the commands that it settles."""
    return frame[: -len(NO_ANSWERS)] + msgspec.json.encode(keys) + b"}"


def with_words(state: State, words: Words, told: Lines) -> State:
    """The same for people."""
    names, view = words.names, words.view
    picture = drawn(type(words.game), view.board, names[1], names[2], view.seat)
    return msgspec.structs.replace(state, words=said(words, told), picture=picture)


@lru_cache(maxsize=2048)
def drawn(game: type[Game[Any]], board: Board, one: str, two: str, viewer: Viewer) -> Any:
    """A board as shapes, ready to be sent: drawing one takes longer than a move."""
    return msgspec.Raw(msgspec.json.encode(catalogue.drawn(game, board, {1: one, 2: two}, viewer)))


def heard_by(marks: list[int], since: int) -> int | None:
    """How many events were heard at a version; None for one after which all are to be told."""
    if not 0 < since < len(marks) or marks[since] < 0:
        return None
    return marks[since]


def cut(state: State, marks: list[int], since: int, answers: tuple[str, ...]) -> State:
    """A whole state without the events that were heard up to version `since`."""
    heard = heard_by(marks, since)
    if heard is None:
        return msgspec.structs.replace(state, answers=answers)
    view = msgspec.structs.replace(state.view, events=state.view.events[heard:])
    words = state.words
    if words is not None:
        words = msgspec.structs.replace(words, told=words.told[heard:])
    return msgspec.structs.replace(state, since=since, view=view, words=words, answers=answers)


def frames(match: Match) -> Frames:
    """A finished match turn by turn, with everything shown, and what was sealed in it."""
    record = match.record()
    walk = Walk(record)
    steps = list(walk.steps())
    called = names(match)
    seals = [
        Seal(hidden.key, _named(hidden.what, called), hidden.seat, hidden.subject, hidden.value)
        for hidden in hidden_answers(record, steps)
    ]
    return Frames(_frames(match, walk.start, steps, called), seals)


def _named(what: str, called: Names) -> str:
    for seat, name in BY_SEAT.items():
        what = what.replace(name, called[seat])
    return what


def _frames(match: Match, before: GameState, steps: list[Step], called: Names) -> list[Frame]:
    """The match before its first turn and after each."""
    game = match.game
    events: list[AnyEvent] = []
    turns: list[Turn] = []
    by: Seat | None = None
    for step in steps:
        if step.turn >= 0 and not turns:
            turns.append((None, before, len(events)))
        value = step.question.value(step.answer)
        happened = game.events(step.before, step.seat, value, step.after)
        events += [event for event in happened if not event.private]
        if step.seat != CHANCE:
            by = step.seat if step.before.mover else None
        if step.after.turn > step.before.turn:
            turns.append((by, step.after, len(events)))
        before = step.after
    turns = turns or [(None, before, len(events))]
    return list(_framed(match, tuple(events), turns, called))


def _framed(
    match: Match, events: tuple[AnyEvent, ...], turns: list[Turn], called: Names
) -> Iterator[Frame]:
    game, over = match.game, match.view(None)
    told = game.words(game, msgspec.structs.replace(over, events=events), called).told({})
    begin = turns[-MOST_FRAMES - 1][2] if len(turns) > MOST_FRAMES else 0
    for by, state, end in turns[-MOST_FRAMES:]:
        board = match.board_at(state)
        lines = [line for said in told[begin:end] for line in said]
        picture = drawn(type(game), board, called[1], called[2], None)
        words = board.words(called, game.place)
        yield Frame(state.turn, by, lines, picture, words, events[begin:end])
        begin = end
