"""The traps that turns leave behind, for a referee who sees only those that went off.

Such a referee need not ask whether both paths are walled off, since both never are. A trap lies
where somebody has moved on, so nobody is caught on the farthest square that anybody has reached;
whoever stands there has no trap ahead, and moves to a square on which nobody has been. So whoever
leads is not caught, and has a way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.games.tracks import with_item

if TYPE_CHECKING:
    from trapline.core import Form, Seat
    from trapline.games.trap_runner.game import State

NO_TRAP, SET_TRAP = "n", "t"


class TrapsLeft:
    answers: tuple[Form, Form] = (NO_TRAP, SET_TRAP)

    def __init__(self, length: int) -> None:
        self.places = range(1, length)

    def arrives(self, state: State, seat: Seat, answer: int) -> int | None:
        to = _start(state, seat) + answer
        return to if _doubted(state, seat) >> to & 1 else None

    def place(self, state: State, seat: Seat) -> int:
        return _start(state, seat)

    def contested(self, state: State, seat: Seat) -> bool:
        return bool(_doubted(state, seat) >> _start(state, seat) & 1)

    def lies(self, state: State, owner: Seat, place: int, finder: Seat | None = None) -> State:
        traps = with_item(state.traps, owner, state.traps[owner - 1] | 1 << place)
        found = state.found
        if finder is not None:
            found = with_item(found, finder, found[finder - 1] | 1 << place)
        return msgspec.structs.replace(state, traps=traps, found=found)

    def left(self, state: State, owner: Seat) -> frozenset[int]:
        return _places(state.traps[owner - 1])


def _start(state: State, seat: Seat) -> int:
    return 0 if state.returning[seat - 1] else state.positions[seat - 1]


def _doubted(state: State, seat: Seat) -> int:
    """Where by all that everybody has seen the other may have a trap that has not gone off."""
    return state.seen_doubt[seat - 1] & ~state.sprung[2 - seat]


def _places(bits: int) -> frozenset[int]:
    return frozenset(place for place in range(bits.bit_length()) if bits >> place & 1)
