"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
    "drawn": (409, 409, 409, 409, 409, 409, 409, 568, 568, 568, 568),
    "hiding drawn": (424, 424, 424, 424, 424, 424, 424, 563, 563, 563, 563),
    "hiding lost": (133, 133, 133, 168, 183, 183, 183, 183, 183, 183, 183),
    "hiding won": (840, 840, 840, 840, 840, 840, 840, 840, 840, 840, 840),
    "lost": (86, 86, 86, 86, 86, 86, 86, 86, 86, 86, 86),
    "brutal drawn": (451, 492, 533, 574, 615, 656, 656, 656, 656, 656, 656),
    "brutal hiding lost": (130, 130, 130, 168, 185, 185, 185, 185, 185, 185, 185),
    "brutal hiding won": (840, 840, 840, 840, 840, 840, 840, 840, 840, 840, 840),
    "brutal lost": (138, 191, 243, 257, 257, 257, 257, 257, 257, 257, 257),
    "fair drawn": (325, 325, 325, 325, 325, 325, 325, 399, 399, 399, 674),
    "fair hiding drawn": (393, 393, 393, 393, 393, 393, 393, 500, 500, 500, 512),
    "fair lost": (74, 74, 74, 74, 74, 74, 74, 74, 74, 74, 74),
    "quick drawn": (417, 426, 434, 442, 447, 452, 457, 545, 763, 918, 931),
    "quick hiding drawn": (414, 414, 414, 414, 414, 414, 414, 617, 617, 617, 617),
    "quick lost": (72, 72, 72, 72, 72, 72, 72, 72, 72, 72, 72),
    "rulebook drawn": (366, 366, 366, 366, 366, 366, 366, 598, 859, 969, 976),
    "rulebook hiding drawn": (373, 373, 373, 373, 373, 373, 373, 667, 667, 667, 667),
    "rulebook lost": (45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45),
}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
