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
from numba.core import cgutils
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

FLAGS_OF = np.array([[n >> k & 1 for k in range(8)] for n in range(256)], np.bool_)
"""Eight bits as eight flags."""
LINE = 64
"""Bytes in a line of the processor's cache."""
REGISTER = 64
"""Bytes that are written at once: a register of the widest kind, or two where there are none."""


written_in_llvm: Callable[[Callable[..., Any]], Callable[..., None]] = intrinsic


def copier(count: int) -> Callable[..., None]:
    """What copies so many cells from a row of a table, by one load and one store."""

    @written_in_llvm
    def copy(context: Any, cells: Any, at: Any, spread: Any, which: Any) -> Any:  # noqa: ARG001 - Numba's shape
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def some(array: Any, kind: Any, index: Any) -> Any:
                made = context.make_array(kind)(context, builder, array)
                many = ir.VectorType(context.get_data_type(kind.dtype), count).as_pointer()
                return builder.bitcast(builder.gep(made.data, [index]), many)

            cells_, at_, spread_, which_ = arguments
            row = builder.shl(which_, ir.Constant(which_.type, 3))
            size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
            found = builder.load(some(spread_, signature.args[2], row), align=size)
            builder.store(found, some(cells_, signature.args[0], at_), align=size)
            return context.get_dummy_value()

        return types.void(cells, types.uint64, spread, types.uint64), code

    return copy


copy_four = copier(4)
copy_eight = copier(8)


@written_in_llvm
def write_many(context: Any, cells: Any, at: Any, bits: Any) -> Any:  # noqa: ARG001 - likewise
    """As many cells as fill a register, each from a bit: by a choice, which no conversion beats."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cells_, at_, bits_ = arguments
        kind = signature.args[0]
        cell = context.get_data_type(kind.dtype)
        size = context.get_abi_sizeof(cell)
        wide = REGISTER // size
        many = ir.VectorType(cell, wide)
        flags = builder.bitcast(
            builder.trunc(bits_, ir.IntType(wide)), ir.VectorType(ir.IntType(1), wide)
        )
        spread = builder.select(flags, ir.Constant(many, [1] * wide), ir.Constant(many, [0] * wide))
        made = context.make_array(kind)(context, builder, cells_)
        place = builder.bitcast(builder.gep(made.data, [at_]), many.as_pointer())
        builder.store(spread, place, align=size)
        return context.get_dummy_value()

    return types.void(cells, types.uint64, types.uint64), code


declared: Callable[..., Any] = cgutils.get_or_insert_function


def fetcher(lines: int) -> Callable[..., None]:
    """What asks for so many lines of the cache from where a row begins, before it is written.

    Beyond the end of an array that asks for nothing.
    """

    @written_in_llvm
    def fetch_row(context: Any, rows: Any, i: Any) -> Any:  # noqa: ARG001 - likewise
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = context.make_array(signature.args[0])(context, builder, arguments[0])
            octet, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [octet, number, number, number])
            fetch = declared(builder.module, kind, "llvm.prefetch.p0")
            cell = builder.mul(arguments[1], builder.extract_value(made.shape, 1))
            row = builder.bitcast(builder.gep(made.data, [cell]), octet)
            to_write, near, data = number(1), number(3), number(1)
            for line in range(lines):
                place = builder.gep(row, [ir.Constant(ir.IntType(64), line * LINE)])
                builder.call(fetch, [place, to_write, near, data])
            return context.get_dummy_value()

        return types.void(rows, types.int64), code

    return fetch_row


# As many lines as rows of our games have, but for the longest.
fetch_lane, fetch_numbers, fetch_octets = fetcher(4), fetcher(9), fetcher(3)
ROWS_AHEAD = 8
"""So many rows further on is asked for where long ones will be written."""


def rows_in(out: Any, words: Any) -> Any:
    """Where the bits of rows are put together: where bits are asked for, in their own array."""


@overload(rows_in, strict=False)
def _rows_in(out: Any, words: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if out.dtype == types.uint64:
        return lambda out, words: out  # noqa: ARG005 - likewise
    return lambda out, words: words  # noqa: ARG005 - likewise


def finish(out: Any, words: Any, i: Any, turn: Any, tables: Any) -> None:
    """A row of an array from its bits, and from how many turns are over."""


@overload(finish, strict=False)
def _finish(out: Any, words: Any, i: Any, turn: Any, tables: Any) -> Any:  # noqa: ARG001 - Numba's shape
    if out.dtype == types.uint64:

        def bits(out: Any, words: Any, i: Any, turn: Any, tables: Any) -> None:  # noqa: ARG001 - likewise
            mark_places((out, i, 0), tables.features, in_255ths(turn, tables), 8)

        return bits
    if out.dtype == types.uint8:

        def octets(out: Any, words: Any, i: Any, turn: Any, tables: Any) -> None:
            fetch_octets(out, i + ROWS_AHEAD)
            spread_out(out[i], words[i], tables.features, REGISTER)
            out[i, tables.turn_at] = in_255ths(turn, tables)

        return octets

    def numbers(out: Any, words: Any, i: Any, turn: Any, tables: Any) -> None:
        fetch_numbers(out, i + ROWS_AHEAD)
        spread_out(out[i], words[i], tables.features, REGISTER // 4)
        out[i, tables.turn_at] = part_of_horizon(turn, tables)

    return numbers


@inlined
def part_of_horizon(turn: Any, tables: Any) -> Any:
    if turn < len(tables.parts):
        return tables.parts[np.uint64(turn)]
    return np.float32(min(1.0, turn / tables.horizon))


@inlined
def in_255ths(turn: Any, tables: Any) -> Any:
    """As many as are whole."""
    if turn < len(tables.octets):
        return tables.octets[np.uint64(turn)]
    return np.uint8(255 * min(turn, tables.horizon) // tables.horizon)


@inlined
def spread_out(cells: Any, words: Any, features: int, wide: int) -> None:
    """Every bit in a cell of its own, many at a time; the last ones may be written twice."""
    if features < wide:
        for k in range(features):
            cells[k] = words[0] >> np.uint64(k) & np.uint64(1)
        return
    at, end = np.uint64(0), np.uint64(features - wide)
    while at < end:
        write_many(cells, at, words[at >> np.uint64(6)] >> (at & np.uint64(63)))
        at += np.uint64(wide)
    write_many(cells, end, bits_from(words, end, wide))


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
    """A short row of flags from its bits; some may be written twice."""
    size = np.uint64(len(cells))
    if size >= np.uint64(8):
        at, end = np.uint64(0), size - np.uint64(8)
        while at < end:
            copy_eight(cells, at, FLAGS_OF, bits >> at & np.uint64(255))
            at += np.uint64(8)
        copy_eight(cells, end, FLAGS_OF, bits >> end & np.uint64(255))
    elif size >= np.uint64(4):
        end = size - np.uint64(4)
        copy_four(cells, np.uint64(0), FLAGS_OF, bits & np.uint64(15))
        copy_four(cells, end, FLAGS_OF, bits >> end & np.uint64(15))
    else:
        for k in range(len(cells)):
            cells[k] = bits >> np.uint64(k) & np.uint64(1)
