"""Records: reading anything, and proving that nothing was changed."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings

from tests import rules, worlds
from trapline.core import Outcome
from trapline.games import GAMES, make_game
from trapline.referee import Match, Record, parse_record, replay_answer, verify
from trapline.referee.commitments import commitment

GOOD: dict[str, Any] = {
    "game": "hidden-path",
    "options": {},
    "first": 1,
    "secrets": {"1": [4, 7, 9], "2": [3, 6, 8]},
    "moves": [2, 3, 1],
}


def answer(record: Any) -> dict[str, Any]:
    return replay_answer(json.dumps(record).encode())


def test_the_answer_to_a_record() -> None:
    assert answer(GOOD) == {
        "ok": True,
        "turns": [
            {"by": 1, "positions": [2, 0]},
            {"by": 2, "positions": [2, 3]},
            {"by": 1, "positions": [0, 3]},
        ],
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"game": "chess"}, "record"),
        ({"game": None}, "record"),
        ({"game": ["hidden-path"]}, "record"),
        ({"first": 3}, "record"),
        ({"first": True}, "record"),
        ({"first": "toss"}, "record"),
        ({"first": 1.0}, "record"),
        ({"moves": None}, "record"),
        ({"moves": {"0": 2}}, "record"),
        ({"moves": "123"}, "record"),
        ({"options": []}, "options"),
        ({"options": None}, "options"),
        ({"options": {"length": 0}}, "options"),
        ({"options": {"length": "12"}}, "options"),
        ({"options": {"length": 10.0}}, "options"),
        ({"options": {"length": float("nan")}}, "options"),
        ({"options": {"length": 10**400}}, "options"),
        ({"options": {"size": 5}}, "options"),
        ({"options": {"walls": 1}}, "options"),
        ({"secrets": None}, "secrets"),
        ({"secrets": []}, "secrets"),
        ({"secrets": {"1": [4, 7, 9]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 3, 8]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, 11]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, -8]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, 8.0]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, True]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, None]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [[3], [6], [8]]}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": "368"}}, "secrets"),
        ({"secrets": {"1": [4, 7, 9], "2": [3, 6, 10**400]}}, "secrets"),
        ({"moves": [2, float("nan")]}, 1),
        ({"moves": [2, float("inf")]}, 1),
        ({"moves": [2, 10**400]}, 1),
        ({"moves": [2, 10**4200]}, 1),
        ({"moves": [2, -1]}, 1),
        ({"moves": [2, 3, "1"]}, 2),
        ({"moves": [2, 3, [1]]}, 2),
        ({"moves": [True]}, 0),
    ],
)
def test_what_is_wrong_is_named_where_it_is(changes: dict[str, Any], at: Any) -> None:
    said = answer({**GOOD, **changes})
    assert said["ok"] is False
    assert said["at"] == at
    assert said["error"].endswith(".")
    assert len(said["error"]) < 300


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"3",
        b"{",
        b'{"game": "hidden-path"',
        b"\xff\xfe\x00",
        b'{"game": "\xff"}',
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b"1" * 10_000_000,
        b'"' + b"x" * 10_000_000,
        b'{"game": "hidden-path", "first": 1, "moves": [' + b"1," * 3_000_000 + b"1]}",
        b'{"moves": ' + b"[" * 900 + b"]" * 900 + b', "game": "trap-runner", "first": 1}',
        b'{"moves": [' + b"[" * 900 + b"]" * 900 + b'], "game": "trap-runner", "first": 1}',
        b'{"game": "hidden-path", "first": 1, "moves": [], "secrets": {"1": '
        + b"[" * 900
        + b"]" * 900
        + b', "2": [1,2,3]}}',
        b'{"game": "numeric-maze", "first": 1, "moves": [], "options": {"traps": '
        + b"[" * 900
        + b"]" * 900
        + b"}}",
        b'{"game": "\\ud800", "first": 1, "moves": []}',
        b'{"game": "numeric-maze", "first": 1, "moves": ["\\ud800\\u001b[2J"]}',
        b'{"game": "numeric-maze", "first": 1, "moves": [1], "options": {"length": "\\ud800"}}',
        b'{"game": "trap-builder", "first": 1, "moves": [1], "options": {"trigger": "\\ud800"}}',
    ],
    ids=range(21),
)
def test_malformed_bytes_get_an_answer_and_never_a_traceback(data: bytes) -> None:
    said = replay_answer(data)
    assert said["ok"] is False
    assert said["error"].isascii()
    assert said["error"].isprintable()
    json.dumps(said)


def test_a_field_that_is_no_text_is_as_good_as_one_that_is_not_known() -> None:
    """Half of a surrogate pair, for instance: one such line would end a run over many records."""
    for name in ("players", "result", "series", "locked"):
        for value in ("\ud800", {"\ud800": 1}, {"1": "\ud800"}, {"reason": "\ud800", "winner": 1}):
            assert answer({**GOOD, name: value}) == answer(GOOD)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from([*GOOD, "result", "players", "salts"]), json_values))
@settings(max_examples=400)
def test_any_values_in_any_fields_get_an_answer(fields: dict[str, Any]) -> None:
    for record in (fields, {**GOOD, **fields}):
        said = answer(record)
        assert said["ok"] or said["at"] in ("record", "options", "secrets", *range(10))


@given(st.binary(max_size=200))
@example(b'{"game": "numeric-maze", "first": 1, "moves": [], "options": {"\\u0000": 1}}')
@settings(max_examples=400)
def test_any_bytes_get_an_answer(data: bytes) -> None:
    assert replay_answer(data)["ok"] is False


def test_unknown_fields_and_unusable_extras_are_ignored() -> None:
    extras = {"event": {"deep": [1]}, "players": 7, "result": "none of your business", "id": 5}
    assert answer({**GOOD, **extras}) == answer(GOOD)


def test_options_may_be_absent() -> None:
    record = {key: value for key, value in GOOD.items() if key != "options"}
    assert answer(record) == answer(GOOD)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"winner": 2, "reason": "resigned"}, {"winner": 2, "reason": "resigned"}),
        ({"winner": None, "reason": "agreed draw"}, {"winner": None, "reason": "agreed draw"}),
        ({"winner": 1, "reason": "time"}, {"winner": 1, "reason": "time"}),
        ({"winner": None, "reason": "time"}, {"winner": None, "reason": "time"}),
        ({"winner": None, "reason": "resigned"}, None),
        ({"winner": 1, "reason": "agreed draw"}, None),
        ({"winner": 1, "reason": "goal"}, None),
        ({"winner": 3, "reason": "resigned"}, None),
    ],
)
def test_a_stated_result_counts_only_where_the_moves_cannot_tell(result: Any, outcome: Any) -> None:
    assert answer({**GOOD, "result": result})["outcome"] == outcome
    finished = {**GOOD, "moves": [2, 3, 1, 2, 3, 3, 3, 2], "result": result}
    assert answer(finished)["outcome"] == {"winner": 2, "reason": "goal"}


# --- commitments ------------------------------------------------------------------------


def test_a_commitment_can_be_recomputed_with_nothing_of_ours() -> None:
    text = '["trapline commitment 1","hidden-path","m1",1,"secret",[4,7,9],"ab"]'
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert commitment("hidden-path", "m1", 1, "secret", (4, 7, 9), "ab") == expected


def finished(name: str, seed: int) -> Record:
    return worlds.random_match(make_game(name), Random(seed)).record()


def faults(record: Record) -> list[str]:
    return [check.what for check in verify(record) if check.fault is not None]


@pytest.mark.parametrize("name", GAMES)
def test_an_honest_record_holds(name: str) -> None:
    for seed in range(20):
        assert faults(finished(name, seed)) == []


@pytest.mark.parametrize("name", ["hidden-path", "trap-builder", "secret-paths"])
def test_a_changed_secret_is_named(name: str) -> None:
    record = finished(name, 3)
    assert record.secrets is not None
    game = make_game(name)
    others = [
        list(secret)
        for secret in rules.every_secret(game, 2)
        if list(secret) != record.secrets["2"]
    ]
    noun = "Goal Cell" if name == "secret-paths" else "traps"
    for changed in others:
        forged = parse_record(record.to_json().encode())
        forged.secrets = {**record.secrets, "2": changed}
        assert f"Player 2's {noun}" in faults(forged)
        assert f"Player 1's {noun}" not in faults(forged)


def test_a_changed_trap_decision_is_named_by_its_turn() -> None:
    match = Match(make_game("trap-runner"), 1)
    for turn in ((3,), (1,), (2, "n"), (1, "t"), (3, "n"), (1, "n"), (2,)):
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    record = match.record()
    assert faults(record) == []
    record.moves[2] = "2t"
    assert faults(record) == ["Player 1's trap decision in turn 3"]


@pytest.mark.parametrize("name", GAMES)
def test_any_tampering_is_found(name: str) -> None:
    honest = finished(name, 11)

    def forged(**changes: Any) -> list[str]:
        copy = parse_record(honest.to_json().encode())
        for field, value in changes.items():
            setattr(copy, field, value)
        return faults(copy)

    assert forged(moves=honest.moves[:-1])
    assert forged(moves=[*honest.moves, honest.moves[-1]])
    assert forged(first=3 - honest.first)
    assert forged(result=None)
    assert forged(started="2999-01-01T00:00:00.000+00:00")
    assert forged(started="")
    assert forged(ended="")
    if honest.commitments:
        assert forged(id="another match")
        assert forged(salts={})
        assert forged(commitments={})
        key = next(iter(honest.salts))
        assert forged(salts={**honest.salts, key: "0" * 64})


def test_an_unfinished_match_proves_nothing_yet() -> None:
    match = Match(make_game("numeric-maze"), 1)
    match.play(1, 1)
    record = match.sealed_record()
    later = {check.what for check in verify(record) if check.later}
    assert later == {"the result follows from the moves", "it ended after it started"}
    assert not [check for check in verify(record) if check.fault]
    record.result = Outcome(1, "goal")  # claimed, but not reached
    (claimed,) = [check for check in verify(record) if check.what.startswith("the result")]
    assert "not finished" in str(claimed.fault)


def test_a_record_says_who_played_when_and_how_it_ended() -> None:
    match = Match(make_game("hidden-path"), 1)
    match.resign(1)
    fields = json.loads(match.record().to_json())
    assert list(fields)[:5] == ["game", "options", "first", "secrets", "moves"]
    assert fields["players"] == {"1": {"name": "Player 1"}, "2": {"name": "Player 2"}}
    assert fields["started"] <= fields["ended"]
    assert fields["result"] == {"winner": 2, "reason": "resigned"}


def test_a_match_that_ended_before_it_began_is_a_sound_record() -> None:
    match = Match(make_game("hidden-path"), 1)
    match.play(1, [1, 2, 3])
    match.resign(2)
    record = match.record()
    assert faults(record) == []
    said = replay_answer(record.to_json().encode())
    assert said == {"ok": True, "turns": [], "outcome": {"winner": 1, "reason": "resigned"}}


def test_trap_runner_and_numeric_maze_have_no_secrets_field() -> None:
    for name in ("trap-runner", "numeric-maze"):
        assert "secrets" not in json.loads(finished(name, 1).to_json())
