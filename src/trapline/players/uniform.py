"""The `random` opponent: every allowed secret and every legal move is equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.games import make_game

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Move, Secret, View


def choose(view: View, rng: Random) -> Move | Secret:
    if view.asks == "secret":
        assert view.seat is not None
        return make_game(view.game, view.options).random_secret(view.seat, rng)
    return rng.choice(view.legal)
