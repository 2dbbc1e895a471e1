"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (462, 462, 462, 462, 462, 462, 462, 553, 628, 835, 1000),
    "lost": (17, 34, 280, 411, 411, 411, 411, 411, 411, 411, 411),
    "won": (601, 601, 601, 601, 601, 601, 601, 601, 738, 975, 984),
    "brutal lost": (17, 60, 162, 416, 416, 416, 416, 416, 416, 416, 416),
    "brutal won": (615, 630, 644, 659, 673, 687, 702, 716, 867, 942, 947),
    "deep drawn": (457, 457, 457, 457, 457, 457, 457, 553, 625, 837, 1000),
    "deep lost": (0, 97, 274, 343, 421, 421, 421, 421, 421, 421, 421),
    "deep won": (593, 593, 593, 593, 593, 593, 593, 678, 784, 921, 1000),
    "quick lost": (15, 53, 189, 446, 446, 446, 446, 446, 446, 446, 446),
    "quick won": (617, 634, 650, 666, 682, 698, 715, 731, 884, 934, 934),
    "rulebook drawn": (463, 464, 465, 465, 466, 467, 468, 559, 635, 843, 1000),
    "rulebook lost": (18, 26, 302, 554, 619, 619, 619, 619, 619, 619, 619),
    "rulebook won": (435, 435, 435, 435, 435, 435, 435, 435, 728, 981, 982),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
