"""Pinned counts: how many matches and positions there are, turn by turn.

The figures come from the naive referee in `oracle.py`; the referee has to give the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import oracle, rules
from trapline.games import make_game
from trapline.games.hidden_path.game import State as HiddenPathState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game

SECRETS: dict[str, rules.Secrets] = {
    "hidden-path": {1: (4, 7, 9), 2: (3, 6, 8)},
    "trap-builder": {1: (3, 5, 7), 2: (2, 6, 8)},
    "trap-runner": {},
    "secret-paths": {1: (5, 2), 2: (1, 4)},
    "numeric-maze": {},
}

HISTORIES = {
    "hidden-path": [1, 3, 9, 27, 81, 243, 729, 2187, 6084],
    "trap-builder": [1, 3, 6, 12, 23, 27, 49, 53, 59],
    "trap-runner": [1, 3, 9, 54, 324, 1944, 11340, 59580],
    "secret-paths": [1, 8, 64, 398, 2594, 16316, 103952],
    "numeric-maze": [1, 3, 9, 27, 81, 243, 729, 2187, 6561],
}

POSITIONS = {
    "hidden-path": [1, 3, 9, 21, 35, 60, 120, 210, 380],
    "trap-builder": [1, 3, 6, 10, 11, 8, 12, 10, 12],
    "trap-runner": [1, 3, 9, 42, 169, 691, 2607, 7743, 19188],
    "secret-paths": [1, 8, 25, 25, 25, 25, 25, 25, 25],
    "numeric-maze": [1, 3, 9, 15, 25, 45, 81, 99, 121],
}


def turns_from(game: Game[Any], state: Any) -> Iterator[Any]:
    """The state after each whole turn that can be made."""
    for move in rules.legal(game, state):
        after = rules.answer(game, state, move)
        if after.turn > state.turn:
            yield after
        else:
            yield from (rules.answer(game, after, form) for form in rules.legal(game, after))


@pytest.mark.parametrize("name", HISTORIES)
def test_number_of_matches_by_depth(name: str) -> None:
    game = make_game(name)
    layer: list[Any] = [rules.start(game, 1, SECRETS[name])]
    counts = [1]
    for _ in HISTORIES[name][1:]:
        layer = [after for state in layer for after in turns_from(game, state)]
        counts.append(len(layer))
    assert counts == HISTORIES[name]


@pytest.mark.parametrize("name", POSITIONS)
def test_number_of_positions_by_depth(name: str) -> None:
    game = make_game(name)
    layer: dict[Any, Any] = {None: rules.start(game, 1, SECRETS[name])}
    counts = [1]
    for _ in POSITIONS[name][1:]:
        layer = {
            _position(after): after for state in layer.values() for after in turns_from(game, state)
        }
        counts.append(len(layer))
    assert counts == POSITIONS[name]


def _position(state: Any) -> Any:
    """What matters for the future; what a player has learnt does not."""
    traps = getattr(state, "traps", None)
    if isinstance(state, HiddenPathState):  # a sprung trap is gone
        traps = tuple(
            set_ & ~sprung for set_, sprung in zip(state.traps, state.sprung, strict=True)
        )
    place = getattr(state, "positions", None) or state.seeker
    outcome = state.outcome and (state.outcome.winner, state.outcome.reason)
    return place, traps, getattr(state, "returning", None), state.mover, outcome


@pytest.mark.parametrize("name", HISTORIES)
def test_the_pinned_counts_are_those_of_the_naive_referee(name: str) -> None:
    depth = 5
    secrets = {int(seat): list(secret) for seat, secret in SECRETS[name].items()}
    assert oracle.count_histories(name, {}, 1, secrets, depth) == HISTORIES[name][: depth + 1]
    assert oracle.count_positions(name, {}, 1, secrets, depth) == POSITIONS[name][: depth + 1]


@pytest.mark.slow
def test_trap_runner_always_ends_and_never_by_a_wall() -> None:
    """Whoever leads stands beyond every opposing trap, so a game takes at most 19 turns.

    The rulings' wall and turn limit are there all the same; this is why nobody meets them.
    """
    game = make_game("trap-runner", {"turn_limit": 0})
    layer: dict[Any, Any] = {None: game.start(1)}
    positions = depth = 0
    endings = set()
    while layer:
        positions += len(layer)
        depth += 1
        following = {}
        for state in layer.values():
            for after in turns_from(game, state):
                if after.outcome is not None:
                    endings.add(after.outcome.reason)
                else:
                    following[_position(after)] = after
        layer = following
    assert endings == {"goal"}
    assert depth == 19
    assert positions > 100_000
