"""Computer opponents: functions from what a seat may know, and a source of chance, to a choice.

A player is asked for a secret, a move or the answer to a trap question; `view.asks` says
which. It sees the View and nothing else, so what it does not know it cannot use.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from trapline.core import Game, Move, Secret, View
from trapline.players import casual, perfect, sharp, uniform

Choose = Callable[[View, Random], Move | Secret]


class Opponent(NamedTuple):
    choose: Choose
    summary: str
    prepare: Callable[[Game[Any, Any]], None] | None = None
    """Does beforehand what would make the first choice slow."""


PLAYERS: dict[str, Opponent] = {
    "random": Opponent(uniform.choose, "plays anything the rules allow; for a first look"),
    "casual": Opponent(casual.choose, "plays sensibly, like a friend who knows the rules"),
    "sharp": Opponent(sharp.choose, "thinks ahead in worlds that fit what it has seen"),
    "perfect": Opponent(
        perfect.choose, "plays the solution of the game, and waits for mistakes", perfect.prepare
    ),
}
