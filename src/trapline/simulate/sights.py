"""What a seat sees of every lane, as numbers: the vector that `encoding` makes of a View.

The text below the line goes into each game's module after that of `kernels`. Like a View the
vector is built up from nothing: what is not written here, no seat sees.
"""

from __future__ import annotations

from typing import Any

from trapline.simulate.kernels import (
    CHOOSE,
    CHOSEN,
    COUNT,
    FIRST,
    HIDDEN,
    KIND,
    SECRET,
    SECRET_ASKS,
    TO_ACT,
    inlined,
    kept,
)

# What stands for each game in its own module.
board: Any = None
load: Any = None
positions: Any = None
question: Any = None

# ----------------------------------------------------------------------------------------


@kept
def observe_all(game: Any, tables: Any, lanes: Any, seat: int, out: Any) -> None:
    """Write what a seat sees of every lane; seat 0 is the one to act, at the end seat 1."""
    for i in range(len(lanes)):
        me = seat or max(1, lanes[i, TO_ACT])
        for column in range(out.shape[1]):
            out[i, column] = 0
        state = load(lanes, i)
        write_head(game, tables, lanes, i, state, me, out)
        board(game, state, me, state.outcome != 0, out[i, tables.board_at :])


@inlined
def write_head(game: Any, tables: Any, lanes: Any, i: int, state: Any, me: int, out: Any) -> None:
    mine = theirs = 0
    if state.outcome == 0:
        mine, theirs = question(game, state, me), question(game, state, 3 - me)
        if mine:
            out[i, tables.asks_at + tables.rows[mine, KIND]] = 1
    else:
        won = state.outcome & 3
        out[i, tables.result_at + (1 if won == 0 else 0 if won == me else 2)] = 1
    hiding = tables.rows[mine, HIDDEN] or tables.rows[theirs, HIDDEN]
    ready = lanes[i, SECRET_ASKS + me - 1] != 0, lanes[i, SECRET_ASKS + 2 - me] != 0
    if state.outcome == 0 and not hiding:
        if state.mover == 0:
            ready = mine == 0, theirs == 0
        else:
            out[i, tables.to_move_at + (state.mover != me)] = 1
    out[i, tables.seat_at + me - 1] = 1
    out[i, tables.first_at] = lanes[i, FIRST] == me
    out[i, tables.ready_at] = ready[0]
    out[i, tables.ready_at + 1] = ready[1]
    out[i, tables.turn_at] = min(1.0, state.turn / tables.horizon)
    write_picked(tables, lanes, i, me, mine, out)


@inlined
def write_picked(tables: Any, lanes: Any, i: int, me: int, mine: int, out: Any) -> None:
    """The seat's secret, or its set as far as it is chosen."""
    asked, value = lanes[i, SECRET_ASKS + me - 1], lanes[i, SECRET + me - 1]
    if tables.rows[mine, CHOOSE] or tables.rows[mine, HIDDEN]:
        asked = mine
        value = lanes[i, CHOSEN] if lanes[i, TO_ACT] == me and tables.rows[mine, CHOOSE] else -1
    if asked and value >= 0:
        for number in range(tables.rows[asked, COUNT]):
            answer = tables.rows[asked, tables.values_to + number]
            if value >> answer & 1 if tables.rows[asked, CHOOSE] else value == answer:
                out[i, tables.rows[asked, tables.picked_to + number]] = 1


@kept
def positions_all(game: Any, lanes: Any, out: Any) -> None:
    for i in range(len(lanes)):
        found = positions(game, load(lanes, i))
        for k in range(len(found)):
            out[i, k] = found[k]
