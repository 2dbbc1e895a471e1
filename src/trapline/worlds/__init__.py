"""Positions of anybody's game behind one interface: one file for each kind of environment.

`world` says what a position is: who acts, what is legal, what comes after, what each player is
shown. Whoever searches a game, for leaks or for other faults, asks that and knows no kind.
"""

from __future__ import annotations

from trapline.worlds.live import go_alike
from trapline.worlds.subjects import subject_of
from trapline.worlds.world import Node, Stuck, Subject, World, all_alike, everything, playout

__all__ = [
    "Node",
    "Stuck",
    "Subject",
    "World",
    "all_alike",
    "everything",
    "go_alike",
    "playout",
    "subject_of",
]
