"""What a target does to its process, it does to nothing else; and what the command says of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from tests.audit import heaps
from trapline.audit import CHECKS, FaultFound, assert_sound, audit, contained
from trapline.audit.page import MEANINGS, page
from trapline.cli.commands import app
from trapline.core import TraplineError

if TYPE_CHECKING:
    from pathlib import Path

MINUTE = 60.0


def breaking(folder: Path, line: str) -> str:
    """A game in which something terrible happens when three coins are left."""
    wrong = f"{heaps.MOVE}        if self.heap == 3:\n            {line}\n"
    return heaps.written(folder, heaps.TEXT, (heaps.MOVE, wrong))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import os; os._exit(7)", r"step\(3\) ended the process that looked at it \(code 7\)"),
        ("import os; os.kill(os.getpid(), 11)", r"step\(3\) ended the process .*\(signal 11\)"),
        ("self.hog = bytearray(9 << 30)", r"step\(3\) asks for more memory than it was given"),
    ],
)
def test_what_kills_its_process_is_a_crash_with_the_play_that_led_to_it(
    line: str, said: str, tmp_path: Path
) -> None:
    (finding,) = (f for f in audit(breaking(tmp_path, line), MINUTE).findings if f.check == "crash")
    assert re.search(said, finding.sentence)
    assert finding.play == (3,)


def test_what_sleeps_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contained, "PATIENCE", 1.0)
    report = audit(breaking(tmp_path, "import time; time.sleep(999)"), 1.0)
    assert [finding.check for finding in report.findings] == ["endless"]


def test_several_look_at_once_and_their_findings_are_put_together(tmp_path: Path) -> None:
    check, old, new = heaps.FAULTS["nobody may move"]
    report = audit(heaps.written(tmp_path, heaps.TEXT, (old, new)), MINUTE, jobs=2)
    assert [finding.check for finding in report.findings if finding.check == check] == [check]
    assert report.figures.plays > 20


def test_the_command_prints_one_object_and_says_how_it_went(tmp_path: Path) -> None:
    sound = heaps.written(tmp_path, heaps.TEXT)
    done = CliRunner().invoke(app, ["audit", sound, "--json", "--seconds", "60"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["target"] == sound
    assert told["ok"]
    assert told["exhaustive"]
    assert [finding["check"] for finding in told["findings"]] == ["decided"]
    assert told["figures"]["value"] == 1.0
    assert told["figures"]["states"] > 5

    _, old, new = heaps.FAULTS["nobody may move"]
    stuck, to = heaps.written(tmp_path, heaps.TEXT, (old, new)), tmp_path / "report.html"
    done = CliRunner().invoke(app, ["audit", stuck, "--seconds", "60", "--html", str(to)])
    assert done.exit_code == 1
    assert "DEADLOCK  It is not over, and Player" in done.stdout
    assert "play: [2, 3]" in done.stdout
    text = to.read_text("utf-8")
    assert "It is not over, and Player" in text
    assert not re.search(r"<script|src=|href=", text)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("gymnasium:no_such_file.py", "There is no file no_such_file.py"),
        ("gymnasium:no_such_module:Env", "There is no module no_such_module"),
        ("pyspiel:no_such_game", "cannot be made: Unknown game 'no_such_game'"),
        ("no-such-game", "no game called 'no-such-game'"),
    ],
)
def test_what_cannot_be_looked_at_gets_a_sentence(target: str, said: str) -> None:
    with pytest.raises(TraplineError, match=said):
        audit(target, 5)


def test_use_from_pytest(tmp_path: Path) -> None:
    _, old, new = heaps.FAULTS["a winner with ten points"]
    with pytest.raises(FaultFound, match=r"rewards: Play ends with 10 for Player"):
        assert_sound(heaps.written(tmp_path, heaps.TEXT, (old, new)), MINUTE)


def test_every_check_is_explained() -> None:
    assert tuple(MEANINGS) == CHECKS


def test_the_page_of_a_sound_game_lists_what_was_looked_for(tmp_path: Path) -> None:
    text = page(assert_sound(heaps.written(tmp_path, heaps.TEXT), MINUTE))
    for check in CHECKS:
        assert check in text
