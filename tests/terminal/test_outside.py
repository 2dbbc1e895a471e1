"""Games from outside at a real terminal: any question, any board, two people or the computer."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.outside.examples import FILES, IDS
from tests.terminal.emulator import PATIENCE, Terminal
from trapline.games import make_game
from trapline.referee import Match, verify
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path

BY_NAME = dict(zip(IDS, map(str, FILES), strict=True))
ENTER = "press Enter when only"


# --- against the computer ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 120])
@pytest.mark.parametrize("opponent", ["casual", "perfect"])
@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_whole_match_against_the_computer(
    home: Path, path: Path, opponent: str, columns: int
) -> None:
    game = make_game(str(path))
    rng = Random(f"{path.stem} {opponent}")
    done: Any = None
    with Terminal("play", str(path), "--vs", opponent, home=home, columns=columns) as terminal:
        terminal.wait_for(game.title)
        while (match := when_asked(terminal, done)).outcome is None:
            done = progress(match)
            question = match.question(1)
            assert question is not None
            terminal.type(question.text(question.random(rng)), expect=game.title)
        over = terminal.wait_for("Rematch")
        assert re.search("wins|drawn", over)
        terminal.type("n", expect="shows it")
        assert terminal.end() == 0
    (record,) = Saves().all()
    assert record.game == game.name
    assert [check for check in verify(record) if check.fault] == []


def when_asked(terminal: Terminal, done: Any) -> Match:
    """The match as it is kept when the person is asked something new, or when it is over."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        terminal.read()
        for record in Saves().all():
            match = Match.restore(record)
            asked = match.outcome is not None or match.question(1) is not None
            if asked and progress(match) != done:
                return match
    raise AssertionError(f"nobody was asked; last screen:\n{terminal.text}")


def progress(match: Match) -> Any:
    record = match.sealed_record()
    return record.secrets, record.moves, record.pending


# --- two people on one device -----------------------------------------------------------


def test_each_of_two_people_sees_their_own_card_alone(home: Path) -> None:
    with Terminal("play", BY_NAME["kuhn"], "--p1", "Ann", "--p2", "Ben", home=home) as terminal:
        dealt = {}
        for name, rival, answer in (("Ann", "Ben", "check"), ("Ben", "Ann", "check")):
            curtain = terminal.wait_for(f"Pass the device to {name}")
            assert not re.search("jack|queen|king", curtain)
            page = terminal.type("", expect=f"{name}'s turn.")
            dealt[name] = re.findall(r"Your card is the (\w+)\.", page)
            assert re.search(rf"{name}'s card +{dealt[name][0]}", page)
            assert re.search(rf"{rival}'s card +hidden", page)
            terminal.type(answer, expect=ENTER if name == "Ann" else "Rematch")
            if name == "Ann":
                assert not re.search("jack|queen|king", terminal.scrollback)
        assert dealt["Ann"] != dealt["Ben"]
        assert re.search("jack|queen|king", terminal.text)  # at the end everything is shown
        terminal.type("n", expect="shows it")
        assert terminal.end() == 0


def test_answers_at_once_are_given_one_after_the_other_behind_the_curtain(home: Path) -> None:
    with Terminal("play", BY_NAME["goofspiel"], home=home) as terminal:
        for one, two in (("4", "1"), ("3", "2"), ("2", "3"), ("1", "4")):
            terminal.wait_for("Pass the device to Player 1")
            terminal.type("", expect="Your card")
            terminal.child.send(one)
            terminal.read()
            assert re.search(r"Player 1's bid +none", terminal.text)  # no echo, nothing yet
            terminal.type("", expect="Press Enter to hide this")
            assert re.search(rf"Player 1's bid +{one}", terminal.text)
            curtain = terminal.type("", expect="Pass the device to Player 2")
            assert re.search(r"Player 1's bid +none", curtain)
            terminal.type("", expect="Your card")
            assert re.search(r"Player 1's bid +none", terminal.text)
            last = two == "4"
            terminal.type(two, expect="Rematch" if last else "Press Enter to hide this")
            assert f"Player 1 bids {one}, Player 2 bids {two}" in terminal.text
            if not last:
                terminal.type("", expect=ENTER)
        assert "moves first" not in terminal.text
        assert "Player 1 wins the game!" in terminal.text


def test_nothing_is_whispered_where_two_people_would_read_it(home: Path) -> None:
    with Terminal("play", BY_NAME["kuhn"], "--plain", home=home) as terminal:
        terminal.wait_for("cannot take back what it shows")
        assert terminal.end() == 2
        assert not re.search("jack|queen|king", terminal.scrollback)


def test_a_pipe_tells_each_player_what_is_theirs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "play", BY_NAME["kuhn"]],
        input="check\nwhat\nbet\npass\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    (first, again) = re.findall(r"turn\.\nYour card is the (\w+)\.\ncheck or bet:\n", done.stdout)
    assert first != again
    assert "'what' is not an answer: type check or bet." in done.stdout
    assert "Player 2 wins the game!" in done.stdout


# --- put away and taken up again --------------------------------------------------------


def trapline(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", *arguments],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_match_goes_on_without_saying_where_its_game_lies() -> None:
    begun = trapline("play", BY_NAME["goofspiel"], given="4\n1\n3\n")
    assert begun.returncode == 1
    assert "goofspiel" in trapline("history").stdout
    over = trapline("resume", given="2\n2\n3\n1\n4\n")
    assert "Player 1 wins the game!" in over.stdout
    (record,) = Saves().all()
    told = trapline("replay", record.id).stdout
    assert "  1. Player 1: 4\n     Player 2: 1\n     Player 1 bids 4, Player 2 bids 1" in told
    assert trapline("verify", record.id).returncode == 0


def test_rules_that_fail_end_the_program_and_keep_the_match(tmp_path: Path) -> None:
    source = (FILES[IDS.index("nim")]).read_text("utf-8")
    broken = tmp_path / "broken.py"
    failing = "    def apply(self, state: State, seat: Seat, answer: int) -> State:\n"
    assert failing in source
    raising = f"{failing}        if state.turn == 1:\n            raise ValueError('no more')\n"
    broken.write_text(source.replace(failing, raising), "utf-8")
    done = trapline("play", str(broken), given="1\n1\n2\n1\n")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "broken.py, line" in done.stderr
    assert "no more" in done.stderr
    assert "The turns before it are kept" in done.stderr
