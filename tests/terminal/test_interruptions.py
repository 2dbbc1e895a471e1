"""Whatever stops the program, a finished turn is on disk and the match goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import Terminal
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path

MAZE = ("play", "numeric-maze", "--first", "1")


def saved_moves() -> list[object]:
    (record,) = Saves().all()
    return record.moves


def test_quit_and_resume(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.type("3", expect="Player 2's turn.")
        terminal.type("quit", expect="trapline resume")
        assert terminal.end() == 0
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("Player 2's turn.")
        assert "Player 1 moves to position 3." in terminal.text
        terminal.type("2", expect="Player 1's turn.")
    assert saved_moves() == [3, 2]


@pytest.mark.parametrize("how", ["quit", "killed"])
def test_a_series_that_was_left_between_games_goes_on(home: Path, how: str) -> None:
    with Terminal(
        "play", "numeric-maze", "--best-of", "3", "--first", "1", "--set", "length=2",
        "--set", "traps=", home=home,
    ) as terminal:  # fmt: skip
        terminal.wait_for("game 1 of 3, 0:0")
        terminal.type("2", expect="Press Enter for the next game")
        if how == "quit":
            terminal.type("quit", expect="trapline resume")
            assert terminal.end() == 0
        else:
            terminal.kill()
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("game 2 of 3, 1:0")
        terminal.wait_for("Player 2's turn.")  # the first move alternates
        terminal.type("1", expect="Player 1's turn.")
        terminal.type("2", expect="Player 1 wins the series, 2:0.")


@pytest.mark.slow
@pytest.mark.parametrize("name", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_killed_or_hung_up_in_the_middle_it_goes_on_where_it_was(
    home: Path, name: signal.Signals
) -> None:
    played: list[object] = []
    for steps in (3, 2, 1, 3, 2):
        with Terminal(*(("resume",) if played else MAZE), home=home) as terminal:
            terminal.wait_for("Choose your move")
            following = 2 if len(played) % 2 == 0 else 1
            terminal.type(str(steps), expect=f"Player {following}'s turn.")
            terminal.child.kill(name)
            terminal.child.wait()
        played.append(steps)
        assert saved_moves() == played


def test_control_c_keeps_the_match_and_gives_the_terminal_back(home: Path) -> None:
    with Terminal("play", "hidden-path", "--first", "1", home=home) as terminal:
        terminal.wait_for("press Enter when only")
        terminal.type("", expect="enter your trap positions")
        terminal.press("c")  # in the middle of hidden typing
        terminal.wait_for("trapline resume")
        assert terminal.end() == 130
        assert terminal.bytes.rstrip().endswith(b"goes on with it.")
        assert b"\x1b[?1049l" in terminal.bytes


def test_end_of_input_on_a_terminal_keeps_the_match(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.press("d")
        terminal.wait_for("trapline resume")
        assert terminal.end() == 1


def test_a_trap_runner_step_cannot_be_taken_back_by_pulling_the_plug(home: Path) -> None:
    """The step is on disk before its result is shown, with its question still open."""
    with Terminal("play", "trap-runner", "--vs", "random", "--seed", "1", home=home) as terminal:
        terminal.wait_for("Enter the number of squares")
        terminal.type("3", expect="Your Position: Square 3")
        terminal.type("2", expect="Set a trap on square 3")
        terminal.kill()
    (record,) = Saves().all()
    assert record.pending == [2]
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("Set a trap on square 3")
        terminal.type("y", expect="You set a trap on square 3.")
    (record,) = Saves().all()
    assert record.moves[2] == "2t"


def test_a_killed_match_against_a_seeded_computer_goes_on_the_same(home: Path) -> None:
    arguments = ("play", "numeric-maze", "--vs", "casual", "--seed", "7", "--first", "1")
    with Terminal(*arguments, home=home) as terminal:
        for _ in range(4):
            terminal.wait_for("Choose your move")
            terminal.type("1", expect="Choose your move")
    whole = saved_moves()
    for path in home.glob("matches/*.json"):
        path.unlink()
    for number in range(4):
        start = arguments if number == 0 else ("resume",)
        with Terminal(*start, home=home) as terminal:
            terminal.wait_for("Choose your move")
            terminal.type("1", expect="Choose your move")
            terminal.kill()
    assert saved_moves() == whole


def test_a_menu_that_was_open_for_long_goes_on_from_what_is_on_disk(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.type("quit", expect="resume")
    with Terminal(home=home) as menu:
        menu.wait_for("continue")
        done = subprocess.run(
            [sys.executable, "-m", "trapline", "resume"],
            input="3\n2\n", capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        menu.type("c", expect="Player 1's turn.")
        assert "Player 2 moves to position 2." in menu.text
    assert saved_moves() == [3, 2]


def test_stopped_and_continued_it_hides_what_is_private(home: Path) -> None:
    """Control-Z leaves no page behind, and blind typing stays blind afterwards."""
    with Terminal(home=home, in_shell=True, environment={"PS1": "ready: "}) as terminal:
        terminal.wait_for("ready:")
        command = f"{sys.executable} -m trapline play hidden-path --first 1"
        terminal.type(command, expect="press Enter when only")
        terminal.type("", expect="enter your trap positions")
        terminal.press("z")
        terminal.wait_for("Stopped")
        assert "enter your trap positions" not in terminal.text
        terminal.type("fg", expect="enter your trap positions")
        terminal.child.send("7 8 9")
        time.sleep(0.3)
        terminal.read()
        assert "7 8 9" not in terminal.text
        terminal.type("", expect="You chose 7 8 9.")


ANSWERS = {
    "hidden-path": (["1 2 3"], "Enter steps to move"),
    "trap-builder": (["7 8 9"], "enter your move"),
    "trap-runner": ([], "Enter the number of squares"),
    "secret-paths": (["5,1"], "Enter your move"),
    "numeric-maze": ([], "Choose your move"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_every_game_is_resized_killed_resumed_left_and_resumed(home: Path, name: str) -> None:
    opening, prompt = ANSWERS[name]
    start = ("play", name, "--vs", "random", "--first", "1", "--seed", "6")
    with Terminal(*start, home=home) as terminal:
        for secret in opening:
            terminal.wait_for("Player 1, ")
            terminal.type(secret, expect=prompt)
        terminal.wait_for(prompt)
        terminal.resize(44, 30)
        terminal.wait_for(prompt, changed=True)
        assert max(map(len, terminal.text.splitlines())) <= 44
        terminal.kill()
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for(prompt)
        terminal.type("quit", expect="trapline resume")
        assert terminal.end() == 0
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for(prompt)
        terminal.type("resign", expect="do you really resign")
        terminal.type("y", expect="Rematch")
        terminal.type("n", expect="resigns")
        assert terminal.end() == 0
    (record,) = Saves().all()
    assert record.result is not None


def test_one_match_is_played_in_one_window(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        done = subprocess.run(
            [sys.executable, "-m", "trapline", "resume"],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert "being played in another window" in done.stderr
