"""What the tests of Hidden Path's ways to a solution have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.solve import plain
from trapline.core import SEATS
from trapline.games import make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Form, Seat
    from trapline.solve import Outlook


SMALL: list[dict[str, Any]] = [
    {"length": 3, "traps": 2, "max_step": 2},
    {"length": 4, "traps": 2, "goal_traps": False},
    {"length": 5, "traps": 1, "max_step": 2},
    {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False},
    {"length": 8, "traps": 1, "goal_traps": False},
]


def path(options: dict[str, Any]) -> Any:
    return make_game("hidden-path", options)


def asking(policy: Any) -> Any:
    return plain.remembering(policy.chances)


def answers(
    game: Any, policy: Any, rng: Random
) -> Iterator[tuple[Seat, dict[Seat, Form], Outlook]]:
    """What a policy says in every turn of random matches, which is checked to be an answer:
    who moves, what both have hidden, and the outlook."""
    for _ in range(40):
        match = Match(game, rng.choice(SEATS))
        hidden = {}
        for seat in SEATS:
            secrets = plain.secrets(game, seat)
            assert policy.look(match.view(seat)).chances.keys() == set(secrets)
            hidden[seat] = rng.choice(secrets)
            match.play(seat, hidden[seat])
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            outlook = policy.look(view)
            assert set(outlook.chances) == set(outlook.values) == set(view.legal)
            assert sum(outlook.chances.values()) == pytest.approx(1)
            assert all(-1 - 1e-9 <= value <= 1 + 1e-9 for value in outlook.values.values())
            yield mover, hidden, outlook
            match.play(mover, rng.choice(view.legal))
