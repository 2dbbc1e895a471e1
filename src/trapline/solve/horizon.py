"""Bounds for games whose tree is too large: the beginning of it, and the worst of what follows.

Every way the game can go is followed for a number of answers, as far as there is room. What goes
on beyond that is taken for lost by the seat whose bound it is. Whatever that seat does there, it
cannot do worse, so what it gets in the tree with this end is a bound of the whole game.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.solve import equilibrium, sequences
from trapline.solve.interface import Certificate, Request, TooLarge, Unsuited
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from trapline.core import Game, Seat

MOST_NODES = 60_000
"""A tree of as many places is walked in some seconds."""
PATIENCE = 60.0
"""Seconds for all of it, unless somebody asks for less."""
TARGET = 1e-3


class Seen(NamedTuple):
    """What was found so far ahead."""

    bounds: Certificate
    answers: int
    """How many answers were followed."""


def look_ahead(game: Game[Any], first: Seat, deadline: float | None = None) -> Seen | None:
    """Bounds for whoever moves first; None where nothing is gained over what is always so."""
    last = time.monotonic() + PATIENCE if deadline is None else deadline
    tree, answers = _deepest(game, first, last)
    if tree is None:
        return None
    stake = float(game.stake)
    request = Request(TARGET, last, begin=time.monotonic())
    low, high = tree.form(beyond=-game.stake), tree.form(beyond=game.stake)
    lower = sequences.certify(low, equilibrium.find(low, request)).lower
    upper = sequences.certify(high, equilibrium.find(high, request)).upper
    bounds = Certificate(max(-stake, lower), min(stake, upper))
    if first == 2:
        bounds = Certificate(-bounds.upper, -bounds.lower)
    return None if bounds == (-stake, stake) else Seen(bounds, answers)


def _deepest(game: Game[Any], first: Seat, last: float) -> tuple[WholeTree | None, int]:
    """The largest tree for which there is room and time, and how far it reaches."""
    found, answers = None, 0
    while time.monotonic() < last:
        try:
            found = WholeTree(game, first, horizon=answers + 1, most=MOST_NODES, until=last)
        except (TooLarge, Unsuited):
            break
        answers += 1
        if not found.goes_on:
            break
    return found, answers
