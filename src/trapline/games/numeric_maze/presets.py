"""Variants of Numeric Maze that are worth a name; `python -m bench.presets` has the figures.

None is fair: both need the same number of moves, so whoever moves first wins under all options.
"""

from __future__ import annotations

from trapline.core import Variant

WINS = (1.0, 1.0)

PRESETS = (
    Variant(
        "rulebook",
        {},
        1.0,
        WINS,
        "as printed: whoever moves first wins by a shortest way, which begins with 3.",
    ),
    Variant(
        "deep",
        {"traps": [3, 6]},
        1.0,
        WINS,
        "deep: whoever moves first wins by counting ahead; best play takes 19 of 20 games from a "
        "casual player.",
    ),
    Variant(
        "quick",
        {"length": 8, "traps": [3, 6]},
        1.0,
        WINS,
        "quick: over on turn 5; whoever moves first wins by a shortest way.",
    ),
    Variant(
        "brutal",
        {"length": 12, "traps": [3, 4, 8, 9]},
        1.0,
        WINS,
        "brutal: whoever moves first wins, and in 9 of 10 decisions a single step keeps the win.",
    ),
)
