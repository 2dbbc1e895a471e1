"""Information states: all that a seat has heard and answered, in order, as text and as numbers.

The text ends with the board, which may show what nobody was told.

`answered` are the seat's own actions, each with the number of events heard before it; a secret
need not be among them, since the View holds it.

The numbers are the observation, and then one row for each turn of a player: 1s for the actions
that the seat itself took in it, for who acted (I, they, chance), for each kind of event, for the
place it happened at, for a trap that could be set, and, where events are sentences, 16 bits that
tell one sentence from another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from trapline.core import (
    BY_SEAT,
    CHANCE,
    SECRET,
    Moved,
    Returned,
    Told,
    TrapTried,
    Triggered,
    Whispered,
    other,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from trapline.core import AnyEvent, View
    from trapline.core.events import Place
    from trapline.simulate.encoding import Encoding

Answered = tuple[tuple[int, int], ...]
"""Events heard before, and the action."""

KINDS: tuple[type[AnyEvent], ...] = (Moved, Triggered, Returned, TrapTried, Told, Whispered)
SENTENCE_BITS = 16
MARKS = 3 + len(KINDS) + 1 + SENTENCE_BITS
"""What a row says besides the actions and the place."""


def as_text(encoding: Encoding, view: View, chosen: int = 0, answered: Answered = ()) -> str:
    parts = [f"player {view.seat}", f"first {view.first}"]
    if encoding.at_once:
        parts.append("ready " + "".join("+" if ready else "-" for ready in view.ready))
    if encoding.secret_at:
        picked = encoding.picked(view, chosen)
        parts.append(", ".join(encoding.names[action] for action in picked) or "nothing chosen")
    for action, event in _in_order(encoding, view, answered):
        parts.append(f"answer {encoding.names[action]}" if event is None else _told(event))
    assert view.seat is not None  # spectators take no part
    for part, numbers in view.board.numbers(view.seat).items():
        if numbers:
            parts.append(f"{part} {' '.join(map(str, numbers))}")
    if view.asks is not None:
        parts.append(f"{view.asks}?")
    if view.outcome is not None:
        parts.append(f"{view.outcome.reason} {view.outcome.winner or 'draw'}")
        parts += [
            f"secret of {seat}: {_spoken(secret)}"
            for seat, secret in enumerate(view.secrets or (), 1)
            if secret is not None
        ]
    return "; ".join(parts)


def rows(encoding: Encoding) -> int:
    """How many turns the numbers have room for."""
    calm = encoding.alternates and not encoding.game.draws
    return encoding.horizon if calm else 2 * encoding.horizon


def size(encoding: Encoding) -> int:
    """How many numbers `as_numbers` gives."""
    return encoding.size + rows(encoding) * _width(encoding)


def as_numbers(
    encoding: Encoding, view: View, chosen: int = 0, answered: Answered = ()
) -> NDArray[np.float32]:
    """Where a game has no turn limit, turns beyond the horizon have no place here."""
    log = np.zeros((rows(encoding), _width(encoding)), np.float32)
    row = -1
    actor: int | None = None
    said: set[object] = set()
    for action, event in _in_order(encoding, view, answered):
        what = encoding.choices[action].asks if event is None else type(event)
        by = view.seat if event is None else event.by
        if by != actor or what in said:
            row, actor, said = row + 1, by, set()
            if row == len(log):
                break
            log[row, encoding.actions + (by != view.seat) + (by == 0)] = 1
        said.add(what)
        if event is None:
            log[row, action] = 1
        else:
            _write(encoding, event, log[row, encoding.actions + 3 :])
    return np.concatenate([encoding.observe(view, chosen), log.ravel()])


def _width(encoding: Encoding) -> int:
    return encoding.actions + MARKS + encoding.places


def _write(encoding: Encoding, event: AnyEvent, row: NDArray[np.float32]) -> None:
    if type(event) not in KINDS:
        return
    row[KINDS.index(type(event))] = 1
    marks = len(KINDS)
    if isinstance(event, TrapTried):
        row[marks] = event.succeeded
    if isinstance(event, (Told, Whispered)):
        number = crc32(event.text.encode())
        for bit in range(SENTENCE_BITS):
            row[marks + 1 + bit] = number >> bit & 1
    place = event.to if isinstance(event, Moved) else getattr(event, "at", None)
    if place is not None:
        row[marks + 1 + SENTENCE_BITS + encoding.board.index(place)] = 1


def _in_order(
    encoding: Encoding, view: View, answered: Answered
) -> Iterator[tuple[int, AnyEvent | None]]:
    """The seat's own actions and the events it heard: an event, or None and the action."""
    own = [(heard, a) for heard, a in answered if encoding.choices[a].asks != SECRET]
    for number, event in enumerate(view.events):
        while own and own[0][0] <= number:
            yield own.pop(0)[1], None
        yield -1, event
    for _, action in own:
        yield action, None


def _told(event: AnyEvent) -> str:
    if isinstance(event, Moved):
        return f"{event.by}: {_spoken(event.start)} to {_spoken(event.to)}"
    if isinstance(event, Triggered):
        return f"{event.by} triggers {_spoken(event.at)}"
    if isinstance(event, Returned):
        return f"{event.by} returns"
    if isinstance(event, TrapTried):
        return f"{event.by} {'traps' if event.succeeded else 'finds a trap on'} {event.at}"
    if isinstance(event, (Told, Whispered)):
        by, rival = "Chance", ""
        if event.by != CHANCE:
            by, rival = BY_SEAT[event.by], BY_SEAT[other(event.by)]
        return f"{event.by}: {event.text.replace('{by}', by).replace('{other}', rival)}"
    return f"{event.by}: {type(event).__name__}"


def _spoken(place: Place | str | tuple[int, ...]) -> str:
    return ",".join(map(str, place)) if isinstance(place, tuple) else str(place)
