"""A game's lesson as the page plays it: what the learner sees before each answer and at the end.

It is the same for everybody, so it is played here once, by the rules themselves, and sent whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.contest import next_asked
from trapline.core import BY_SEAT
from trapline.games import make_game
from trapline.referee import Match
from trapline.server.catalogue import drawn
from trapline.server.shelf import Lesson, LessonStage

if TYPE_CHECKING:
    from trapline.core import Game, LessonStep


def staged(kind: type[Game[Any]]) -> Lesson | None:
    """The lesson of a game; None where it has none."""
    lesson = kind.lesson
    if lesson is None:
        return None
    course = _Course(Match(make_game(kind, lesson.options), lesson.first), lesson.learner)
    stages: list[LessonStage] = []
    for step in lesson.steps:
        seat = next_asked(course.match)
        assert seat is not None  # tests play every lesson to its end
        for number, form in enumerate(course.match.read(seat, step.answer)):
            if seat == lesson.learner:
                stages.append(course.ask(step if number == 0 else None, form))
            course.match.play(seat, form)
    outcome = course.match.outcome
    ending = course.words().ending(outcome) if outcome is not None else []
    return Lesson(
        kind.name, kind.title, lesson.learner, stages, course.look(), ending, lesson.closing
    )


class _Course:
    """A lesson that is being played, through the learner's eyes."""

    def __init__(self, match: Match, learner: Any) -> None:
        self.match, self.learner = match, learner
        self._heard = 0

    def words(self) -> Any:
        game = self.match.game
        return game.words(game, self.match.view(self.learner), BY_SEAT)

    def look(self) -> LessonStage:
        """The board as it is, and what has happened since it was last looked at."""
        view, heard = self.match.view(self.learner), self._heard
        self._heard = len(view.events)
        return LessonStage(
            picture=drawn(type(self.match.game), view.board, BY_SEAT, self.learner),
            board=view.board.words(BY_SEAT, self.match.game.place),
            events=view.events[heard:],
            told=[tuple(lines) for lines in self.words().told({})[heard:]],
        )

    def ask(self, step: LessonStep | None, form: Any) -> LessonStage:
        """The same, with what the learner is asked; the second part of a turn has no words."""
        question = self.match.question(self.learner)
        assert question is not None  # it is the learner's turn
        seen = self.look()
        return LessonStage(
            picture=seen.picture,
            board=seen.board,
            events=seen.events,
            told=seen.told,
            question=question,
            prompt=self.words().prompt(self.learner),
            says=step.says if step else "",
            answer=question.text(question.value(form)),
            finds=step.finds if step else False,
            hint=step.hint if step else "",
        )
