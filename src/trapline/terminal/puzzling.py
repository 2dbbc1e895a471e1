"""Puzzles at a screen: the question, an answer and why, a streak, and a line to share."""

from __future__ import annotations

import contextlib
import datetime
from typing import TYPE_CHECKING

import msgspec
from rich.text import Text

from trapline.coach.sentences import figure
from trapline.core import BY_SEAT
from trapline.core.pages import option_word, said
from trapline.games import changed_options, make_game
from trapline.home import data_folder, replace_file
from trapline.terminal.screen import make_console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.coach.puzzles import Posed, Puzzle

STARS = "★"


class Streak(msgspec.Struct):
    """Days in a row on which the puzzle was solved."""

    last: str = ""
    days: int = 0


def ask_all(puzzles: Iterable[Puzzle], date: str) -> int:
    """Put puzzles one after the other; 0 when all were solved, 1 when one was not."""
    console = make_console()
    solved = True
    for puzzle in puzzles:
        console.print(Text(heading(puzzle, date), "bold"))
        console.print(puzzle.sentence, markup=False)
        given = _answer(puzzle)
        if given is None:
            console.print("\nThe puzzle waits until you come back.")
            return 1
        solved = solved and given == puzzle.best
        for line in verdict(puzzle, given, date):
            console.print(line, markup=False)
    return 0 if solved else 1


def heading(puzzle: Puzzle, date: str) -> str:
    game = make_game(puzzle.game, puzzle.options)
    variant = [
        f"{option_word(game, name)}: {said(getattr(game.options, name))}"
        for name in changed_options(game)
    ]
    return " · ".join([f"Puzzle of {date}, {STARS * puzzle.grade}", *variant])


def question_alone(posed: Posed) -> str:
    """The question without what the board beside it shows."""
    puzzle, view = posed
    told = " ".join(view.board.words(BY_SEAT, make_game(puzzle.game, puzzle.options).place))
    return puzzle.sentence.replace(f"{told} ", "")


def verdict(puzzle: Puzzle, given: str, date: str) -> list[str]:
    """What is said of an answer: right or not, why, and a line to share; the streak is kept."""
    right = given == puzzle.best
    chance = figure(puzzle.chances[given])
    streak = keep_streak(date, solved=right)
    days = f", {streak} days in a row" if streak > 1 else ""
    title, mark = make_game(puzzle.game, puzzle.options).title, "solved" if right else "missed"
    return [
        "Right." if right else f"No: {given} wins {chance}; {puzzle.best} was best.",
        puzzle.reason,
        f"Trapline {date} {title} {STARS * puzzle.grade} {mark}{days}",
    ]


def _answer(puzzle: Puzzle) -> str | None:
    """One of the answers as it is typed; None when the input ends."""
    choices = ", ".join(puzzle.answers)
    while True:
        try:
            text = input(f"Your answer ({choices}): ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return None
        text = text.removeprefix("move to ").replace(" ", "") or text
        if text in puzzle.answers:
            return text
        print(f"Please type one of {choices}.")


def keep_streak(date: str, *, solved: bool) -> int:
    """The days in a row up to this one; a broken file begins a new streak."""
    file = data_folder() / "puzzles.json"
    streak = Streak()
    with contextlib.suppress(OSError, msgspec.DecodeError):
        streak = msgspec.json.decode(file.read_bytes(), type=Streak)
    day = datetime.date.fromisoformat(date)
    yesterday = (day - datetime.timedelta(days=1)).isoformat()
    if not solved:
        streak = Streak(date, 0)
    elif streak.last == yesterday:
        streak = Streak(date, streak.days + 1)
    elif streak.last != date or not streak.days:
        streak = Streak(date, 1)
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, msgspec.json.encode(streak))
    return streak.days
