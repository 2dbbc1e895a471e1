"""The `casual` opponent: plays the way a friend does who knows the rules.

It goes by what the game calls tempting: it wins when it can, remembers what it has seen, and
now and then does something on a whim. It counts no probabilities. Where a game calls nothing
tempting, it thinks ahead in a few worlds, which is a good deal less than `sharp` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import Game
from trapline.games import make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Form, View

WHIM = 0.08
"""How often an answer is given without thinking."""
SETS = 6
"""How many sets come to mind where a whole set is asked for."""
WORLDS = 3
"""In how many worlds it thinks ahead where it has nothing else to go by."""


def choose(view: View, rng: Random) -> Form:
    question = view.question
    assert question is not None  # only who is asked chooses
    game = make_game(view.game, view.options)
    if type(game).instinct is Game.instinct:
        return sharp.best_of(view, sharp.candidates(question, rng, SETS), rng, worlds=WORLDS)
    # Small differences are a matter of mood, and now and then so are larger ones; but nobody
    # overlooks a win or walks into a trap that is plain to see.
    mood = 1.2 if rng.random() > WHIM else 20.0
    considered = sharp.candidates(question, rng, SETS)
    return max(considered, key=lambda answer: game.instinct(view, answer) + rng.uniform(0, mood))
