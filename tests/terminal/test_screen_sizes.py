"""The screen in terminals of every kind: narrow, short, resized, without colour, ASCII alone."""

from __future__ import annotations

import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import Terminal

if TYPE_CHECKING:
    from pathlib import Path


def test_a_resized_terminal_is_drawn_anew_in_its_width(home: Path) -> None:
    with Terminal("play", "numeric-maze", "--first", "1", home=home, columns=100) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.child.send("12")  # half an answer, which the new page does not show
        terminal.resize(40, 24)
        terminal.wait_for("11 12 13", changed=True)
        assert max(map(len, terminal.text.splitlines())) <= 40
        assert "Numeric Maze" in terminal.text.splitlines()[0]
        terminal.type("3", expect="Player 2's turn.")  # 3, and not 123
        terminal.resize(100, 12)
        terminal.wait_for("Player 2's turn.", changed=True)
        terminal.type("2", expect="Player 1's turn.")
        terminal.type("quit", expect="resume")
        assert terminal.end() == 0


def test_signals_while_a_page_is_drawn_do_not_tear_it(home: Path) -> None:
    with Terminal("play", "numeric-maze", "--first", "1", home=home, columns=100) as terminal:
        terminal.wait_for("Player 1's turn.")
        for columns in (80, 40, 90, 40):
            terminal.resize(columns, 24)
            for _ in range(200):
                terminal.child.kill(signal.SIGWINCH)
                time.sleep(0.0003)
        page = terminal.wait_for("11 12 13", changed=True)
        assert page.startswith("Numeric Maze")
        assert page.count("Choose your move") == 1
        assert page.splitlines()[-1].startswith("Choose your move")
        terminal.type("quit", expect="resume")
        assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 60, 120])
@pytest.mark.parametrize("lines", [10, 24])
def test_small_and_wide_terminals_hold_every_page(home: Path, columns: int, lines: int) -> None:
    with Terminal(
        "play", "secret-paths", "--set", "size=9", "--vs", "casual", "--first", "1",
        home=home, columns=columns, lines=lines,
    ) as terminal:  # fmt: skip
        terminal.wait_for("choose your Goal Cell")
        terminal.type("9,5", expect="Enter your move")
        for word in ("help", "rules", "nonsense"):
            page = terminal.type(word, expect="Enter your move")
            assert len(page.splitlines()) <= lines
        terminal.type("quit", expect="resume")
        assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("columns", [20, 26, 34])
@pytest.mark.parametrize("game", ["hidden-path", "numeric-maze", "secret-paths"])
def test_board_and_log_stay_in_sight_where_there_is_little_room(
    home: Path, game: str, columns: int
) -> None:
    with Terminal(
        "play", game, "--vs", "random", "--first", "1", "--seed", "3", home=home, columns=columns
    ) as terminal:
        secret, move, asks = {
            "hidden-path": ("1 2 3", "1", "steps to move"),
            "numeric-maze": ("1", "1", "our move"),
            "secret-paths": ("5,2", "4,2", "our move"),
        }[game]
        terminal.wait_for(":")
        terminal.type(secret, expect=asks)
        page = terminal.type(move, expect=asks)
        joined = re.sub(r"\s+", " ", page)
        stands = r"[│|]|Player 1 is on|The Seeker is on"
        assert re.search(stands, joined), page
        assert re.search("moves to|Seeker moved|Moved to|returns to|now revealed", joined), page
        assert len(page.splitlines()) <= 24


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_without_colour_nothing_is_lost(home: Path, variable: str) -> None:
    environment = {"NO_COLOR": "1"} if variable == "NO_COLOR" else {"TERM": "dumb"}
    with Terminal(
        "play", "hidden-path", "--vs", "random", "--first", "1", home=home, environment=environment
    ) as terminal:
        terminal.wait_for("enter your trap positions")
        terminal.type("1 2 3", expect="Enter steps to move")
        assert "▲" in terminal.text
        colours = re.findall(rb"\x1b\[[0-9;]*m", terminal.bytes)
        coloured = [code for code in colours if re.search(rb"3[0-9]|9[0-7]|38", code)]
        assert not coloured
        if variable == "TERM":
            assert b"\x1b" not in terminal.bytes


def test_a_terminal_that_knows_ascii_alone_gets_ascii_alone(home: Path) -> None:
    with Terminal(
        "play", "hidden-path", "--vs", "random", "--first", "1", "--p1", "Zoë", home=home,
        environment={"LC_ALL": "C"},
    ) as terminal:  # fmt: skip
        terminal.wait_for("enter your trap positions")
        terminal.type("1 2 3", expect="Enter steps to move")
        assert "+--+" in terminal.text
        assert "Zo? against random" in terminal.text
        assert all(byte < 128 for byte in terminal.bytes)
