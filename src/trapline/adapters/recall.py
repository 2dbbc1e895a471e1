"""Information states: all that a seat has seen and done, in order, as text and as numbers.

The text lists what the View's seat has heard. Its own answers to trap questions are in it too: a
trap that was tried is written down, and a question that leaves no trace was answered with no.

The numbers are the observation, and then one row for each turn up to the encoding's `horizon`:
the place moved to (one-hot), and 1s for a trap triggered, for a trap of one's own set in that
turn, and for one that failed because the other had a trap there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.core import Moved, Returned, TrapTried, Triggered
from trapline.notation import format_secret

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.adapters.encoding import Chosen, Encoding
    from trapline.core import AnyEvent, View

MARKS = 3
"""What a row says besides the place."""


def as_text(encoding: Encoding, view: View, chosen: Chosen = ()) -> str:
    parts = [f"player {view.seat}", f"first {view.first}"]
    if encoding.game.secret is not None:
        parts.append(f"secret {' '.join(map(str, view.secret or chosen)) or '-'}")
        parts.append("ready " + "".join("+" if ready else "-" for ready in view.ready))
    parts += [_told(event) for event in view.events]
    if view.asks is not None:
        parts.append(f"{view.asks}?")
    if view.outcome is not None:
        parts.append(f"{view.outcome.reason} {view.outcome.winner or 'draw'}")
        parts += [
            f"secret of {seat}: {format_secret(encoding.game, secret)}"
            for seat, secret in enumerate(view.secrets or (), 1)
            if secret
        ]
    return "; ".join(parts)


def size(encoding: Encoding) -> int:
    """How many numbers `as_numbers` gives."""
    return encoding.size + encoding.horizon * (encoding.places + MARKS)


def as_numbers(encoding: Encoding, view: View, chosen: Chosen = ()) -> NDArray[np.float32]:
    """Where a game has no turn limit, turns beyond the horizon have no place here."""
    log = np.zeros((encoding.horizon, encoding.places + MARKS), np.float32)
    row = -1
    for event in view.events:
        if isinstance(event, Moved):
            row += 1
            if row == encoding.horizon:
                break
            log[row, encoding.index(event.to)] = 1
        elif isinstance(event, Triggered):
            log[row, encoding.places] = 1
        elif isinstance(event, TrapTried):
            log[row, encoding.places + (1 if event.succeeded else 2)] = 1
    return np.concatenate([encoding.observe(view, chosen), log.ravel()])


def _told(event: AnyEvent) -> str:
    if isinstance(event, Moved):
        return f"{event.by}: {_place(event.start)} to {_place(event.to)}"
    if isinstance(event, Triggered):
        return f"{event.by} triggers {event.at}"
    if isinstance(event, Returned):
        return f"{event.by} returns"
    if isinstance(event, TrapTried):
        return f"{event.by} {'traps' if event.succeeded else 'finds a trap on'} {event.at}"
    return f"{event.by}: {type(event).__name__}"


def _place(place: int | tuple[int, int]) -> str:
    return f"{place[0]},{place[1]}" if isinstance(place, tuple) else str(place)
