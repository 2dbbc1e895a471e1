"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500),
    "lost": (4, 11, 53, 182, 280, 438, 438, 438, 438, 438, 438),
    "won": (797, 797, 797, 797, 797, 797, 797, 812, 940, 996, 997),
    "brutal drawn": (500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500),
    "brutal lost": (3, 9, 13, 116, 309, 466, 466, 466, 466, 466, 466),
    "brutal won": (805, 813, 821, 830, 838, 846, 854, 854, 990, 993, 1000),
    "deep lost": (5, 8, 84, 235, 306, 526, 526, 526, 526, 526, 526),
    "deep won": (722, 722, 722, 722, 722, 722, 722, 798, 922, 999, 999),
    "quick lost": (13, 13, 110, 256, 475, 633, 633, 633, 633, 633, 633),
    "quick won": (730, 730, 730, 730, 730, 730, 730, 730, 908, 997, 997),
    "rulebook lost": (2, 8, 39, 173, 264, 282, 282, 282, 282, 282, 282),
    "rulebook won": (798, 799, 800, 800, 801, 802, 803, 808, 938, 997, 997),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
