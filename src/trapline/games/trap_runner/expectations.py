"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (392, 392, 392, 392, 392, 392, 392, 504, 674, 708, 1000),
    "lost": (15, 32, 263, 392, 392, 392, 392, 392, 392, 392, 392),
    "won": (628, 628, 628, 628, 628, 628, 628, 628, 758, 974, 988),
    "brutal lost": (22, 70, 147, 375, 375, 375, 375, 375, 375, 375, 375),
    "brutal won": (640, 652, 664, 676, 688, 699, 711, 723, 865, 948, 948),
    "deep drawn": (383, 383, 383, 383, 383, 383, 383, 502, 683, 706, 1000),
    "deep lost": (4, 68, 217, 330, 391, 391, 391, 391, 391, 391, 391),
    "deep won": (610, 610, 610, 610, 610, 610, 610, 708, 843, 942, 995),
    "quick lost": (16, 63, 163, 421, 421, 421, 421, 421, 421, 421, 421),
    "quick won": (642, 656, 670, 684, 698, 712, 725, 739, 884, 939, 942),
    "rulebook drawn": (381, 381, 381, 381, 381, 381, 381, 482, 641, 675, 971),
    "rulebook lost": (10, 27, 293, 565, 649, 649, 649, 649, 649, 649, 649),
    "rulebook won": (430, 430, 430, 430, 430, 430, 430, 430, 734, 982, 987),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
