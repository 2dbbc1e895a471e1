"""The value of a small game with its certificate, and what is said of choices that never matter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.audit import heaps
from tests.audit.looks import found_in, looked
from tests.audit.test_at_once import PILE
from trapline.audit import proven
from trapline.audit.page import certified, text
from trapline.core import TraplineError

if TYPE_CHECKING:
    from pathlib import Path

LAST_MOVE = "        result = (-1 if action == 2 else 1) * (self.left == 0)\n"
"""Whoever takes the last of five wins, and with three at once they lose."""
TAKES = "        self.left -= action + 1\n"


def certificate_of(target: str, path: Path) -> dict[str, Any]:
    report = looked(target)
    assert "this checks it" in certified(report, path)
    given: dict[str, Any] = json.loads(path.read_bytes())
    assert given["rows"][0][2] == report.figures.value
    assert f"gets {report.figures.value:g}." in text(report)
    return given


def test_a_certificate_is_checked_in_the_environment_itself(tmp_path: Path) -> None:
    target, path = heaps.written(tmp_path, PILE), tmp_path / "value.json"
    certificate_of(target, path)
    assert proven(path) == 1.0


def test_whose_turn_it_is_counts_where_only_the_pile_is_kept(tmp_path: Path) -> None:
    """From three nobody wins, so whoever begins takes two of five."""
    report = looked(heaps.written(tmp_path, PILE))
    assert report.figures.value == 1.0


def test_one_of_a_game_of_open_spiel(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    certificate_of("pyspiel:nim(pile_sizes=1;2,is_misere=False)", path)
    assert proven(path) == 1.0


@pytest.mark.parametrize(
    "forged",
    [
        lambda rows: rows[0].__setitem__(2, -rows[0][2]),
        lambda rows: rows[0][1].pop(),
        lambda rows: rows[0][1][0].__setitem__(1, rows[0][1][1][1]),
        lambda rows: rows[0][1][0].__setitem__(1, 0),
        lambda rows: rows[0][1][0].__setitem__(1, 99),
        lambda rows: rows[0].__setitem__(0, 2),
        lambda rows: [row.__setitem__(2, -row[2]) for row in rows],
    ],
)
def test_one_that_says_something_else_does_not_hold(forged: Any, tmp_path: Path) -> None:
    target, path = heaps.written(tmp_path, PILE), tmp_path / "value.json"
    given = certificate_of(target, path)
    forged(given["rows"])
    path.write_text(json.dumps(given), "utf-8")
    with pytest.raises(TraplineError, match="does not hold"):
        proven(path)


def test_one_of_another_game_does_not_hold(tmp_path: Path) -> None:
    target, path = heaps.written(tmp_path, PILE), tmp_path / "value.json"
    certificate_of(target, path)
    heaps.written(tmp_path, PILE, (LAST_MOVE, "        result = int(self.left == 0)\n"))
    with pytest.raises(TraplineError, match=r"does not hold after \["):
        proven(path)


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '{"target": "x", "rows": []}'])
def test_what_is_none_is_refused_with_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    path.write_text(text, "utf-8")
    with pytest.raises(TraplineError, match="is no certificate of an audit"):
        proven(path)


def test_where_play_need_not_end_there_is_none(tmp_path: Path) -> None:
    back = "        self.left += -action - 1 if action else 0\n"
    report = looked(heaps.written(tmp_path, PILE, (TAKES, back)))
    assert report.certificate is None
    assert certified(report, tmp_path / "value.json").startswith("There is no certificate")
    assert not (tmp_path / "value.json").exists()


def test_moves_that_always_do_the_same_are_told(tmp_path: Path) -> None:
    same = "        self.left = max(0, self.left - max(1, action))\n"
    found = found_in(heaps.written(tmp_path, PILE, (TAKES, same), ("if action < self.left", "")))
    assert "Moves 0 and 1 always do the same." in found["decided"].sentence


def test_moves_that_do_the_same_only_at_times_are_not(tmp_path: Path) -> None:
    at_the_end = "        self.left = max(0, self.left - action - 1)\n"
    clipped = ("if action < self.left]", "]")
    found = found_in(heaps.written(tmp_path, PILE, (TAKES, at_the_end), clipped))
    assert "always do the same" not in msgspec.json.encode([*found.values()]).decode()


def test_who_cannot_change_anything_is_told(tmp_path: Path) -> None:
    changes = [
        (TAKES, "        self.left -= 1\n        self.first = getattr(self, 'first', action)\n"),
        (LAST_MOVE, "        result = (1 if self.first == 2 else -1) * (self.left == 0)\n"),
        ("        self.left = 5\n", "        self.left = 5\n        vars(self).pop('first', 0)\n"),
        ("if action < self.left]", "]"),
        ("np.array([self.left])", "np.array([self.left + 6 * self.first])"),
        ("Box(0, 5,", "Box(0, 17,"),
    ]
    sentence = found_in(heaps.written(tmp_path, PILE, *changes))["decided"].sentence
    assert "No choice of player 2 ever makes a difference to the result." in sentence
    assert "No choice of player 1" not in sentence
