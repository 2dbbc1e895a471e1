"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS = {
    "lost": (0.013, 0.08, 0.151, 0.191, 0.222, 0.348, 0.353, 0.353, 0.353),
    "won": (0.869, 0.869, 0.869, 0.869, 0.869, 0.869, 0.869, 0.869, 0.869),
}
