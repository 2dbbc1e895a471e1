"""The `casual` opponent: plays the way a friend does who knows the rules.

It wins when it can, remembers what it has seen, prefers long steps, hides traps where
people run, and now and then does something on a whim. It counts no probabilities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import (
    NO_TRAP,
    SET_TRAP,
    Grid,
    Moved,
    Seat,
    SecretError,
    Track,
    other,
)
from trapline.games import GAMES, make_game

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Cell, Game, Move, Secret, View

WHIM = 0.08
"""How often a move is made without thinking."""


def choose(view: View, rng: Random) -> Move | Secret:
    if view.asks == "secret":
        return _secret(view, rng)
    if view.asks == "trap":
        return _trap_answer(view, rng)
    # Small differences are a matter of mood, and now and then so are larger ones; but nobody
    # overlooks a win or walks into a trap that is plain to see.
    mood = 1.2 if rng.random() > WHIM else 20.0
    return max(view.legal, key=lambda move: _appeal(view, move) + rng.uniform(0, mood))


def _appeal(view: View, move: Any) -> float:
    if isinstance(view.board, Track):
        return _steps_appeal(view, move)
    return _cell_appeal(view, move)


# --- running along a track --------------------------------------------------------------


def _me(view: View) -> Seat:
    assert view.seat is not None  # only players are asked
    return view.seat


def _steps_appeal(view: View, steps: int) -> float:
    board = view.board
    assert isinstance(board, Track)
    me = _me(view)
    start = 0 if board.returning[me - 1] else board.positions[me - 1]
    goal = board.goals[me - 1]
    to = start + steps if goal > start else start - steps
    if any(trap.live and trap.owner != me and trap.at == to for trap in board.traps):
        return -100.0  # a trap it knows of
    if to == goal:
        return 100.0
    if to in _found_safe(view):
        return 3.0 + 0.4 * steps
    if to in _left_by_rival(view):
        return 0.2 * steps  # Trap Runner: where the other has been, there may be a trap
    return 1.0 + 0.4 * steps


def _found_safe(view: View) -> set[int]:
    """Places that stay safe: where it has stood, or sprung a trap, in games of fixed traps."""
    if view.secret is None:
        return set()
    return {
        event.to
        for event in view.events
        if isinstance(event, Moved) and event.by == view.seat and isinstance(event.to, int)
    }


def _left_by_rival(view: View) -> set[int]:
    if not GAMES[view.game].hides_turns:
        return set()
    rival = other(_me(view))
    return {
        event.start
        for event in view.events
        if isinstance(event, Moved) and event.by == rival and isinstance(event.start, int)
    }


def _trap_answer(view: View, rng: Random) -> Move:
    """A trap is worth setting where the other has still to pass."""
    board = view.board
    assert isinstance(board, Track)
    me = _me(view)
    left = next(e.start for e in reversed(view.events) if isinstance(e, Moved) and e.by == me)
    rival = other(me) - 1
    rival_at = 0 if board.returning[rival] else board.positions[rival]
    ahead = isinstance(left, int) and rival_at < left
    return SET_TRAP if rng.random() < (0.75 if ahead else 0.2) else NO_TRAP


# --- moving the Seeker ------------------------------------------------------------------


def _cell_appeal(view: View, cell: Cell) -> float:
    board = view.board
    assert isinstance(board, Grid)
    me = _me(view)
    goal = board.goals[me - 1]
    assert goal is not None  # one's own goal is always visible
    if cell == goal:
        return 100.0
    rival_row = 1 if me == 1 else board.size
    near_rival = abs(cell[0] - rival_row) <= 1  # the other may win from here
    distance = max(abs(cell[0] - goal[0]), abs(cell[1] - goal[1]))
    return -1.5 * distance - (8.0 if near_rival else 0.0)


# --- hiding things ----------------------------------------------------------------------


def _secret(view: View, rng: Random) -> Secret:
    game = make_game(view.game, view.options)
    if game.secret == "traps":
        for _ in range(20):
            try:
                return game.check_secret(_me(view), _spread_traps(game, _me(view), rng))
            except SecretError:
                continue  # a variant forbids this set: think again
    return game.random_secret(_me(view), rng)


def _spread_traps(game: Game[Any, Any], seat: Seat, rng: Random) -> list[int]:
    """Traps one by one, away from each other, more often near a favourite place.

    Where a trap only sends the runner back, late traps cost most; where it ends the game,
    early ones are met most surely.
    """
    board = game.board(game.start(1, {}), None, False)
    assert isinstance(board, Track)
    favourite = (board.positions if game.deadly else board.goals)[other(seat) - 1]
    count = len(game.random_secret(seat, rng))
    places = list(range(1, board.length + 1))
    traps: list[int] = []
    while len(traps) < count and places:
        weights = [
            (1.0 + 3.0 / (1 + abs(favourite - place)))
            * (0.4 if any(abs(place - trap) == 1 for trap in traps) else 1.0)
            for place in places
        ]
        traps.append(rng.choices(places, weights)[0])
        places.remove(traps[-1])
    return traps
