"""A first match of Hidden Path, told step by step."""

from __future__ import annotations

from trapline.core import Lesson, LessonStep

LESSON = Lesson(
    {"length": 4, "traps": 1, "max_step": 2},
    (
        LessonStep(
            "4",
            "You race to step 4. First hide a trap: the other, landing on it, goes back to the "
            "start. Everybody must enter the last step, so trap 4.",
        ),
        LessonStep("2"),
        LessonStep("2", "The other has hidden a trap, too. You walk 1 or 2 steps: take 2."),
        LessonStep("2"),
        LessonStep(
            "2",
            "That was the trap: you are back at the start, and it is gone. There was only one, so "
            "every step is safe now. Which number of steps brings you furthest?",
            finds=True,
            hint="Nothing can stop you any more, so go as far as you can.",
        ),
        LessonStep("2"),
        LessonStep(
            "2",
            "The other ran onto your trap on the last step, and is back at the start. Which number "
            "of steps wins?",
            finds=True,
            hint="Step 4 must be reached exactly.",
        ),
    ),
    "Trap what everybody has to enter; and remember where you have been safe.",
)
