"""Variants of Secret Paths that are worth a name; `python -m bench.presets` has the figures."""

from __future__ import annotations

from trapline.core import Variant

NOBODY_WINS = (0.0, 0.0)

PRESETS = (
    Variant(
        "rulebook",
        {},
        0.0,
        NOBODY_WINS,
        "as printed: nobody has to lose; never leave the Seeker next to the other's row.",
    ),
    Variant(
        "fair",
        {"size": 7, "turn_limit": 60},
        0.0,
        NOBODY_WINS,
        "fair: 50% for the first; each side can keep the other from winning.",
    ),
    Variant(
        "quick",
        {"turn_limit": 20},
        0.0,
        NOBODY_WINS,
        "quick: 20 turns at most, and nobody has to lose in them.",
    ),
    Variant(
        "deep",
        {"turn_limit": 400},
        0.0,
        NOBODY_WINS,
        "deep: nobody has to lose, but with twice the turns best play takes half of its "
        "games from a casual player, and loses none.",
    ),
    Variant(
        "brutal",
        {"size": 3},
        1.0,
        (1.0, 1.0),
        "brutal: every goal is one move from the centre, so whoever moves first wins on turn 1.",
    ),
)
