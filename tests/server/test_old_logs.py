"""Logs that earlier versions wrote still make the same matches.

`logs/old.jsonl` holds logs of every rulebook, written before questions were sent: with secrets
under their own command, turns that waited for `go on`, counted refusals, and draws offered in
the middle of a turn. Beside each stands the record that its match had then.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trapline.games import GAMES
from trapline.referee import parse_record, verify
from trapline.server.messages import GoOn, Play, Request
from trapline.server.refusals import Refusal
from trapline.server.room import Room

KEPT: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("logs").joinpath("old.jsonl").read_text().splitlines()
]


def read(kept: dict[str, Any]) -> Room:
    return Room.read("0" * 16, [json.dumps(entry).encode() for entry in kept["log"]])


def test_finished_matches_have_the_records_they_had() -> None:
    played = set()
    for kept in KEPT:
        if kept["record"] is not None:
            room = read(kept)
            assert json.loads(room.record()) == kept["record"]
            assert [c for c in verify(parse_record(room.record())) if c.fault] == []
            assert room.frames().frames[-1].turn == len(kept["record"]["moves"])
            played.add(room.opening.game)
    assert played == set(GAMES)
    commands = [entry["command"] for kept in KEPT for entry in kept["log"] if "command" in entry]
    told = {command["do"] for command in commands}
    assert {"secret", "play", "go on", "offer draw"} <= told
    assert any(entry.get("refused") for kept in KEPT for entry in kept["log"])


def test_a_turn_that_waited_goes_on() -> None:
    """It is a question with one answer now, which the old command gives as well as the new one."""
    (waiting,) = (kept for kept in KEPT if kept["record"] is None)
    for command in (GoOn(), Play("n")):
        room = read(waiting)
        question = room.view(1).question
        assert question is not None
        assert question.forced
        assert room.view(2).draw_offer is None
        room.act(1, Request("on", room.version(1), command))
        assert room.view(1).to_move == 2
        assert room.view(2).draw_offer == 1
        with pytest.raises(Refusal, match="nothing to go on with"):
            room.act(1, Request("again", room.version(1), GoOn()))
