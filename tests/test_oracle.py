"""The referee against a naive one that was written apart from it, over random records."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests import oracle, rules, worlds
from trapline.core import OptionsError
from trapline.games import GAMES, make_game
from trapline.referee import replay_answer

RECORDS = 4_000


def answer(record: dict[str, Any]) -> dict[str, Any]:
    """What `replay --json` says, without its sentence."""
    said = replay_answer(json.dumps(record).encode())
    sentence = said.pop("error", None)
    assert said["ok"] or (isinstance(sentence, str) and sentence.endswith("."))
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_records_replay_as_the_rules_say(name: str) -> None:
    rng = Random(f"replay {name}")
    usual = make_game(name)
    for number in range(RECORDS):
        game = usual if number % 2 else make_game(name, worlds.random_options(name, rng))
        unfinished = rng.randint(0, 12) if rng.random() < 0.2 else None
        record = worlds.random_record(game, rng, unfinished)
        assert answer(record) == oracle.replay(record), record


def spoilt(value: Any, rng: Random) -> Any:
    """A move changed into something that is most likely not allowed."""
    wrong: list[Any] = [
        0,
        -1,
        99,
        10**30,
        True,
        2.0,
        None,
        "2",
        "2T",
        "t",
        "02t",
        [],
        [3],
        [0, 3],
        {},
        "é",
    ]
    return rng.choice([*wrong, [value], f"{value}t", [9, 9], [3, "3"]])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_record_with_one_illegal_move_is_refused_at_that_move(name: str) -> None:
    rng = Random(f"spoil {name}")
    refused = 0
    for _ in range(RECORDS // 2):
        game = make_game(name, worlds.random_options(name, rng) if rng.random() < 0.3 else {})
        record = worlds.random_record(game, rng)
        place = rng.randrange(len(record["moves"]))
        record["moves"][place] = spoilt(record["moves"][place], rng)
        expected = oracle.replay(record)
        refused += expected == {"ok": False, "at": place}
        assert answer(record) == expected, record
    assert refused > RECORDS // 3  # the test would prove little if most changes were harmless


@pytest.mark.parametrize("name", GAMES)
def test_a_move_after_the_end_is_refused_there(name: str) -> None:
    rng = Random(f"late {name}")
    for _ in range(300):
        record = worlds.random_record(make_game(name), rng)
        end = len(record["moves"])
        record["moves"].append(record["moves"][0])
        assert answer(record) == {"ok": False, "at": end}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_legal_moves_are_exactly_those_the_rules_allow(name: str) -> None:
    rng = Random(f"legal {name}")
    for _ in range(150):
        game = make_game(name, worlds.random_options(name, rng))
        record = worlds.random_record(game, rng, rng.randint(0, 15))
        assert _legal_by_referee(record) == oracle.legal_moves(record), record


def _legal_by_referee(record: dict[str, Any]) -> list[Any]:
    """Record-format moves that replay accepts after this record, tried one by one."""
    game = make_game(record["game"], record["options"])
    if game.place == "cell":
        span = range(-1, 11)
        tries: list[Any] = [[row, column] for row in span for column in span]
    else:
        tries = [move for steps in range(-1, 8) for move in (steps, f"{steps}t")]
    return [move for move in tries if answer({**record, "moves": [*record["moves"], move]})["ok"]]


@pytest.mark.parametrize("name", GAMES)
def test_options_are_accepted_exactly_where_they_make_a_game(name: str) -> None:
    rng = Random(f"options {name}")
    values: list[object] = [-1, 0, 1, 2, 3, 4, 5, 8, 9, 98, 99, 100, 10**9, True, False, 2.0, None]
    values += ["landing", "passing", "x", [], [1], [2, 3], [1, 1], ["2"], [0], [50], {}]
    accepted = 0
    for _ in range(4000):
        known = list(oracle.OPTIONS[name])
        chosen = rng.sample(known, rng.randint(0, min(3, len(known))))
        options = {option: rng.choice(values) for option in chosen}
        if rng.random() < 0.03:
            options["colour"] = 1
        try:
            oracle.read_options(name, options)
            expected = True
        except oracle.Refused:
            expected = False
        accepted += expected
        assert _makes_a_game(name, options) == expected, options
    assert accepted > 300


def _makes_a_game(name: str, options: dict[str, object]) -> bool:
    try:
        make_game(name, options)
    except OptionsError:
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_secrets_are_exactly_those_the_rules_allow(name: str) -> None:
    rng = Random(f"secrets {name}")
    for options in [*worlds.SMALL[name], {}]:
        game = make_game(name, options)
        for seat in (1, 2):
            ours = [list(secret) for secret in rules.every_secret(game, seat)]
            assert ours == oracle.secrets(name, options, seat)
            if ours:
                drawn = {rules.random_secrets(game, rng)[seat] for _ in range(len(ours) * 12)}
                assert drawn == {tuple(secret) for secret in ours}
