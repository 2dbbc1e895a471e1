"""`--plain` at a real terminal: lines that keep secrets although nothing is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import Terminal
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path


def test_plain_is_line_by_line_and_keeps_secrets_for_two(home: Path) -> None:
    with Terminal("play", "trap-builder", "--plain", home=home, lines=60) as terminal:
        terminal.wait_for("Player 1, place your traps")
        terminal.type("1 2 9", expect="type show to read it once")
        terminal.type("", expect="Player 2, place your traps")
        terminal.type("3 6 7", expect="type show to read it once")
        terminal.type("show", expect="You chose 3 6 7.")
        terminal.type("", expect="type show to read it once")
        assert "3 6 7" not in terminal.scrollback
        terminal.type("3 6 8", expect="type show to read it once")
        terminal.type("", expect="Player 1, enter your move")
        terminal.type("board", expect="Player 2 is on position 10, goal 0.")
        terminal.type("1", expect="Player 2, enter your move")
        assert "1 2 9" not in terminal.scrollback
        assert "┌" not in terminal.text
        assert b"\x1b" not in terminal.bytes
        terminal.type("1", expect="Player 1 wins the game!")  # onto Player 1's trap on 9
        assert "Player 1's traps: 1, 2, 9." in terminal.scrollback
        terminal.type("n", expect="")
        assert terminal.end() == 0


@pytest.mark.parametrize("columns", [40, 80])
def test_plain_keeps_what_was_chosen_when_something_else_is_refused(
    home: Path, columns: int
) -> None:
    with Terminal(
        "play", "hidden-path", "--plain", home=home, lines=60, columns=columns
    ) as terminal:
        terminal.wait_for("between 1-10")
        terminal.type("4 7 9", expect="or type another:")
        terminal.type("what", expect="What you chose before still stands.")
        terminal.wait_for("or type another:")
        terminal.type("show", expect="4 7 9")
        terminal.wait_for("Press Enter to hide it:")
        terminal.type("", expect="or type another:")
        assert "4 7 9" not in terminal.scrollback
        terminal.type("", expect="Player 2, enter")
        terminal.type("quit", expect="resume")
    (record,) = Saves().all()
    assert record.secrets == {"1": [4, 7, 9]}


@pytest.mark.slow
def test_plain_trap_runner_asks_even_where_a_trap_stands_already(home: Path) -> None:
    """Two people hear one voice: a question that is left out, or sounds different, would tell."""
    turns = [("1", None), ("3", None), ("1", "y"), ("3", "y"), ("1", "n"), ("1", "n")]
    turns += [("1", None), ("1", "n"), ("1", "y")]  # leaves square 1, where a trap may stand
    heard = []
    for first_answer in ("y", "n"):
        turns[2] = ("1", first_answer)
        with Terminal("play", "trap-runner", "--plain", home=home, lines=120) as terminal:
            terminal.wait_for("Enter the number of squares")
            for steps, answer in turns:
                expected = "Set a trap on square" if answer else "Enter the number"
                terminal.type(steps, expect=expected)
                if answer:
                    terminal.type(answer, expect="Enter the number")
            heard.append(terminal.scrollback)
            assert "You set a trap" not in terminal.scrollback
            terminal.type("quit", expect="resume")
    assert heard[0] == heard[1]  # with a trap on 1 and without one
    assert [record.moves for record in Saves().all()] == [
        [1, 3, 1, "3t", 1, 1, 1, 1, "1t"],
        [1, 3, "1t", "3t", 1, 1, 1, 1, 1],
    ]


def test_plain_typing_for_two_never_shows_a_trap_that_one_line_holds(home: Path) -> None:
    with Terminal("play", "trap-runner", "--plain", home=home, lines=60) as terminal:
        terminal.wait_for("Enter the number of squares")
        assert "stays hidden" in terminal.text
        terminal.type("3", expect="Player 2's Turn")
        terminal.type("2", expect="Your Position: Square 3")
        terminal.type("2t", expect="Your Position: Square 2")
        assert "2t" not in terminal.scrollback
        terminal.type("quit", expect="resume")
    (record,) = Saves().all()
    assert record.moves == [3, 2, "2t"]


def test_plain_keeps_words_whole_in_a_narrow_terminal(home: Path) -> None:
    with Terminal(
        "play", "hidden-path", "--plain", "--first", "1", "--p1", "Ann", "--p2", "Ben",
        home=home, columns=40, lines=100,
    ) as terminal:  # fmt: skip
        terminal.wait_for("hidden from Ben):")
        terminal.type("help", expect="quit")
        terminal.type("rules", expect="land exactly")
        terminal.type("4 7 9", expect="or type another:")
        terminal.type("", expect="Ben, enter your trap")
        terminal.type("quit", expect="goes on with")
        words = set(terminal.scrollback.split())
        for sentence in ("stop now; 'trapline resume' goes on later", "type show to read it once,"):
            assert set(sentence.split()) <= words
