"""Records of locked matches in which anything may stand: whoever checks them is told, always."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.locked.playing import finished
from tests.locked.trails import both_on_two
from trapline.referee import parse_record, replay_answer, verify


def faults(record: dict[str, Any]) -> list[str]:
    parsed = parse_record(json.dumps(record).encode())
    return [check.fault for check in verify(parsed) if check.fault]


def _of_turns() -> dict[str, Any]:
    both = both_on_two(first_sets=True)
    both.turn("t")
    both.locked.resign(2)
    both.open_the_rest()
    return dict(json.loads(both.locked.record().to_json()))


def _of_secrets() -> dict[str, Any]:
    record = finished("hidden-path", {}, seed=1).locked.record()
    return dict(json.loads(record.to_json()))


@pytest.mark.parametrize(("name", "digits"), [("asks", 512), ("gives", 576)])
def test_what_is_no_number_is_found(name: str, digits: int) -> None:
    record = _of_turns()
    assert faults(record) == []
    (transfer,) = record["locked"]["transfers"]
    for sign in "zé_ \u0663":
        transfer[name] = "2" + sign * (digits - 2) + "2"
        assert faults(record)


@pytest.mark.parametrize("secrets", [3, "3 5 7", [[3, 5, 7], [2, 6, 8]], {"1": 3}])
def test_secrets_that_are_none_are_found(secrets: Any) -> None:
    assert faults(_of_secrets()) == []
    assert faults({**_of_secrets(), "secrets": secrets})


@pytest.mark.parametrize("pending", [{}, {"1": 1, "2": 2}])
def test_a_pending_answer_of_nobody_or_of_both_is_found(pending: dict[str, Any]) -> None:
    record = {"game": "numeric-maze", "first": 1, "moves": [1], "pending": [pending]}
    assert faults(record)
    assert replay_answer(json.dumps(record).encode())["at"] == 1
