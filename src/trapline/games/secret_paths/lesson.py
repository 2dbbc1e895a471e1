"""A first match of Secret Paths, told step by step."""

from __future__ import annotations

from trapline.core import Lesson, LessonStep

LESSON = Lesson(
    {},
    (
        LessonStep(
            "5,3",
            "Both of you move the same Seeker, one cell a turn in any direction. Choose a cell of "
            "row 5 in secret; whoever brings the Seeker onto their own cell wins. Choose 5,3.",
        ),
        LessonStep("1,3"),
        LessonStep(
            "4,2", "The other's cell is somewhere in row 1. Keep away from it: move to 4,2."
        ),
        LessonStep("4,3"),
        LessonStep(
            "5,3",
            "A slip: the other left the Seeker next to your cell. Where do you move it?",
            finds=True,
            hint="Your secret cell is 5,3, and the Seeker stands right before it.",
        ),
    ),
    "Never leave the Seeker next to the other's row, and nobody can beat you.",
)
