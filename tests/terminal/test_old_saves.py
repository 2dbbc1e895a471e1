"""Matches that an older Trapline has kept still open, and go on as they would have."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from trapline.referee import Match, parse_record, verify
from trapline.terminal.saves import Saves

KEPT = (Path(__file__).parent / "old_saves.jsonl").read_text("utf-8").splitlines()


@pytest.fixture(autouse=True)
def _laid_down(home: Path) -> None:
    folder = home / "matches"
    folder.mkdir(parents=True, mode=0o700)
    for line in KEPT:
        (folder / f"{json.loads(line)['id']}.json").write_text(line, "utf-8")


def test_all_of_them_are_found_and_restored() -> None:
    kept = {record.id: record for record in Saves().all()}
    assert len(kept) == len(KEPT)
    for line in KEPT:
        record = kept[json.loads(line)["id"]]
        again = json.loads(Match.restore(record).sealed_record().to_json())
        old = json.loads(line)
        for fields in (old, again):
            fields.pop("saved", None)
        assert again == old


def test_what_was_sealed_still_holds() -> None:
    over = [record for record in map(parse_record, map(str.encode, KEPT)) if record.result]
    assert len(over) == 2
    for record in over:
        assert [check for check in verify(record) if check.fault] == []


@pytest.mark.parametrize(
    ("player", "typed", "shown"),
    [
        ("Claim", "claim\n", "Claim claims the game"),
        (
            "Own",
            "1\nn\nquit\n",
            "Own's Turn",
        ),  # left its own trap, unasked
    ],
)
def test_they_go_on(player: str, typed: str, shown: str) -> None:
    kept = (json.loads(line) for line in KEPT)
    match_id = next(k["id"] for k in kept if k["players"]["1"]["name"] == player)
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "resume", match_id],
        input=typed, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shown in done.stdout


def test_a_turn_whose_trap_question_was_open_asks_it_again() -> None:
    pending = next(json.loads(line) for line in KEPT if '"pending"' in line)
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "resume", pending["id"]],
        input="y\nquit\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Set a trap on square 5, which you just left? (y/n):" in done.stdout
    assert "Player 1 moves to square 8." in done.stdout
