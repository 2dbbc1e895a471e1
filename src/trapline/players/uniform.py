"""The `random` opponent: every allowed answer is equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Form, View


def choose(view: View, rng: Random) -> Form:
    question = view.question
    assert question is not None  # only who is asked chooses
    return question.record(question.random(rng))
