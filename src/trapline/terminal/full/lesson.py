"""A lesson at the table: what the learner is told stands above the keys, as in a match."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from trapline.contest import next_asked
from trapline.core import IllegalMove, InvalidMove
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.asking import Quit
from trapline.terminal.full.keyed import Gone, Sitting
from trapline.terminal.full.table import TableScreen
from trapline.terminal.lessons import correction
from trapline.terminal.pages import Pages
from trapline.terminal.screen import Asked

if TYPE_CHECKING:
    from trapline.core import Form, Game, Lesson, LessonStep
    from trapline.terminal.saves import Saves

COMMANDS = ("help", "rules", "quit")
AFTERWARDS = (("p", "Play it"), ("m", "Back to the menu"))


class LessonScreen(TableScreen):
    """A table at which a lesson is played; nothing of it is kept."""

    def __init__(self, kind: type[Game[Any]], lesson: Lesson, saves: Saves) -> None:
        super().__init__(Match(make_game(kind, lesson.options), lesson.first), saves)
        self._kind = kind
        self._lesson = lesson

    def sit_down(self) -> Sitting:
        return LessonSitting(self._lesson, self.match, self._saves, self)

    def lesson_over(self, *, play: bool) -> None:
        from trapline.terminal.full.setup import SetupScreen

        self.app.pop_screen()
        if play and not isinstance(self.app.screen, SetupScreen):
            self.app.push_screen(SetupScreen(self._kind))


class LessonSitting(Sitting):
    """Leads a learner through the steps of a lesson."""

    def __init__(self, lesson: Lesson, match: Match, saves: Saves, table: LessonScreen) -> None:
        super().__init__(match, saves, table, lesson.first)
        self._lesson = lesson
        self._classroom = table
        self._pages = Pages(match, self.screen, in_words=False)

    def farewell(self) -> None:
        """Nothing is kept that could be gone on with."""

    def _sit(self) -> None:
        play = False
        with suppress(Gone):
            with suppress(Quit):
                for step in self._lesson.steps:
                    self._take(step)
                asked = Asked("What next? ", choices=AFTERWARDS, commands=("quit",))
                play = self._ask([self._lesson.closing], [], asked) == "p"
            self.screen.on_screen(lambda: self._classroom.lesson_over(play=play))

    def _take(self, step: LessonStep) -> None:
        """One turn, question by question: the learner's is answered by the learner."""
        seat = next_asked(self._match)
        assert seat is not None  # tests play every lesson to its end
        for number, form in enumerate(self._match.read(seat, step.answer)):
            if seat == self._lesson.learner:
                self._learn(step, form, says=step.says if number == 0 else "")
            self._match.play(seat, form)

    def _learn(self, step: LessonStep, form: Form, *, says: str) -> None:
        """Ask until the answer is the lesson's."""
        seat, notice = self._lesson.learner, list[str]()
        question = self._match.question(seat)
        assert question is not None  # it is the learner's turn
        if question.forced:
            return
        answer = question.text(question.value(form))
        prompt = self._pages.words(seat).prompt(seat)
        asked = Asked(prompt, question=question, commands=COMMANDS)
        while True:
            text = self._ask([says] if says else [], notice, asked)
            try:
                given = self._match.read(seat, text)
                self._match.fork().play(seat, *given)
            except (InvalidMove, IllegalMove) as error:
                notice = [str(error)]
                continue
            if given[0] == form:
                return
            notice = [correction(step, answer)]

    def _ask(self, heading: list[str], notice: list[str], asked: Asked) -> str:
        page = self._pages.page(self._lesson.learner, heading, notice)
        text = self.screen.ask(page, asked)
        if text == "quit":
            raise Quit
        return text
