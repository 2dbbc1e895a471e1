"""What a seat sees of every lane, as numbers: the vector that `encoding` makes of a View.

The text below the line goes into each game's module after that of `kernels` and `rows`. Like a View
the vector is built up from nothing: what is not written here, no seat sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    entry,
    inlined,
    kept,
    step_lane,
)
from trapline.simulate.rows import finish, mark_place, mark_places, rows_in

# What stands for each game in its own module.
board: Any = None
load: Any = None
opened: Any = None
positions: Any = None
question: Any = None

# ----------------------------------------------------------------------------------------

BLOCK = 128
"""So many lanes are seen to before their rows are finished: few enough for the processor's first
cache."""


# --- all lanes --------------------------------------------------------------------------


@kept
def observe_all(rules: Any, lanes: Any, seat: int, words: Any, out: Any) -> None:
    """Write what a seat sees of every lane; seat 0 is the one to act, at the end seat 1.

    `words` is where the rows of a block are put together.
    """
    game, tables = opened(rules)
    for first in range(0, len(lanes), BLOCK):
        part = slice(first, first + BLOCK)
        observe_block(game, tables, lanes[part], seat, words, out[part])


@inlined
def observe_block(game: Any, tables: Any, lanes: Any, seat: int, words: Any, out: Any) -> None:
    rows = rows_in(out, words)
    clear(rows, len(lanes))
    for i in range(len(lanes)):
        look_at(game, tables, lanes, i, seat, rows)
    finish_block(tables, lanes, 0, words, out)


@inlined
def clear(rows: Any, count: int) -> None:
    for i in range(count):
        for k in range(rows.shape[1]):
            rows[i, k] = 0


@inlined
def look_at(game: Any, tables: Any, lanes: Any, i: int, seat: int, rows: Any) -> None:
    me = seat or max(1, lanes[i, TO_ACT])
    state = load(lanes, i)
    write_head(game, tables, lanes, i, state, me, (rows, i, 0))
    board(game, state, me, state.outcome != 0, (rows, i, tables.board_at))


@inlined
def finish_block(tables: Any, lanes: Any, first: int, words: Any, out: Any) -> None:
    for i in range(first, len(out)):
        finish(out, words, i, lanes[i, tables.turn_to], tables)


@kept
def step_and_observe_all(
    rules: Any, lanes: Any, seeds: Any, asks: Any, actions: Any, where: Any, again: bool,
    mask: Any, rewards: Any, done: Any, words: Any, out: Any,
) -> None:  # fmt: skip
    """`step_all` and `observe_all` for the seat to act, in one pass.

    The rows of a block are finished while the next one is stepped. Steps wait for jumps that
    nobody can foresee, rows for memory: so they wait together.
    """
    game, tables = opened(rules)
    words, seen = words[:BLOCK], words[BLOCK:]
    before = slice(0, 0)
    for first in range(0, len(lanes), BLOCK):
        part = slice(first, first + BLOCK)
        step_and_observe_block(
            game, tables, lanes[part], seeds[part], asks[part], actions[part], where[part], again,
            mask[part], rewards[part], done[part], rows_in(out[part], words),
            lanes[before], seen, out[before],
        )  # fmt: skip
        before, words, seen = part, seen, words
    finish_block(tables, lanes[before], 0, seen, out[before])


@inlined
def step_and_observe_block(
    game: Any, tables: Any, lanes: Any, seeds: Any, asks: Any, actions: Any, where: Any,
    again: bool, mask: Any, rewards: Any, done: Any, rows: Any,
    lanes_before: Any, seen: Any, out_before: Any,
) -> None:  # fmt: skip
    """A lane is looked at when it has just been stepped: what it jumped by is then foreseen."""
    clear(rows, len(lanes))
    for i in range(len(lanes)):
        step_lane(game, tables, lanes, seeds, asks, actions, where, again, mask, rewards, done, i)
        look_at(game, tables, lanes, i, 0, rows)
        if i < len(out_before):
            finish(out_before, seen, i, lanes_before[i, tables.turn_to], tables)
    finish_block(tables, lanes_before, len(lanes), seen, out_before)


@inlined
def write_head(game: Any, tables: Any, lanes: Any, i: int, state: Any, me: int, row: Any) -> None:
    mine = theirs = 0
    marks = 1 << tables.seat_at + me - 1 | (lanes[i, FIRST] == me) << tables.first_at
    if state.outcome == 0:
        mine = lanes[i, ASKS] if lanes[i, TO_ACT] == me else question(game, state, me)
        # Secrets are asked for before the first turn: later the other's question says nothing.
        if state.turn == 0 or state.mover == 0:
            theirs = question(game, state, 3 - me)
        marks |= (mine != 0) << tables.asks_at + entry(tables, mine, KIND)
    else:
        won = state.outcome & 3
        marks |= 1 << tables.result_at + (1 if won == 0 else 0 if won == me else 2)
    hiding = entry(tables, mine, HIDDEN) or entry(tables, theirs, HIDDEN)
    ready = (
        lanes[i, np.uint64(SECRET_ASKS + me - 1)] != 0,
        lanes[i, np.uint64(SECRET_ASKS + 2 - me)] != 0,
    )
    if state.outcome == 0 and not hiding:
        if state.mover == 0:
            ready = mine == 0, theirs == 0
        else:
            marks |= 1 << tables.to_move_at + (state.mover != me)
    marks |= (ready[0] | ready[1] << 1) << tables.ready_at
    mark_places(row, 0, marks, tables.board_at)
    write_picked(tables, lanes, i, me, mine, row)


@inlined
def write_picked(tables: Any, lanes: Any, i: int, me: int, mine: int, row: Any) -> None:
    """The seat's secret, or its set as far as it is chosen."""
    asked, value = lanes[i, np.uint64(SECRET_ASKS + me - 1)], lanes[i, np.uint64(SECRET + me - 1)]
    if entry(tables, mine, CHOOSE) or entry(tables, mine, HIDDEN):
        asked = mine
        value = lanes[i, CHOSEN] if lanes[i, TO_ACT] == me and entry(tables, mine, CHOOSE) else -1
    if asked == 0 or value < 0:
        return
    first, picked = entry(tables, asked, tables.values_to), entry(tables, asked, tables.picked_to)
    if entry(tables, asked, IN_A_ROW):
        if entry(tables, asked, CHOOSE):
            mark_places(row, picked, value >> first, entry(tables, asked, COUNT))
        else:
            mark_place(row, picked + value - first)
    else:
        for number in range(entry(tables, asked, COUNT)):
            answer = entry(tables, asked, tables.values_to + number)
            if value >> answer & 1 if entry(tables, asked, CHOOSE) else value == answer:
                mark_place(row, entry(tables, asked, tables.picked_to + number))


@kept
def positions_all(rules: Any, lanes: Any, out: Any) -> None:
    game, _ = opened(rules)
    for i in range(len(lanes)):
        found = positions(game, load(lanes, i))
        for k in range(len(found)):
            out[i, k] = found[k]
