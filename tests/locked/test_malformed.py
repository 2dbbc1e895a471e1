"""Records of locked matches in which anything may stand: whoever checks them is told, always."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.locked.playing import finished
from tests.locked.trails import both_on_two
from trapline.referee import parse_record, replay_answer, verify

if TYPE_CHECKING:
    from collections.abc import Callable


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


SPARE = {"seat": 1, "place": "1", "holds": True, "salt": "0" * 64, "turn": 99}
CHANGES: list[Callable[[dict[str, Any]], Any]] = [
    lambda record: record["salts"].popitem(),
    lambda record: record["salts"].update(dict.fromkeys(record["salts"], "0" * 64)),
    lambda record: record["locked"].setdefault("opened", []).append(SPARE),
    lambda record: record["locked"].pop("decided"),
    lambda record: record["locked"].update(late=[1]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_devices_are_said_to_have_said_is_what_they_said(
    change: Callable[[dict[str, Any]], Any],
) -> None:
    """Also where nothing depended on it: whoever looks at that alone would blame a player."""
    for record in (_of_turns(), _of_secrets()):
        change(record)
        assert faults(record)


def test_a_transfer_is_about_the_place_that_was_left() -> None:
    record = _of_turns()
    record["locked"]["transfers"][0]["place"] = "7"
    assert faults(record) == ["what it says of “transfers” is not what was played and opened"]
