"""Matches of environments that are written down and read again, or copied."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pyspiel
import pytest

from tests.adapters.outside import KUHN
from trapline.adapters import open_spiel
from trapline.adapters.numbered import NumberedMatch
from trapline.core import SEATS
from trapline.games import GAMES, make_game
from trapline.simulate.encoding import Encoding, _questions


def again(what: Any) -> Any:
    return pickle.loads(pickle.dumps(what))  # noqa: S301 (our own)


def played(game: str, actions: int) -> Any:
    """A state of OpenSpiel after so many actions."""
    state = pyspiel.load_game(open_spiel.register(game)).new_initial_state()
    rng = Random(7)
    for _ in range(actions):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def written(state: Any) -> str:
    return str(pyspiel.serialize_game_and_state(state.get_game(), state))


@pytest.mark.parametrize("game", [*GAMES, KUHN])
def test_an_encoding_that_was_kept_knows_its_own_questions_and_no_others(game: str) -> None:
    """They are known by where they lie in memory, and what lies there may be another one's."""
    for kept in (again, copy.deepcopy):
        encoding = kept(Encoding(make_game(game)))
        held = {id(question) for question in _questions(vars(encoding.game))}
        assert set(encoding._known_objects) <= held
        assert {id(question) for question in encoding.questions} <= set(encoding._known_objects)


@pytest.mark.parametrize("game", [*GAMES, KUHN])
@pytest.mark.parametrize("actions", [1, 3])
def test_a_state_is_written_alike_whoever_has_looked_at_it(game: str, actions: int) -> None:
    state, other = played(game, actions), played(game, actions)
    for player in range(2):
        other.information_state_string(player)
        other.legal_actions(player)
    assert written(state) == written(other)
    assert len(written(state)) < 2000


@pytest.mark.parametrize("game", [*GAMES, KUHN])
@pytest.mark.parametrize("actions", [0, 1, 2, 3])
def test_a_state_that_was_kept_goes_on_as_it_would_have(game: str, actions: int) -> None:
    state = played(game, actions)
    _, kept = pyspiel.deserialize_game_and_state(written(state))
    rng = Random(3)
    while not state.is_terminal():
        assert kept.legal_actions() == state.legal_actions()
        if not state.is_chance_node():
            for player in range(2):
                known = state.information_state_string(player)
                assert kept.information_state_string(player) == known
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        kept.apply_action(action)
    assert kept.is_terminal()
    assert kept.returns() == state.returns()


def test_a_match_that_deals_by_itself_draws_on_as_it_would_have() -> None:
    match = NumberedMatch(Encoding(make_game(KUHN)), rng=Random(5))
    kept = again(match)
    while match.actor is not None:
        assert [kept.view(seat) for seat in SEATS] == [match.view(seat) for seat in SEATS]
        action = match.legal(match.actor)[0]
        match.act(action)
        kept.act(action)
    assert kept.outcome == match.outcome
