"""The full screen in a real terminal: which screen opens, what is left behind, kill and resume."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import PATIENCE, TRAPS, Terminal
from trapline.games import GAMES
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path

CURTAIN = "Only I can see it"


def full(
    *arguments: str,
    home: Path,
    columns: int = 100,
    lines: int = 30,
    alternate: bool = True,
    environment: dict[str, str] | None = None,
) -> Terminal:
    still = {"TRAPLINE_SCREEN": "", "TEXTUAL_ANIMATIONS": "none", **(environment or {})}
    return Terminal(
        *arguments, home=home, columns=columns, lines=lines, alternate=alternate, environment=still
    )


def press(terminal: Terminal, keys: str, *, expect: str) -> str:
    """Keys without Enter, until the screen shows something after them."""
    terminal.child.send(keys)
    return terminal.wait_for(expect, changed=True)


# --- which screen opens -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "lines", "environment", "arguments", "shows"),
    [
        (100, 30, {}, (), "leave"),
        (40, 18, {}, (), "leave"),
        (39, 30, {}, (), "Type help at any question"),
        (100, 17, {}, (), "Type help at any question"),
        (100, 30, {"TRAPLINE_SCREEN": "typed"}, (), "Type help at any question"),
        (100, 30, {"LC_ALL": "C"}, (), "Type help at any question"),
        (100, 30, {"TERM": "dumb"}, (), "Type help at any question"),
        (100, 30, {}, ("--plain",), "Type help at any question"),
    ],
)
def test_the_terminal_and_its_user_decide_which_screen_opens(
    home: Path,
    columns: int,
    lines: int,
    environment: dict[str, str],
    arguments: tuple[str, ...],
    shows: str,
) -> None:
    with full(
        "play", "numeric-maze", "--first", "1", *arguments,
        home=home, columns=columns, lines=lines, environment=environment,
    ) as terminal:  # fmt: skip
        page = " ".join(terminal.wait_for("Player 1's turn.").split())
        assert shows in page
        in_lines = arguments == ("--plain",) or environment.get("TERM") == "dumb"
        assert (b"\x1b[?1049h" in terminal.bytes) == (not in_lines)


def test_a_pipe_never_loads_the_full_screen() -> None:
    script = (
        "import sys, io; sys.argv = ['trapline', 'play', 'numeric-maze'];"
        "sys.stdin = io.StringIO('3\\nquit\\n')\n"
        "from trapline.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('textual' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


# --- privacy ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("alternate", [True, False])
def test_secrets_reach_neither_the_other_nor_the_scrollback(home: Path, alternate: bool) -> None:
    with full("play", "hidden-path", "--first", "1", home=home, alternate=alternate) as terminal:
        terminal.wait_for(CURTAIN)
        press(terminal, "\r", expect="0 of 3")
        own = press(terminal, "678", expect="Chosen: 6 7 8")
        assert "3 of 3" in own
        curtain = press(terminal, "\r", expect=CURTAIN)
        assert "6 7 8" not in terminal.scrollback
        assert not re.search(TRAPS, curtain)
        press(terminal, "\r", expect="0 of 3")
        press(terminal, "120", expect="Chosen: 1 2 10")
        press(terminal, "\r", expect=CURTAIN)
        page = press(terminal, "\r", expect="Player 1's Move")
        assert page.count("▲") == 4  # three traps and the legend
        curtain = press(terminal, "3", expect=CURTAIN)
        assert not re.search(TRAPS, terminal.scrollback)
        page = press(terminal, "\r", expect="Player 2's Move")
        assert "▲" not in terminal.scrollback
        press(terminal, "q", expect="trapline resume")
        assert terminal.end() == 0
        assert not re.search(TRAPS, terminal.scrollback)
        assert b"\x1b[3J" not in terminal.bytes  # the user's own scrollback is left alone


def test_stopped_and_continued_it_hides_what_is_private(home: Path) -> None:
    environment = {"PS1": "ready: ", "TRAPLINE_SCREEN": "", "TEXTUAL_ANIMATIONS": "none"}
    with Terminal(home=home, in_shell=True, columns=100, environment=environment) as terminal:
        terminal.wait_for("ready:")
        terminal.type(f"{sys.executable} -m trapline play hidden-path --first 1", expect=CURTAIN)
        press(terminal, "\r", expect="0 of 3")
        press(terminal, "789", expect="Chosen: 7 8 9")
        terminal.press("z")
        terminal.wait_for("Stopped")
        assert "7 8 9" not in terminal.text
        terminal.type("fg", expect="Chosen: 7 8 9")


# --- whatever stops it ------------------------------------------------------------------

OPENING = {"hidden-path": "123\r", "trap-builder": "789\r", "secret-paths": " \r"}
ASKS = {
    "hidden-path": "Enter steps to move",
    "trap-builder": "enter your move",
    "trap-runner": "Enter the number of squares",
    "secret-paths": "Enter your move",
    "numeric-maze": "Choose your move",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_resized_killed_resumed_left_and_resumed(home: Path, name: str) -> None:
    start = ("play", name, "--vs", "random", "--first", "1", "--seed", "6")
    with full(*start, home=home) as terminal:
        terminal.wait_for("leave")
        if name in OPENING:
            terminal.child.send(OPENING[name])
        terminal.wait_for(ASKS[name][:8])
        for columns, lines in ((40, 24), (200, 50), (60, 20)):
            terminal.resize(columns, lines)
            page = terminal.wait_for("leave", changed=True)
            assert max(map(len, page.splitlines())) <= columns
        terminal.kill()
    with full("resume", home=home) as terminal:
        terminal.wait_for(ASKS[name])
        press(terminal, "q", expect="trapline resume")
        assert terminal.end() == 0
    with full("resume", home=home) as terminal:
        terminal.wait_for(ASKS[name])
        press(terminal, "x", expect="do you really resign")
        press(terminal, "y", expect="What next?")
        press(terminal, "q", expect="resigns")
        assert terminal.end() == 0
        assert "resigns" in terminal.scrollback  # the last page stays on the terminal
    (record,) = Saves().all()
    assert record.result is not None


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_killed_or_hung_up_it_goes_on_where_it_was(home: Path, number: signal.Signals) -> None:
    with full("play", "numeric-maze", "--first", "1", home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        press(terminal, "3", expect="Player 2's turn.")
        terminal.child.kill(number)
        terminal.child.wait()
    (record,) = Saves().all()
    assert record.moves == [3]


def test_control_c_keeps_the_match_and_gives_the_terminal_back(home: Path) -> None:
    with full("play", "hidden-path", "--first", "1", home=home) as terminal:
        terminal.wait_for(CURTAIN)
        terminal.press("c")
        terminal.wait_for("trapline resume")
        assert terminal.end() == 130
        assert terminal.bytes.rstrip().endswith(b"goes on with it.")
        assert b"\x1b[?1049l" in terminal.bytes


@pytest.mark.slow
def test_a_trap_runner_step_cannot_be_taken_back_by_pulling_the_plug(home: Path) -> None:
    with full("play", "trap-runner", "--vs", "random", "--seed", "1", home=home) as terminal:
        terminal.wait_for("Your Position: Square 0")
        press(terminal, "3", expect="Your Position: Square 3")
        press(terminal, "2", expect="Set a trap on square 3")
        terminal.kill()
    (record,) = Saves().all()
    assert record.pending == [2]
    with full("resume", home=home) as terminal:
        terminal.wait_for("Set a trap on square 3")
        press(terminal, "y", expect="You set a trap on square 3.")


def test_without_colour_nothing_is_lost(home: Path) -> None:
    with full(
        "play", "hidden-path", "--vs", "random", "--first", "1", home=home,
        environment={"NO_COLOR": "1"},
    ) as terminal:  # fmt: skip
        terminal.wait_for("0 of 3")
        press(terminal, "123", expect="Chosen: 1 2 3")
        page = press(terminal, "\r", expect="Enter steps to move")
        assert page.count("▲") == 4


def test_the_menu_opens_on_the_full_screen(home: Path) -> None:
    with full(home=home, columns=80, lines=24) as terminal:
        terminal.wait_for("Mind where you step")
        press(terminal, "5", expect="Opponent")
        press(terminal, "2", expect="Numeric Maze: Player 1 against random")
        press(terminal, "q", expect="Continue")
        terminal.child.send("q")
        assert terminal.end() == 0


def test_a_closed_window_ends_the_program_and_frees_the_match(home: Path) -> None:
    """With the terminal gone nothing can be drawn any more, and nobody can press a key."""
    with full("play", "numeric-maze", "--first", "1", home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        press(terminal, "3", expect="Player 2's turn.")
        terminal.child.ptyproc.fileobj.close()
        terminal.child.closed = terminal.child.ptyproc.closed = True
        deadline = time.monotonic() + PATIENCE
        while terminal.child.isalive() and time.monotonic() < deadline:
            time.sleep(0.05)
        still_there = terminal.child.isalive()
        if still_there:
            terminal.kill()
        assert not still_there
    (record,) = Saves().all()
    assert record.moves == [3]
    Saves().lock(record.id)  # nobody else holds it


def test_a_variant_of_ones_own_is_worked_out_beside_the_screen(home: Path) -> None:
    """In a process of its own, which cannot be given what the screen takes for standard error."""
    with full(home=home) as terminal:
        terminal.wait_for("Mind where you step")
        press(terminal, "2", expect="Longest move, in positions")
        terminal.child.send("\x1b[B" * 6)
        press(terminal, "\x1b[D", expect="usually 3")
        terminal.wait_for("This variant is")
