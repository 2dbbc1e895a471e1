"""The choices of a match, each with what its player knew when it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trapline.core import CHANCE
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Question, View
    from trapline.referee import Step, Walk


class Choice(NamedTuple):
    """An answer where there was more than one to give."""

    step: Step
    view: View


def choices(walk: Walk) -> Iterator[Choice]:
    """Every choice of a record, in order. What chance drew, and what was forced, is none."""
    match = Match(walk.game, walk.record.first, deals=False)
    for step in walk.steps():
        if step.seat == CHANCE:
            match.deal(step.question.value(step.answer))
            continue
        if not step.question.forced:
            yield Choice(step, match.view(step.seat))
        match.play(step.seat, step.answer)


def named(question: Question, answer: object) -> str:
    """What an answer is called in the middle of a sentence."""
    value = question.value(answer)
    label = "" if question.choose else _label(question, value)
    return f"{label[0].lower()}{label[1:]}" if label else question.text(value)


def _label(question: Question, value: int) -> str:
    return next(answer.label for answer in question.answers if answer.value == value)
