"""Variants of Trap Builder that are worth a name; `python -m bench.presets` has the figures."""

from __future__ import annotations

from trapline.core import Variant

PRESETS = (
    Variant(
        "rulebook",
        {},
        -1.0,
        (-1.0, -1.0),
        "as printed: whoever moves second wins by trapping 1 2 3.",
    ),
    Variant(
        "fair",
        {"length": 8, "traps": 1},
        0.0,
        (0.0, 0.0),
        "fair: 50.0% for the first; one trap each, and a matter of guessing.",
    ),
    Variant(
        "deep",
        {"walls": False},
        -0.416954,
        (-0.416955, -0.416954),
        "deep: 29.2% for the first; three traps apart, and 26 ways to hide them worth mixing.",
    ),
    Variant(
        "quick",
        {"length": 5, "traps": 1},
        0.0,
        (0.0, 0.0),
        "quick: 50.0% for the first, over in two turns on average.",
    ),
    Variant(
        "brutal",
        {"traps": 1, "trigger": "passing"},
        -1.0,
        (-1.0, -1.0),
        "brutal: a trap also acts on who passes it, so whoever moves second wins by trapping 1.",
    ),
)
