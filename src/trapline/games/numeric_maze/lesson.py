"""A first match of Numeric Maze, told step by step."""

from __future__ import annotations

from trapline.core import Lesson, LessonStep

LESSON = Lesson(
    {"length": 8, "traps": [5]},
    (
        LessonStep("3", "You race to position 8, with 1 to 3 steps a turn. Take 3."),
        LessonStep("2"),
        LessonStep(
            "3",
            "Position 5 is a trap for both of you: who lands on it goes back to 0. You stand on 3. "
            "Which number of steps passes it and brings you furthest?",
            finds=True,
            hint="Two steps would land on 5; count where the others lead.",
        ),
        LessonStep("3"),
        LessonStep(
            "2",
            "The other did not count, landed on 5, and is back at 0. You stand on 6: which number "
            "of steps wins?",
            finds=True,
            hint="Position 8 must be reached exactly.",
        ),
    ),
    "Count before you move: whoever needs fewer moves wins.",
)
