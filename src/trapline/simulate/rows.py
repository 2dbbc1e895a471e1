"""Rows of bits: how boards and lanes write them, and what an array holds of them.

The text below the line goes into each game's module after that of `kernels`. A row is words of 64
bits, and is written by `mark_place`, `mark_places` and `mark_parts` alone; `finish` makes of many
of them what an array holds, by the forms of `forms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.extending import overload

from trapline.simulate.kernels import inlined

if TYPE_CHECKING:
    from collections.abc import Callable

# ----------------------------------------------------------------------------------------

from llvmlite import ir
from numba.extending import intrinsic

# --- a row: words of bits, which of them it is, and where in it a part begins --------------


@inlined
def mark_place(row: Any, at: Any) -> None:
    words, lane, begin = row
    place = np.uint64(begin + at)
    words[lane, place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@inlined
def mark_places(row: Any, at: Any, places: Any, count: Any) -> None:
    words, lane, begin = row
    first = np.uint64(begin + at)
    word, shift = first >> np.uint64(6), first & np.uint64(63)
    words[lane, word] |= np.uint64(places) << shift
    # Where a set lies decides, not what is in it: that the processor could not foresee.
    if shift + np.uint64(count) > np.uint64(64):
        words[lane, word + np.uint64(1)] |= np.uint64(places) >> (np.uint64(64) - shift)


@inlined
def mark_parts(row: Any, at: Any, parts: Any, count: Any) -> None:
    """One after the other in a register, which goes to memory when it is full."""
    words, lane, begin = row
    first, wide = np.uint64(begin + at), np.uint64(count)
    word, shift = first >> np.uint64(6), first & np.uint64(63)
    held = words[lane, word]
    for number in range(len(parts)):
        part = np.uint64(parts[number])
        held |= part << shift
        shift += wide
        if shift >= np.uint64(64):
            words[lane, word] = held
            word += np.uint64(1)
            shift -= np.uint64(64)
            held = part >> (wide - shift)
    if shift:
        words[lane, word] |= held


# --- rows in each form --------------------------------------------------------------------

BYTES = np.array([[n >> k & 1 for k in range(8)] for n in range(256)], np.uint8)
NUMBERS = BYTES.astype(np.float32)
FLAGS_OF = BYTES.astype(np.bool_)
"""Eight bits as eight of what an array holds."""
WIDE = 32


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
        size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
        found = builder.load(eight(spread_, signature.args[2], row), align=size)
        builder.store(found, eight(cells_, signature.args[0], at_), align=size)
        return context.get_dummy_value()

    return types.void(cells, types.uint64, spread, types.uint64), code


@written_in_llvm
def write_many(context: Any, cells: Any, at: Any, bits: Any) -> Any:  # noqa: ARG001 - likewise
    """WIDE cells from as many bits, which the processor spreads out in its widest registers."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cells_, at_, bits_ = arguments
        kind = signature.args[0]
        cell = context.get_data_type(kind.dtype)
        flags = builder.bitcast(
            builder.trunc(bits_, ir.IntType(WIDE)), ir.VectorType(ir.IntType(1), WIDE)
        )
        many = ir.VectorType(cell, WIDE)
        whole = isinstance(kind.dtype, types.Integer)
        spread = builder.zext(flags, many) if whole else builder.uitofp(flags, many)
        made = context.make_array(kind)(context, builder, cells_)
        place = builder.bitcast(builder.gep(made.data, [at_]), many.as_pointer())
        builder.store(spread, place, align=context.get_abi_sizeof(cell))
        return context.get_dummy_value()

    return types.void(cells, types.uint64, types.uint64), code


def rows_in(out: Any, words: Any) -> Any:
    """Where the bits of rows are put together: where bits are asked for, in their own array."""


@overload(rows_in, strict=False)
def _rows_in(out: Any, words: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if out.dtype == types.uint64:
        return lambda out, words: out  # noqa: ARG005 - likewise
    return lambda out, words: words  # noqa: ARG005 - likewise


def finish(out: Any, words: Any, turns: Any, tables: Any) -> None:
    """The rows of an array from their bits, and from how many turns are over."""


@overload(finish, strict=False)
def _finish(out: Any, words: Any, turns: Any, tables: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if out.dtype == types.uint64:

        def bits(out: Any, words: Any, turns: Any, tables: Any) -> None:  # noqa: ARG001 - likewise
            for i in range(len(out)):
                mark_places((out, i, 0), tables.features, in_255ths(turns[i], tables.horizon), 8)

        return bits
    if out.dtype == types.uint8:

        def octets(out: Any, words: Any, turns: Any, tables: Any) -> None:
            for i in range(len(out)):
                spread_out(out[i], words[i], tables.features, BYTES)
                out[i, tables.turn_at] = in_255ths(turns[i], tables.horizon)

        return octets

    def numbers(out: Any, words: Any, turns: Any, tables: Any) -> None:
        for i in range(len(out)):
            spread_out(out[i], words[i], tables.features, NUMBERS)
            out[i, tables.turn_at] = min(1.0, turns[i] / tables.horizon)

    return numbers


@inlined
def in_255ths(turn: Any, horizon: Any) -> Any:
    """As many as are whole: a quotient of such numbers is never so near to a whole one that it is
    rounded to it, and is found in half the time that one of whole numbers takes."""
    return np.uint64(255.0 * min(turn, horizon) / horizon)


@inlined
def spread_out(cells: Any, words: Any, features: int, spread: Any) -> None:
    """Every bit in a cell of its own, many at a time; the last ones may be written twice."""
    if features >= WIDE:
        at, end = np.uint64(0), np.uint64(features - WIDE)
        while at < end:
            write_many(cells, at, words[at >> np.uint64(6)] >> (at & np.uint64(63)))
            at += np.uint64(WIDE)
        write_many(cells, end, bits_from(words, end, WIDE))
        return
    at, end = np.uint64(0), np.uint64(features - 8)
    while at < end:
        word = words[at >> np.uint64(6)] >> (at & np.uint64(63))
        copy_eight(cells, at, spread, word & np.uint64(255))
        at += np.uint64(8)
    copy_eight(cells, end, spread, bits_from(words, end, 8) & np.uint64(255))


@inlined
def bits_from(words: Any, at: Any, count: int) -> Any:
    """So many bits, and perhaps more, wherever they lie."""
    shift = at & np.uint64(63)
    found = words[at >> np.uint64(6)] >> shift
    if shift > np.uint64(64 - count):
        found |= words[(at >> np.uint64(6)) + np.uint64(1)] << (np.uint64(64) - shift)
    return found


@inlined
def write_flags(cells: Any, bits: Any) -> None:
    """A short row of flags from its bits."""
    if len(cells) < 8:
        for k in range(len(cells)):
            cells[k] = bits >> np.uint64(k) & np.uint64(1)
        return
    at, end = np.uint64(0), np.uint64(len(cells) - 8)
    while at < end:
        copy_eight(cells, at, FLAGS_OF, bits >> at & np.uint64(255))
        at += np.uint64(8)
    copy_eight(cells, end, FLAGS_OF, bits >> end & np.uint64(255))
