"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500),
    "lost": (2, 10, 59, 191, 288, 338, 338, 338, 338, 338, 338),
    "won": (801, 801, 801, 801, 801, 801, 801, 801, 934, 998, 999),
    "brutal drawn": (500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500),
    "brutal lost": (0, 8, 19, 107, 322, 372, 372, 372, 372, 372, 372),
    "brutal won": (809, 817, 825, 833, 841, 849, 857, 857, 987, 994, 1000),
    "deep lost": (3, 14, 95, 238, 323, 379, 379, 379, 379, 379, 379),
    "deep won": (752, 752, 752, 752, 752, 752, 752, 783, 932, 999, 999),
    "quick lost": (8, 15, 124, 267, 459, 509, 509, 509, 509, 509, 509),
    "quick won": (725, 725, 725, 725, 725, 725, 725, 725, 890, 1000, 1000),
    "rulebook lost": (1, 5, 37, 194, 264, 266, 266, 266, 266, 266, 266),
    "rulebook won": (797, 797, 797, 797, 797, 797, 797, 797, 930, 1000, 1000),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
