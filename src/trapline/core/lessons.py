"""A lesson: a guided first match on the real board, written once as data.

Its steps are the answers of the match in order, the learner's and the other's. What is said comes
before the answer; the learner is told what to answer, or finds it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from trapline.core.seats import Seat


class LessonStep(msgspec.Struct, frozen=True):
    """One answer of a lesson."""

    answer: str
    """As it is typed."""
    says: str = ""
    """What the learner reads before it; the other's answers may pass without a word."""
    finds: bool = False
    """Whether the learner is to find the answer, and is not told."""
    hint: str = ""
    """What a learner reads who has answered something else."""


class Lesson(msgspec.Struct, frozen=True):
    options: dict[str, Any]
    steps: tuple[LessonStep, ...]
    closing: str
    """What is to be remembered."""
    learner: Seat = 1
    first: Seat = 1
