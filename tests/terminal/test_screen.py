"""Whole matches at a real terminal: what stands on the screen, and what never does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import TRAPS, Terminal
from trapline.referee import verify
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path

ENTER = "press Enter when only"
HIDE = "Press Enter to keep"


def hand_over(terminal: Terminal, *, expect: str) -> None:
    terminal.wait_for(ENTER)
    terminal.type("", expect=expect)


def choose(terminal: Terminal, secret: str, prompt: str) -> None:
    hand_over(terminal, expect=prompt)
    terminal.type(secret, expect=HIDE)
    terminal.type("", expect=ENTER)


@pytest.mark.slow
@pytest.mark.parametrize("alternate", [True, False])
def test_hidden_path_for_two_on_one_device(home: Path, alternate: bool) -> None:
    with Terminal(
        "play", "hidden-path", "--p1", "Ann", "--p2", "Ben", "--first", "1",
        home=home, alternate=alternate,
    ) as terminal:  # fmt: skip
        choose(terminal, "4 7 9", "Ann, enter your trap positions")
        choose(terminal, "3 6 8", "Ben, enter your trap positions")
        for name, steps in zip("ABABABAB", "23123332", strict=True):
            who = {"A": "Ann", "B": "Ben"}[name]
            curtain = terminal.wait_for(f"Pass the device to {who}")
            assert not re.search(TRAPS, curtain)  # the page for both shows no live trap
            own = terminal.type("", expect=f"{who}'s Move")
            assert ("▲" in own, "▼" in own) == (who == "Ann", who == "Ben")
            final = steps == "2" and "Current Position: 8" in own
            terminal.type(steps, expect="Rematch" if final else ENTER)
            if final:
                break
        over = terminal.wait_for("Ben wins!")
        assert "none was changed" in over.replace("\n", " ")
        assert "▲" in over
        assert "▼" in over  # everything is revealed
        terminal.type("n", expect="Ben wins!")
        assert terminal.end() == 0
        assert "Ann: Moved to Step 3. Trap triggered!" in terminal.scrollback
    (record,) = Saves().all()
    assert record.moves == [2, 3, 1, 2, 3, 3, 3, 2]
    assert [check for check in verify(record) if check.fault] == []


@pytest.mark.parametrize("alternate", [True, False])
def test_secrets_are_typed_blindly_and_never_reach_the_other_or_the_scrollback(
    home: Path, alternate: bool
) -> None:
    """Player 1 traps 6 7 8; those numbers stand side by side nowhere else."""
    with Terminal(
        "play", "hidden-path", "--first", "1", home=home, alternate=alternate
    ) as terminal:
        hand_over(terminal, expect="Player 1, enter your trap positions")
        terminal.child.send("6 7 8")
        terminal.read()
        assert "6 7 8" not in terminal.text  # no echo
        terminal.type("", expect=HIDE)
        assert "You chose 6 7 8." in terminal.text  # on one's own page
        terminal.type("", expect=ENTER)
        assert "6 7 8" not in terminal.scrollback
        assert not re.search(TRAPS, terminal.scrollback)
        hand_over(terminal, expect="Player 2, enter")
        assert "6 7 8" not in terminal.scrollback
        terminal.type("1 2 10", expect=HIDE)
        terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Player 1's Move")
        assert terminal.text.count("▲") == 4  # three traps and the legend
        terminal.type("3", expect=ENTER)
        assert not re.search(TRAPS, terminal.scrollback)
        hand_over(terminal, expect="Player 2's Move")
        assert "▲" not in terminal.scrollback
        terminal.type("quit", expect="resume")
        assert terminal.end() == 0
        assert not re.search(TRAPS, terminal.scrollback)


def test_a_blindly_typed_slip_can_be_changed(home: Path) -> None:
    with Terminal("play", "trap-builder", home=home) as terminal:
        hand_over(terminal, expect="Player 1, place your traps")
        terminal.type("1 2 44", expect="44 cannot be chosen")
        terminal.type("", expect="Nothing was typed")
        terminal.type("1 2 4", expect="You chose 1 2 4.")
        terminal.type("1 2", expect="That is 2 positions")
        terminal.type("1 2 4", expect="You chose 1 2 4.")
        terminal.type("1 2 5", expect="You chose 1 2 5.")
        terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Player 2, place")
        terminal.type("quit", expect="resume")
    (record,) = Saves().all()
    assert record.secrets == {"1": [1, 2, 5]}


@pytest.mark.slow
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.parametrize("answer", ["y", "n"])
def test_trap_runner_for_two_hides_the_decision(home: Path, answer: str, alternate: bool) -> None:
    with Terminal("play", "trap-runner", home=home, alternate=alternate) as terminal:
        for steps in ("3", "2"):
            hand_over(terminal, expect="Enter the number of squares")
            terminal.type(steps, expect="Press Enter to hide this")
            assert "Cannot set a trap on square 0." in terminal.text
            terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Enter the number of squares")
        terminal.type("2", expect="Set a trap on square 3")
        asked = terminal.text
        terminal.child.send(answer)
        terminal.read()
        assert terminal.text == asked  # no echo
        terminal.type("", expect="Press Enter to hide this")
        assert ("You set a trap on square 3." in terminal.text) == (answer == "y")
        terminal.type("", expect=ENTER)
        for mark in ("You set a trap", "▲", "Set a trap on"):
            assert mark not in terminal.scrollback
        curtain = re.sub(r"sealed as [0-9a-f]{32}", "sealed", terminal.text)
        assert "Player 1 moves to square 5.\n  sealed\n" in curtain
        hand_over(terminal, expect="Player 2's Turn")
        assert "▲" not in terminal.scrollback
        terminal.type("1", expect="Set a trap on square 2")
        triggered = "You have triggered a trap set by Player 1!" in terminal.text
        assert triggered == (answer == "y")
        terminal.type("n", expect="Press Enter to hide this")
        terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Player 1's Turn")
        terminal.type("3t", expect="You set a trap on square 5.")
        terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Player 2's Turn")
        sent_back = "You have been sent back to square 0 due to a trap!" in terminal.text
        assert sent_back == (answer == "y")
        terminal.type("1", expect="square")
        if "Set a trap" in terminal.text:
            terminal.type("n", expect="Press Enter to hide this")
        terminal.type("", expect=ENTER)
        hand_over(terminal, expect="Player 1's Turn")
        terminal.type("2", expect="Congratulations! Player 1 has reached the goal")
        terminal.type("n", expect="Congratulations")
        assert terminal.end() == 0


def test_secret_paths_for_two_with_a_claim(home: Path) -> None:
    with Terminal(
        "play", "secret-paths", "--first", "1", "--p1", "Ann", "--p2", "Ben", home=home
    ) as terminal:
        choose(terminal, "5,2", "Ann, choose your Goal Cell")
        choose(terminal, "4", "Ben, choose your Goal Cell")  # the row is fixed: a column will do
        hand_over(terminal, expect="Enter your move (e.g., 'move to")
        assert "1★" in terminal.text
        assert "2★" not in terminal.text
        terminal.type("move to 4,2", expect=ENTER)
        assert "1★" not in terminal.scrollback
        hand_over(terminal, expect="Enter your move:")
        assert "2★" in terminal.text
        terminal.type("9,9", expect="not on the grid")
        terminal.type("hello", expect="is not a cell")
        terminal.type("4,2", expect="must move to another cell")
        terminal.type("1,1", expect="Ann, type claim, or press Enter")
        assert "2★" not in terminal.scrollback
        terminal.type("", expect=ENTER)  # Ann lets it pass
        hand_over(terminal, expect="not next to")
        for _ in range(2):
            terminal.type("1,1", expect="not next to")
        terminal.type("1,1", expect="Ann, type claim")
        terminal.type("claim", expect="Ann claims the game")
        terminal.type("n", expect="Ann claims the game")
        assert terminal.end() == 0


def test_who_chose_last_and_moves_first_keeps_the_device(home: Path) -> None:
    with Terminal(
        "play", "secret-paths", "--first", "2", "--p1", "Ann", "--p2", "Ben", home=home
    ) as terminal:
        choose(terminal, "5,2", "Ann, choose your Goal Cell")
        hand_over(terminal, expect="Ben, choose your Goal Cell")
        terminal.type("4", expect=HIDE)
        own = terminal.type("", expect="Enter your move (e.g., 'move to")
        assert "2★" in own
        terminal.type("move to 2,3", expect="Pass the device to Ann")
        assert "2★" not in terminal.scrollback


def test_numeric_maze_for_two_needs_no_curtain_and_rematch_swaps_seats(home: Path) -> None:
    with Terminal(
        "play", "numeric-maze", "--set", "length=4", "--set", "traps=", "--first", "1",
        "--p1", "Ann", "--p2", "Ben", home=home,
    ) as terminal:  # fmt: skip
        terminal.wait_for("Ann's turn.")
        terminal.type("2", expect="Ben's turn.")
        assert ENTER not in "".join(terminal.seen)
        terminal.type("3", expect="Ann's turn.")
        terminal.type("3", expect="cannot move beyond position 4")
        terminal.type("2", expect="Congratulations! Ann has reached position 4")
        terminal.type("what", expect="Please answer y or n.")
        terminal.type("y", expect="Ben against Ann")
        terminal.wait_for("Ben's turn.")
        terminal.type("resign", expect="Ben, do you really resign this game?")
        terminal.type("n", expect="Ben's turn.")
        terminal.type("resign", expect="Ben, do you really resign this game?")
        terminal.type("y", expect="Ben resigns. Ann wins the game!")
        terminal.type("n", expect="Ann wins")
        assert terminal.end() == 0
    assert {record.players["1"].name for record in Saves().all()} == {"Ann", "Ben"}


def test_trap_builder_against_the_computer_shows_ones_own_traps_all_along(home: Path) -> None:
    with Terminal(
        "play", "trap-builder", "--vs", "casual", "--seed", "4", home=home, columns=100
    ) as terminal:
        terminal.wait_for("place your traps")
        terminal.type("7 8 9", expect="enter your move")
        assert terminal.text.count("▲") == 4
        assert "▼" not in terminal.text
        terminal.type("1", expect="wins the game!")
        terminal.type("n", expect="wins the game!")
        assert terminal.end() == 0


def test_words_at_every_prompt(home: Path) -> None:
    with Terminal("play", "hidden-path", "--first", "1", home=home, lines=40) as terminal:
        for _ in range(2):  # at the curtain, and at the hidden question
            terminal.wait_for("Player 1")
            terminal.type("help", expect="Answer the question, or type one of these words")
            terminal.type("rules", expect="Be the first to land exactly on step 10")
            terminal.type("board", expect="★ goal")
            terminal.type("", expect="Player 1")
        terminal.type("draw", expect="Player 2, accept the draw?")
        terminal.type("maybe", expect="Please answer y or n.")
        terminal.type("n", expect="Player 2 declines the draw.")
        hand_over(terminal, expect="enter your trap positions")
        terminal.type("draw", expect="Player 2, accept the draw?")
        terminal.type("y", expect="The game is drawn: both players agreed.")
        terminal.type("n", expect="both players agreed")
        assert terminal.end() == 0


def test_trap_builder_for_two_on_one_device(home: Path) -> None:
    with Terminal("play", "trap-builder", home=home) as terminal:
        choose(terminal, "3 5 7", "Player 1, place your traps")
        choose(terminal, "2 6 8", "Player 2, place your traps")
        hand_over(terminal, expect="Player 1 is at Position 0.")
        assert terminal.text.count("▲") == 4
        terminal.type("1", expect=ENTER)
        assert not re.search(TRAPS, terminal.scrollback)
        hand_over(terminal, expect="Player 2 is at Position 10.")
        assert terminal.text.count("▼") == 4
        terminal.type("3", expect="Oh no! Player 2 stepped on a trap at Position 7!")
        terminal.type("sure", expect="Please answer y or n.")
        terminal.type("rules", expect="trapline rules trap-builder")
        terminal.type("n", expect="shows it")
        assert terminal.end() == 0


def test_the_users_own_scrollback_is_left_alone(home: Path) -> None:
    with Terminal("play", "numeric-maze", "--first", "1", home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.type("quit", expect="resume")
        assert b"\x1b[3J" not in terminal.bytes


def test_menu_leads_to_a_game_in_two_keys(home: Path) -> None:
    with Terminal(home=home) as terminal:
        menu = terminal.wait_for("Your choice:")
        assert "Hidden Path" in menu
        terminal.type("7", expect="Please type a number from 1 to 5")
        terminal.type("5", expect="against whom?")
        terminal.type("2", expect="Numeric Maze: Player 1 against random")
        terminal.wait_for("Player 1's turn.")
        terminal.type("quit", expect="Your choice:")
        assert "continue" in terminal.text
        terminal.type("h", expect="not finished")
        terminal.type("c", expect="Player 1's turn.")
        terminal.type("resign", expect="do you really resign")
        terminal.type("y", expect="Rematch")
        terminal.type("n", expect="Your choice:")
        terminal.type("q", expect="")
        assert terminal.end() == 0


def test_best_of_three_alternates_the_first_move(home: Path) -> None:
    with Terminal(
        "play", "numeric-maze", "--best-of", "3", "--first", "1", "--set", "length=2",
        "--set", "traps=", "--p1", "Ann", "--p2", "Ben", home=home,
    ) as terminal:  # fmt: skip
        terminal.wait_for("game 1 of 3, 0:0")
        terminal.type("2", expect="Press Enter for the next game")
        terminal.type("", expect="game 2 of 3, 1:0")
        terminal.wait_for("Ben's turn.")  # the first move alternates
        terminal.type("2", expect="Press Enter for the next game")
        terminal.type("", expect="game 3 of 3, 1:1")
        terminal.wait_for("Ann's turn.")
        terminal.type("2", expect="Ann wins the series, 2:1.")
        terminal.type("n", expect="Ann has reached")
        assert terminal.end() == 0
