"""What every game in GAMES must do; a sixth game is tested by being listed there."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests import worlds
from trapline.core import NO_TRAP, SEATS, IllegalMove, Seat, View, other
from trapline.games import GAMES, changed_options, make_game
from trapline.match import Match
from trapline.notation import (
    format_secret,
    format_turn,
    parse_secret,
    parse_turn,
    turn_from_json,
    turn_to_json,
)
from trapline.record import parse_record, replay_answer, verify

pytestmark = pytest.mark.parametrize("name", GAMES)

MATCHES = 60


def test_is_listed_under_its_own_name_and_describes_itself(name: str) -> None:
    game = make_game(name)
    assert game.name == name
    assert game.title
    assert game.summary.endswith(".")
    assert changed_options(game) == {}


def test_random_play_ends_with_a_typed_outcome(name: str) -> None:
    rng = Random(name)
    for _ in range(MATCHES):
        match = worlds.random_match(make_game(name, worlds.random_options(name, rng)), rng)
        assert match.outcome is not None
        assert match.outcome.winner in (1, 2, None)
        for seat in (*SEATS, None):
            view = match.view(seat)
            assert view.outcome == match.outcome
            assert view.legal == ()
            assert view.to_move is None
            assert view.asks is None


def test_legal_moves_are_accepted_and_others_refused(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    state = game.start(1, worlds.random_secrets(game, rng))
    while state.outcome is None:
        legal = game.legal(state)
        assert legal
        assert len(set(legal)) == len(legal)
        for move in legal:
            game.apply(state, move)
        for move in _not_moves(game):
            if move not in legal:
                with pytest.raises(IllegalMove, match=r"\.$|y or n\.$"):
                    game.apply(state, move)
        state = game.apply(state, rng.choice(legal))
    assert game.legal(state) == ()


def _not_moves(game: Any) -> list[Any]:
    if game.moves == "cell":
        return [(0, 0), (3, 3), (1, 1), (5, 5), (99, -1), (10**30, 2)]
    return [-1, 0, 4, 11, 10**30, *(["t", "n"] if game.hides_turns else [])]


def test_seats_take_turns(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    for first in SEATS:
        state = game.start(first, worlds.random_secrets(game, rng))
        expected: Seat = first
        while state.outcome is None:
            assert state.mover == expected
            after = game.apply(state, rng.choice(game.legal(state)))
            if after.turn > state.turn:
                assert after.turn == state.turn + 1
                expected = other(expected)
            state = after


def test_turns_survive_text_and_json(name: str) -> None:
    rng = Random(name)
    for _ in range(MATCHES):
        game = make_game(name, worlds.random_options(name, rng))
        for value in worlds.random_record(game, rng)["moves"]:
            turn = turn_from_json(game, value)
            assert turn_to_json(turn) == value
            text = format_turn(turn)
            assert parse_turn(game, text) == turn
            assert format_turn(parse_turn(game, f"  {text.upper()} ")) == text


def test_secrets_survive_text(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    for seat, secret in worlds.random_secrets(game, rng).items():
        text = format_secret(game, secret)
        assert game.check_secret(seat, parse_secret(game, seat, text)) == secret


def test_a_record_brings_the_same_match_back(name: str) -> None:
    rng = Random(name)
    for _ in range(MATCHES):
        match = worlds.random_match(make_game(name, worlds.random_options(name, rng)), rng)
        record = match.record()
        assert [check.what for check in verify(record) if check.fault] == []
        data = record.to_json().encode()
        again = parse_record(data)
        assert again == record
        assert again.to_json().encode() == data
        restored = Match.restore(again)
        for seat in (*SEATS, None):
            assert restored.view(seat) == match.view(seat)
        answer = replay_answer(data)
        assert answer["ok"]
        assert answer["outcome"]["reason"] == match.outcome.reason.value  # type: ignore[union-attr]


def test_undo_by_replay(name: str) -> None:
    """Any earlier moment comes back from the record cut short there."""
    rng = Random(name)
    game = make_game(name)
    record = worlds.random_record(game, rng)
    secrets = {seat: tuple(record.get("secrets", {}).get(str(seat), ())) for seat in SEATS}
    match = Match(game, record["first"])
    if game.secret is not None:
        for seat in SEATS:
            match.choose_secret(seat, secrets[seat])
    for played, value in enumerate(record["moves"]):
        cut = Match.restore(parse_record(_json({**record, "moves": record["moves"][:played]})))
        for viewer in (*SEATS, None):
            assert cut.view(viewer) == match.view(viewer)
        assert match.to_move is not None
        mover = match.to_move
        match.play(mover, *turn_from_json(game, value))
        if match.view(mover).asks == "trap":
            match.play(mover, NO_TRAP)


def _json(record: dict[str, Any]) -> bytes:
    return msgspec.json.encode(record)


def test_views_survive_encoding(name: str) -> None:
    rng = Random(name)
    match = worlds.random_match(make_game(name), rng)
    for seat in (*SEATS, None):
        data = msgspec.json.encode(match.view(seat))
        assert msgspec.json.encode(msgspec.json.decode(data, type=View)) == data


def test_a_spectator_sees_no_secret_before_the_end(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    match = Match(game, 1)
    for seat, secret in worlds.random_secrets(game, rng).items():
        match.choose_secret(seat, secret)
    view = match.view(None)
    assert view.secret is None
    assert view.secrets is None
    assert view.legal == ()
