"""What a seat sees of every lane, as numbers: the vector that `encoding` makes of a View.

The text below the line goes into each game's module after that of `kernels`. Like a View the
vector is built up from nothing: what is not written here, no seat sees. A row is written by
`mark_place` and `mark_places` alone, as the bits of some words; `finish` makes of them what the
array holds, by the forms of `forms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable

# What stands for each game in its own module.
board: Any = None
load: Any = None
positions: Any = None
question: Any = None

# ----------------------------------------------------------------------------------------

from llvmlite import ir  # noqa: E402 - a game's own stand above
from numba.extending import intrinsic  # noqa: E402 - likewise

BLOCK = 128
"""So many lanes are stepped and then looked at: few enough for the processor's first cache."""


# --- rows: words of bits, and where in them a part begins ---------------------------------


@inlined
def mark_place(row: Any, at: Any) -> None:
    place = np.uint64(row[1] + at)
    row[0][place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@inlined
def mark_places(row: Any, at: Any, places: Any, count: Any) -> None:
    first = np.uint64(row[1] + at)
    word, shift = first >> np.uint64(6), first & np.uint64(63)
    row[0][word] |= np.uint64(places) << shift
    # Where a set lies decides, not what is in it: that the processor could not foresee.
    if shift + np.uint64(count) > np.uint64(64):
        row[0][word + np.uint64(1)] |= np.uint64(places) >> (np.uint64(64) - shift)


# --- rows in each form --------------------------------------------------------------------

BYTES = np.array([[n >> k & 1 for k in range(8)] for n in range(256)], np.uint8)
NUMBERS = BYTES.astype(np.float32)
"""Eight bits as eight of what an array holds."""


written_in_llvm: Callable[[Callable[..., Any]], Callable[..., None]] = intrinsic


@written_in_llvm
def copy_eight(context: Any, cells: Any, at: Any, spread: Any, which: Any) -> Any:  # noqa: ARG001 - Numba's shape
    """Eight cells from a row of a table, by one load and one store."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def eight(array: Any, kind: Any, index: Any) -> Any:
            made = context.make_array(kind)(context, builder, array)
            many = ir.VectorType(context.get_data_type(kind.dtype), 8).as_pointer()
            return builder.bitcast(builder.gep(made.data, [index]), many)

        cells_, at_, spread_, which_ = arguments
        row = builder.shl(which_, ir.Constant(which_.type, 3))
        size = signature.args[0].dtype.bitwidth // 8
        found = builder.load(eight(spread_, signature.args[2], row), align=size)
        builder.store(found, eight(cells_, signature.args[0], at_), align=size)
        return context.get_dummy_value()

    return types.void(cells, types.uint64, spread, types.uint64), code


def finish(cells: Any, words: Any, features: Any, turn_at: Any, share: Any) -> None:
    """A row of the array from its bits, and the share of the turns that are over: part, whole."""


@overload(finish, strict=False)
def _finish(cells: Any, words: Any, features: Any, turn_at: Any, share: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if cells.dtype == types.uint64:

        def bits(cells: Any, words: Any, features: Any, turn_at: Any, share: Any) -> None:  # noqa: ARG001 - likewise
            mark_places((words, 0), features, 255 * min(share) // share[1], 8)
            for k in range(len(cells)):
                cells[k] = words[k]

        return bits
    if cells.dtype == types.uint8:

        def octets(cells: Any, words: Any, features: Any, turn_at: Any, share: Any) -> None:
            spread_out(cells, words, features, BYTES)
            cells[turn_at] = 255 * min(share) // share[1]

        return octets

    def numbers(cells: Any, words: Any, features: Any, turn_at: Any, share: Any) -> None:
        spread_out(cells, words, features, NUMBERS)
        cells[turn_at] = min(1.0, share[0] / share[1])

    return numbers


@inlined
def spread_out(cells: Any, words: Any, features: int, spread: Any) -> None:
    """Every bit in a cell of its own, eight at a time; the last eight may be written twice."""
    at, end = np.uint64(0), np.uint64(features - 8)
    while at < end:
        word = words[at >> np.uint64(6)] >> (at & np.uint64(63))
        copy_eight(cells, at, spread, word & np.uint64(255))
        at += np.uint64(8)
    shift = end & np.uint64(63)
    last = words[end >> np.uint64(6)] >> shift
    if shift > np.uint64(56):
        last |= words[(end >> np.uint64(6)) + np.uint64(1)] << (np.uint64(64) - shift)
    copy_eight(cells, end, spread, last & np.uint64(255))


# --- all lanes --------------------------------------------------------------------------


@kept
def observe_all(game: Any, tables: Any, lanes: Any, seat: int, words: Any, out: Any) -> None:
    """Write what a seat sees of every lane; seat 0 is the one to act, at the end seat 1.

    `words` is where a row is put together.
    """
    for i in range(len(lanes)):
        me = seat or max(1, lanes[i, TO_ACT])
        for column in range(len(words)):
            words[column] = 0
        state = load(lanes, i)
        write_head(game, tables, lanes, i, state, me, (words, 0))
        board(game, state, me, state.outcome != 0, (words, tables.board_at))
        share = state.turn, tables.horizon
        finish(out[i], words, tables.features, tables.turn_at, share)


@kept
def step_and_observe_all(
    game: Any, tables: Any, lanes: Any, seeds: Any, actions: Any, where: Any, again: bool,
    mask: Any, rewards: Any, done: Any, words: Any, out: Any,
) -> None:  # fmt: skip
    """`step_all` and `observe_all` for the seat to act, while the lanes are still at hand."""
    for first in range(0, len(lanes), BLOCK):
        part = slice(first, first + BLOCK)
        step_all(
            game, tables, lanes[part], seeds[part], actions[part], where[part], again, mask[part],
            rewards[part], done[part],
        )  # fmt: skip
        observe_all(game, tables, lanes[part], 0, words, out[part])


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
