"""A first match of Trap Builder, told step by step."""

from __future__ import annotations

from trapline.core import Lesson, LessonStep

LESSON = Lesson(
    {"length": 6, "traps": 1},
    (
        LessonStep(
            "4",
            "You run from 0 to 6, the other from 6 to 0. Whoever lands on the other's trap loses "
            "at once. The other must first land on 5, 4 or 3, so trap 4.",
        ),
        LessonStep("2"),
        LessonStep("1", "You walk 1 to 3 steps, and only where you land counts. Take 1."),
        LessonStep("1"),
        LessonStep("2", "Nothing happened on 1. Step over position 2 this time: take 2."),
        LessonStep("3"),
        LessonStep(
            "3",
            "Their trap lay on 2, and you passed it. The goal itself is never trapped. You stand "
            "on 3: which number of steps wins?",
            finds=True,
            hint="Position 6 is three steps away.",
        ),
    ),
    "The first steps are the most dangerous: that is where traps are worth most.",
)
