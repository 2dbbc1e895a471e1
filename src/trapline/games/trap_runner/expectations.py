"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (536, 536, 536, 536, 536, 536, 536, 607, 774, 960, 999),
    "lost": (1, 29, 153, 335, 346, 346, 346, 346, 346, 346, 346),
    "won": (684, 684, 684, 684, 684, 684, 684, 684, 801, 982, 1000),
    "brutal lost": (8, 90, 130, 306, 327, 327, 327, 327, 327, 327, 327),
    "brutal won": (686, 688, 691, 693, 695, 698, 700, 702, 822, 979, 1000),
    "deep drawn": (526, 526, 526, 526, 526, 526, 526, 598, 773, 970, 1000),
    "deep lost": (0, 40, 78, 252, 332, 332, 332, 332, 332, 332, 332),
    "deep won": (692, 701, 710, 718, 727, 735, 744, 744, 890, 982, 1000),
    "quick lost": (13, 75, 136, 298, 309, 309, 309, 309, 309, 309, 309),
    "quick won": (688, 692, 696, 700, 704, 708, 712, 716, 837, 961, 1000),
    "rulebook lost": (1, 18, 157, 592, 806, 806, 806, 806, 806, 806, 806),
    "rulebook won": (295, 295, 295, 295, 295, 295, 295, 295, 790, 985, 999),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
