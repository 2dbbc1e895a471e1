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
        for k in range(out.shape[1]):
            out[i, k] = 0
        write_head(rules, game, me, at, out, i)
        if rules.kind == SECRET_PATHS:
            write_grid(rules, game, me, at, out, i)
        else:
            write_track(rules, game, me, at, out, i)


@numba.njit(cache=True)
def write_head(rules: Any, game: Any, me: int, at: Any, out: Any, i: int) -> None:
    mine = game.to_act == me + 1
    out[i, at[SEAT] + me] = 1
    out[i, at[FIRST]] = game.first == me + 1
    if game.asks != OVER:
        if game.chosen[me] < rules.parts:
            out[i, at[ASKS] + SECRET] = 1
        elif game.asks != SECRET and mine:
            out[i, at[ASKS] + game.asks] = 1
        if game.asks != SECRET:
            out[i, at[TO_MOVE] + (not mine)] = 1
    elif game.winner == 0:
        out[i, at[RESULT] + 1] = 1
    else:
        out[i, at[RESULT] + (0 if game.winner == me + 1 else 2)] = 1
    if rules.parts:
        out[i, at[READY]] = game.chosen[me] == rules.parts
        out[i, at[READY] + 1] = game.chosen[1 - me] == rules.parts
    out[i, at[TURN]] = min(1.0, game.turn / rules.horizon)


@numba.njit(cache=True)
def write_track(rules: Any, game: Any, me: int, at: Any, out: Any, i: int) -> None:
    for square in range(1, rules.squares):  # nobody can trap the start
        mine, theirs = game.marks[square, me], game.marks[square, 1 - me]
        if mine | theirs:
            write_square(rules, game, me, at, out, i, square)
        if rules.public_traps[square]:
            out[i, at[PUBLIC_TRAPS] + square] = 1
    out[i, at[THEIRS] + game.at[1 - me]] = 1
    out[i, at[RETURNING] + 1] = game.back[1 - me]
    if game.asks == TRAP and game.to_act == me + 1:
        write_open_turn(game, me, at, out, i)
    else:
        out[i, at[MINE] + game.at[me]] = 1
        out[i, at[RETURNING]] = game.back[me]


@numba.njit(cache=True)
def write_square(rules: Any, game: Any, me: int, at: Any, out: Any, i: int, square: int) -> None:
    """Traps that a seat has set or knows of, and where it cannot rule them out."""
    mine, theirs = game.marks[square, me], game.marks[square, 1 - me]
    known = game.asks == OVER or theirs & (SPRUNG | FOUND)
    out[i, at[OWN_SECRET] + square] = rules.parts > 0 and mine & (LIVE | SPRUNG) > 0
    out[i, at[MY_TRAPS] + square] = game.chosen[me] == rules.parts and mine & LIVE > 0
    out[i, at[THEIR_TRAPS] + square] = known and theirs & LIVE > 0
    out[i, at[MY_SPRUNG] + square] = mine & SPRUNG > 0
    out[i, at[THEIR_SPRUNG] + square] = theirs & SPRUNG > 0
    out[i, at[MY_DOUBT] + square] = theirs & DOUBT > 0
    out[i, at[THEIR_DOUBT] + square] = mine & PUBLIC_DOUBT > 0


@numba.njit(cache=True)
def write_open_turn(game: Any, me: int, at: Any, out: Any, i: int) -> None:
    """Whose trap answer is due has seen where the move landed; the other has seen nothing yet."""
    start = 0 if game.back[me] else game.at[me]
    to = start + game.step
    caught = game.marks[to, 1 - me] & LIVE > 0
    out[i, at[LEFT] + start] = 1
    out[i, at[MINE] + to] = 1
    out[i, at[RETURNING]] = caught
    if caught:
        out[i, at[THEIR_TRAPS] + to] = 1
        out[i, at[THEIR_SPRUNG] + to] = 1
    out[i, at[MY_DOUBT] + to] = 0
    if start:
        out[i, at[THEIR_DOUBT] + start] = 1


@numba.njit(cache=True)
def write_grid(rules: Any, game: Any, me: int, at: Any, out: Any, i: int) -> None:
    size = rules.length
    for cell in range(rules.squares):
        if game.marks[cell, me] | game.marks[cell, 1 - me]:
            out[i, at[MY_VISITS] + cell] = game.marks[cell, me] & VISITED > 0
            out[i, at[THEIR_VISITS] + cell] = game.marks[cell, 1 - me] & VISITED > 0
    out[i, at[SEEKER] + (game.at[0] - 1) * size + game.at[1] - 1] = 1
    bottom = (size - 1) * size  # where Player 1's goal row begins
    if game.goal[me]:
        out[i, at[MY_GOAL] + (0 if me else bottom) + game.goal[me] - 1] = 1
    if game.asks == OVER and game.goal[1 - me]:
        out[i, at[THEIR_GOAL] + (bottom if me else 0) + game.goal[1 - me] - 1] = 1
