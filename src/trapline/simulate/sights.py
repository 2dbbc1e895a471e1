"""What a seat sees of every lane, as numbers: the vector that `encoding` makes of a View.

The text below the line goes into each game's module after that of `kernels`. Like a View the
vector is built up from nothing: what is not written here, no seat sees. A row is written by
`mark_place`, `mark_places` and `mark_share` alone, which know the forms of `forms`: an array of
float32 or uint8 has a number for each feature, one of uint64 a bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from trapline.simulate.kernels import (
    ASKS,
    CHOOSE,
    CHOSEN,
    COUNT,
    FIRST,
    HIDDEN,
    IN_A_ROW,
    KIND,
    SECRET,
    SECRET_ASKS,
    TO_ACT,
    inlined,
    kept,
    step_all,
)

# What stands for each game in its own module.
board: Any = None
load: Any = None
positions: Any = None
question: Any = None

# ----------------------------------------------------------------------------------------

BLOCK = 1024
"""So many lanes are stepped and then looked at: few enough to stay in the processor's cache."""


# --- rows: an array, and where in it a part begins --------------------------------------


def mark_place(row: Any, at: Any) -> None:
    row[0][row[1] + at] = 1


@overload(mark_place, strict=False)
def _mark(row: Any, at: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if row[0].dtype == types.uint64:

        def one_bit(row: Any, at: Any) -> None:
            place = np.uint64(row[1] + at)
            row[0][place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))

        return one_bit
    return lambda row, at: _put(row[0], np.uint64(row[1] + at), 1)


@inlined
def _put(cells: Any, at: Any, number: Any) -> None:
    cells[at] = number


def mark_places(row: Any, at: Any, places: Any, count: Any) -> None:
    for place in range(count):
        row[0][row[1] + at + place] = places >> place & 1


@overload(mark_places, strict=False)
def _mark_set(row: Any, at: Any, places: Any, count: Any) -> Any:  # noqa: ARG001 - likewise
    if row[0].dtype == types.uint64:

        def bits(row: Any, at: Any, places: Any, count: Any) -> None:  # noqa: ARG001 - likewise
            first = np.uint64(row[1] + at)
            word, shift = first >> np.uint64(6), first & np.uint64(63)
            row[0][word] |= np.uint64(places) << shift
            if places >> np.int64(np.uint64(63) - shift) >> 1:
                row[0][word + np.uint64(1)] |= np.uint64(places) >> (np.uint64(64) - shift)

        return bits

    def numbers(row: Any, at: Any, places: Any, count: Any) -> None:
        cells, first = row[0], np.uint64(row[1] + at)
        # Eight at once become one store; a set that is empty has nothing to write.
        for _ in range(count >> 3 if places else 0):
            for k in range(8):
                cells[first + np.uint64(k)] = places >> k & 1
            first += np.uint64(8)
            places >>= 8
        while places:
            cells[first] = places & 1
            first += np.uint64(1)
            places >>= 1

    return numbers


def mark_share(row: Any, places: Any, part: Any, whole: Any) -> None:
    row[0][row[1] + places[0]] = min(1.0, part / whole)


@overload(mark_share, strict=False)
def _mark_share(row: Any, places: Any, part: Any, whole: Any) -> Any:  # noqa: ARG001 - likewise
    """A number from 0 to 1, in the first place; as bits, a byte in the second."""
    if row[0].dtype == types.uint64:
        return lambda row, places, part, whole: mark_places(
            row, places[1], 255 * min(part, whole) // whole, 8
        )
    if row[0].dtype == types.uint8:
        return lambda row, places, part, whole: _put(
            row[0], row[1] + places[0], 255 * min(part, whole) // whole
        )
    return lambda row, places, part, whole: _put(row[0], row[1] + places[0], min(1.0, part / whole))


# --- all lanes --------------------------------------------------------------------------


