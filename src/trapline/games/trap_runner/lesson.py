"""A first match of Trap Runner, told step by step."""

from __future__ import annotations

from trapline.core import Lesson, LessonStep

LESSON = Lesson(
    {"length": 8},
    (
        LessonStep("3", "You race to square 8, with 1 to 3 steps a turn. Take 3."),
        LessonStep("2"),
        LessonStep("2", "You are ahead, so no trap can lie before you. Take 2."),
        LessonStep(
            "y",
            "You may leave a trap on the square you came from, unseen. The other is behind you and "
            "may land on 3: set it.",
        ),
        LessonStep("1"),
        LessonStep("n"),
        LessonStep(
            "3",
            "The other landed on your trap, and begins again at 0 next turn. You stand on 5: which "
            "number of steps wins?",
            finds=True,
            hint="Square 8 is three steps away.",
        ),
    ),
    "Whoever is ahead cannot be trapped: run, and trap what lies behind you.",
)
