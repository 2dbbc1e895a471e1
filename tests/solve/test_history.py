"""Where a View is in a model: the same whether or not the match was looked at before."""

from __future__ import annotations

from random import Random

import pytest

from trapline.contest import next_asked
from trapline.core import SECRET
from trapline.games import make_game
from trapline.referee import Match
from trapline.solve.history import Place
from trapline.solve.model import NOTHING, GameModel

GAMES_AND_OPTIONS = [
    ("hidden-path", {"length": 6, "traps": 2}),
    ("trap-builder", {"length": 8, "traps": 1}),
    ("secret-paths", {"size": 5, "turn_limit": 30}),
    ("numeric-maze", {"length": 8, "traps": [3, 6], "turn_limit": 30}),
]


@pytest.mark.parametrize(("name", "options"), GAMES_AND_OPTIONS)
def test_what_was_followed_before_changes_nothing(name: str, options: dict[str, object]) -> None:
    game = make_game(name, options)
    model, afresh = GameModel(game, 1), GameModel(game, 1)
    rng, looks = Random(7), 0
    for number in range(6):
        match = Match(game, 2 if number % 2 and game.mirrors else 1)
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            assert view.question is not None
            if view.question.asks != SECRET:
                afresh.followed = NOTHING
                assert Place(model, view).steps == Place(afresh, view).steps
                looks += 1
            match.play(seat, view.question.record(view.question.random(rng)))
    assert looks > 20
    assert model.followed[0][0]  # something was known before