@kept
def observe_all(game: Any, tables: Any, lanes: Any, seat: int, out: Any) -> None:
    """Write what a seat sees of every lane; seat 0 is the one to act, at the end seat 1."""
    for i in range(len(lanes)):
        me = seat or max(1, lanes[i, TO_ACT])
        for column in range(out.shape[1]):
            out[i, column] = 0
        state = load(lanes, i)
        write_head(game, tables, lanes, i, state, me, (out[i], 0))
        board(game, state, me, state.outcome != 0, (out[i], tables.board_at))


@kept
def step_and_observe_all(
    game: Any, tables: Any, lanes: Any, seeds: Any, actions: Any, where: Any, again: bool,
    mask: Any, rewards: Any, done: Any, out: Any,
) -> None:  # fmt: skip
    """`step_all` and `observe_all` for the seat to act, while the lanes are still at hand."""
    for first in range(0, len(lanes), BLOCK):
        part = slice(first, first + BLOCK)
        step_all(
            game, tables, lanes[part], seeds[part], actions[part], where[part], again, mask[part],
            rewards[part], done[part],
        )  # fmt: skip
        observe_all(game, tables, lanes[part], 0, out[part])


@inlined
def write_head(game: Any, tables: Any, lanes: Any, i: int, state: Any, me: int, row: Any) -> None:
    mine = theirs = 0
    if state.outcome == 0:
        mine = lanes[i, ASKS] if lanes[i, TO_ACT] == me else question(game, state, me)
        # Secrets are asked for before the first turn: later the other's question says nothing.
        if state.turn == 0 or state.mover == 0:
            theirs = question(game, state, 3 - me)
        if mine:
            mark_place(row, tables.asks_at + tables.rows[mine, KIND])
    else:
        won = state.outcome & 3
        mark_place(row, tables.result_at + (1 if won == 0 else 0 if won == me else 2))
    hiding = tables.rows[mine, HIDDEN] or tables.rows[theirs, HIDDEN]
    ready = lanes[i, SECRET_ASKS + me - 1] != 0, lanes[i, SECRET_ASKS + 2 - me] != 0
    if state.outcome == 0 and not hiding:
        if state.mover == 0:
            ready = mine == 0, theirs == 0
        else:
            mark_place(row, tables.to_move_at + (state.mover != me))
    mark_place(row, tables.seat_at + me - 1)
    if lanes[i, FIRST] == me:
        mark_place(row, tables.first_at)
    mark_places(row, tables.ready_at, ready[0] | ready[1] << 1, 2)
    mark_share(row, (tables.turn_at, tables.features), state.turn, tables.horizon)
    write_picked(tables, lanes, i, me, mine, row)


@inlined
def write_picked(tables: Any, lanes: Any, i: int, me: int, mine: int, row: Any) -> None:
    """The seat's secret, or its set as far as it is chosen."""
    asked, value = lanes[i, SECRET_ASKS + me - 1], lanes[i, SECRET + me - 1]
    if tables.rows[mine, CHOOSE] or tables.rows[mine, HIDDEN]:
        asked = mine
        value = lanes[i, CHOSEN] if lanes[i, TO_ACT] == me and tables.rows[mine, CHOOSE] else -1
    if asked == 0 or value < 0:
        return
    first, picked = tables.rows[asked, tables.values_to], tables.rows[asked, tables.picked_to]
    if tables.rows[asked, IN_A_ROW]:
        if tables.rows[asked, CHOOSE]:
            mark_places(row, picked, value >> first, tables.rows[asked, COUNT])
        else:
            mark_place(row, picked + value - first)
    else:
        for number in range(tables.rows[asked, COUNT]):
            answer = tables.rows[asked, tables.values_to + number]
            if value >> answer & 1 if tables.rows[asked, CHOOSE] else value == answer:
                mark_place(row, tables.rows[asked, tables.picked_to + number])


@kept
def positions_all(game: Any, lanes: Any, out: Any) -> None:
    for i in range(len(lanes)):
        found = positions(game, load(lanes, i))
        for k in range(len(found)):
            out[i, k] = found[k]
