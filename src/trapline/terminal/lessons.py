"""A lesson at a screen: a real match, in which the learner is told what to do, or finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.contest import next_asked
from trapline.core import BY_SEAT, IllegalMove, InvalidMove, TraplineError
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.saves import Saves
from trapline.terminal.screen import KEYS, kind_of_screen, make_console

if TYPE_CHECKING:
    from rich.console import Console

    from trapline.core import Game, LessonStep, Seat


def teach(kind: type[Game[Any]]) -> int:
    """Play the lesson of a game; 0 at its end, 1 when the learner leaves before."""
    lesson = kind.lesson
    if lesson is None:
        raise TraplineError(f"{kind.title} has no lesson; 'trapline rules' tells how it goes.")
    if kind_of_screen(plain=False) == KEYS:
        from trapline.terminal.full import open_full

        return open_full(Saves(), lesson=kind)
    match = Match(make_game(kind, lesson.options), lesson.first)
    console = make_console()
    for step in lesson.steps:
        seat = next_asked(match)
        if seat is None:
            raise TraplineError(f"The lesson of {kind.title} goes on after its end.")
        if seat != lesson.learner:
            heard = len(match.view(lesson.learner).events)
            _play(match, seat, step)
            _tell(console, match, lesson.learner, heard)
        elif not _ask(console, match, seat, step):
            console.print("\nThe lesson waits: the same command begins it again.")
            return 1
    if match.outcome is not None:
        words = match.game.words(match.game, match.view(lesson.learner), BY_SEAT)
        console.print(" ".join(words.ending(match.outcome)), markup=False)
    console.print(lesson.closing, markup=False)
    console.print(f"Now play: trapline play {kind.name} --vs casual", markup=False)
    return 0


def _play(match: Match, seat: Seat, step: LessonStep) -> None:
    try:
        match.play(seat, *match.read(seat, step.answer))
    except (InvalidMove, IllegalMove) as error:
        title = match.game.title
        raise TraplineError(f"The lesson of {title} breaks its rules: {error}") from None


def _ask(console: Console, match: Match, seat: Seat, step: LessonStep) -> bool:
    """Ask until the answer is the lesson's; False when the input ends."""
    board = " ".join(match.view(seat).board.words(BY_SEAT, match.game.place))
    console.print(board, markup=False, style="dim")
    console.print(step.says, markup=False)
    prompt = match.game.words(match.game, match.view(seat), BY_SEAT).prompt(seat)
    while True:
        try:
            text = input(prompt)
        except (EOFError, KeyboardInterrupt):
            return False
        try:
            given = match.read(seat, text)
            match.fork().play(seat, *given)
        except (InvalidMove, IllegalMove) as error:
            console.print(str(error), markup=False)
            continue
        if given == match.read(seat, step.answer):
            break
        console.print(correction(step, step.answer), markup=False)
    heard = len(match.view(seat).events)
    _play(match, seat, step)
    _tell(console, match, seat, heard)
    return True


def correction(step: LessonStep, answer: str) -> str:
    """What a learner reads who has answered something else."""
    return step.hint if step.finds else f"In this lesson, answer {answer}."


def _tell(console: Console, match: Match, learner: Seat, heard: int) -> None:
    """What has happened since, as the learner hears it."""
    words = match.game.words(match.game, match.view(learner), BY_SEAT)
    for lines in words.told({})[heard:]:
        for line in lines:
            console.print(line, markup=False)
