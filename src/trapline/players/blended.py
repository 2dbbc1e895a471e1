"""Players of any strength between `random` and `perfect`, by how often each of two answers.

Somebody who plays better does not play otherwise, but finds the right answer more often. So each
answer is drawn anew: with some chance it is the stronger player's, otherwise the weaker one's.
Strength is a number from 0, `random`, over `CASUAL` to 100, `perfect`, in even steps: how often
somebody between those two finds the solution's answer, the game says (`Game.mastery`), and a cross
table shows whether it is right (`python -m bench.levels`, docs/solving.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.players import casual, perfect, uniform

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from trapline.core import Form, Game, View

CASUAL = 20
"""The strength of the `casual` level."""
PERFECT = 100
STRENGTHS = {"random": 0, "casual": CASUAL, "keen": 47, "expert": 74, "perfect": PERFECT}
"""The levels that lie on this scale."""


def chooser(strength: int) -> Callable[[View, Random], Form]:
    """How a player of this strength answers."""

    def choose(view: View, rng: Random) -> Form:
        if strength < CASUAL:
            better = rng.random() * CASUAL < strength
            return casual.choose(view, rng) if better else uniform.choose(view, rng)
        way = (strength - CASUAL) / (PERFECT - CASUAL)
        better = rng.random() < way ** make_game(view.game, view.options).mastery
        return perfect.choose(view, rng) if better else casual.choose(view, rng)

    return choose


def preparer(strength: int) -> Callable[[Game[Any]], None] | None:
    """Whoever never plays the solution needs none."""
    return perfect.prepare if strength > CASUAL else None


def stand_in(strength: int) -> Callable[[Game[Any]], str] | None:
    return perfect.stand_in if strength > CASUAL else None
