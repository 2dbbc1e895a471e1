"""What a seat sees of every lane, as numbers: the vector that `encoding` makes of a View.

The kernel is told by the encoding's own layout where each part goes. Like a View the vector
is built up from nothing: what is not written here, no seat sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from trapline.adapters.encoding import GRID_PLANES, TRACK_PLANES
from trapline.adapters.vector.kernels import (
    DOUBT,
    FOUND,
    LIVE,
    OVER,
    PUBLIC_DOUBT,
    SECRET,
    SECRET_PATHS,
    SPRUNG,
    TRAP,
    VISITED,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.adapters.encoding import Encoding

HEAD = ("seat", "first", "asks", "to_move", "ready", "turn", "result")
SEAT, FIRST, ASKS, TO_MOVE, READY, TURN, RESULT, PLANES = range(8)
MINE, THEIRS, LEFT, OWN_SECRET, MY_TRAPS, THEIR_TRAPS, MY_SPRUNG, THEIR_SPRUNG = range(7, 15)
PUBLIC_TRAPS, MY_DOUBT, THEIR_DOUBT, RETURNING = range(15, 19)
SEEKER, MY_GOAL, THEIR_GOAL, MY_VISITS, THEIR_VISITS = range(7, 12)


def parts_of(encoding: Encoding) -> NDArray[np.int64]:
    """Where each part begins, in the order of the numbers above."""
    grid = encoding.game.moves == "cell"
    names = (*HEAD, *GRID_PLANES) if grid else (*HEAD, *TRACK_PLANES, "returning")
    return np.array([encoding.layout[name].start for name in names])


@numba.njit(cache=True)
def observe_all(rules: Any, lanes: Any, seat: int, at: Any, out: Any) -> None:
    """Write what a seat sees of every lane; seat 0 is the one to act, at the end seat 1."""
    for i in range(len(lanes)):
        game = lanes[i]
        me = (seat or max(1, game.to_act)) - 1
        out[i, : at[PLANES]] = 0
        write_head(rules, game, me, at, out[i])
        if rules.kind == SECRET_PATHS:
            write_grid(rules, game, me, at, out[i])
        else:
            write_track(rules, game, me, at, out[i])


@numba.njit(cache=True)
def write_head(rules: Any, game: Any, me: int, at: Any, row: Any) -> None:
    mine = game.to_act == me + 1
    row[at[SEAT] + me] = 1
    row[at[FIRST]] = game.first == me + 1
    if game.asks != OVER:
        if game.chosen[me] < rules.parts:
            row[at[ASKS] + SECRET] = 1
        elif game.asks != SECRET and mine:
            row[at[ASKS] + game.asks] = 1
        if game.asks != SECRET:
            row[at[TO_MOVE] + (not mine)] = 1
    elif game.winner == 0:
        row[at[RESULT] + 1] = 1
    else:
        row[at[RESULT] + (0 if game.winner == me + 1 else 2)] = 1
    if rules.parts:
        row[at[READY]] = game.chosen[me] == rules.parts
        row[at[READY] + 1] = game.chosen[1 - me] == rules.parts
    row[at[TURN]] = min(1.0, game.turn / rules.horizon)


@numba.njit(cache=True)
def write_track(rules: Any, game: Any, me: int, at: Any, row: Any) -> None:
    over = game.asks == OVER
    ready = game.chosen[me] == rules.parts
    for square in range(rules.squares):
        mine, theirs = game.marks[square, me], game.marks[square, 1 - me]
        known = over or theirs & (SPRUNG | FOUND)
        row[at[MINE] + square] = 0
        row[at[THEIRS] + square] = 0
        row[at[LEFT] + square] = 0
        row[at[OWN_SECRET] + square] = rules.parts > 0 and mine & (LIVE | SPRUNG) > 0
        row[at[MY_TRAPS] + square] = ready and mine & LIVE > 0
        row[at[THEIR_TRAPS] + square] = known and theirs & LIVE > 0
        row[at[MY_SPRUNG] + square] = mine & SPRUNG > 0
        row[at[THEIR_SPRUNG] + square] = theirs & SPRUNG > 0
        row[at[PUBLIC_TRAPS] + square] = rules.public_traps[square]
        row[at[MY_DOUBT] + square] = theirs & DOUBT > 0
        row[at[THEIR_DOUBT] + square] = mine & PUBLIC_DOUBT > 0
    row[at[MY_DOUBT]] = row[at[THEIR_DOUBT]] = 0  # nobody can trap the start
    row[at[THEIRS] + game.at[1 - me]] = 1
    row[at[RETURNING] + 1] = game.back[1 - me]
    if game.asks == TRAP and game.to_act == me + 1:
        write_open_turn(game, me, at, row)
    else:
        row[at[MINE] + game.at[me]] = 1
        row[at[RETURNING]] = game.back[me]


@numba.njit(cache=True)
def write_open_turn(game: Any, me: int, at: Any, row: Any) -> None:
    """Whose trap answer is due has seen where the move landed; the other has seen nothing yet."""
    start = 0 if game.back[me] else game.at[me]
    to = start + game.step
    caught = game.marks[to, 1 - me] & LIVE > 0
    row[at[LEFT] + start] = 1
    row[at[MINE] + to] = 1
    row[at[RETURNING]] = caught
    if caught:
        row[at[THEIR_TRAPS] + to] = 1
        row[at[THEIR_SPRUNG] + to] = 1
    row[at[MY_DOUBT] + to] = 0
    if start:
        row[at[THEIR_DOUBT] + start] = 1


@numba.njit(cache=True)
def write_grid(rules: Any, game: Any, me: int, at: Any, row: Any) -> None:
    size = rules.length
    for cell in range(rules.squares):
        row[at[SEEKER] + cell] = 0
        row[at[MY_GOAL] + cell] = 0
        row[at[THEIR_GOAL] + cell] = 0
        row[at[MY_VISITS] + cell] = game.marks[cell, me] & VISITED > 0
        row[at[THEIR_VISITS] + cell] = game.marks[cell, 1 - me] & VISITED > 0
    row[at[SEEKER] + (game.at[0] - 1) * size + game.at[1] - 1] = 1
    bottom = (size - 1) * size  # where Player 1's goal row begins
    if game.goal[me]:
        row[at[MY_GOAL] + (0 if me else bottom) + game.goal[me] - 1] = 1
    if game.asks == OVER and game.goal[1 - me]:
        row[at[THEIR_GOAL] + (bottom if me else 0) + game.goal[1 - me] - 1] = 1
