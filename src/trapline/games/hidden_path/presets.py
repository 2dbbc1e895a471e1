"""Variants of Hidden Path that are worth a name; `python -m bench.presets` has the figures.

Whoever moves first also wins when both need as many moves, which in most short games is often. The
fair one was found when a search of the whole box had left it open.
"""

from __future__ import annotations

from trapline.core import Variant

PRESETS = (
    Variant(
        "rulebook",
        {},
        0.481481,
        (0.481481, 0.481482),
        "as printed: 74.1% for the first, who also wins ties; the last step is always trapped.",
    ),
    Variant(
        "fair",
        {"length": 8, "max_step": 2},
        0.0,
        (0.0, 0.0),
        "fair: 50.0% for the first; small steps, and the last one is always trapped.",
    ),
    Variant(
        "deep",
        {"length": 6, "traps": 2},
        1.0,
        (1.0, 1.0),
        "deep: whoever moves first wins for certain, yet a casual player never finds how.",
    ),
    Variant(
        "quick",
        {"length": 5, "traps": 1, "goal_traps": False},
        0.5,
        (0.5, 0.5),
        "quick: 75.0% for the first, over in three or four turns.",
    ),
    Variant(
        "brutal",
        {"length": 4, "traps": 1, "max_step": 2},
        1.0,
        (1.0, 1.0),
        "brutal: whoever moves first wins, and in 5 of 6 decisions only one answer keeps it.",
    ),
)
