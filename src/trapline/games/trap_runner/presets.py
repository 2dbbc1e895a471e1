"""Variants of Trap Runner that are worth a name; `python -m bench.presets` has the figures.

None is fair: whoever moves first wins under all options, so seats are best drawn.
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
        "as printed: whoever moves first wins by always making the longest move.",
    ),
    Variant(
        "deep",
        {"length": 20, "max_step": 2},
        1.0,
        WINS,
        "deep: whoever moves first wins, but only by ten moves in a row that waste nothing; best "
        "play takes 99 of 100 games from a casual player.",
    ),
    Variant(
        "quick",
        {"length": 6},
        1.0,
        WINS,
        "quick: over on turn 3; whoever moves first wins with two longest moves.",
    ),
    Variant(
        "brutal",
        {"length": 8, "max_step": 4},
        1.0,
        WINS,
        "brutal: whoever moves first wins, and in 5 of 6 decisions a single step keeps the win.",
    ),
)
