"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS = {
    "lost": (0.111, 0.231, 0.231, 0.231, 0.264, 0.264, 0.264, 0.264, 0.264),
    "open": (0.23, 0.244, 0.413, 0.421, 0.429, 0.633, 0.77, 0.793, 0.847),
    "won": (0.963, 0.963, 0.963, 0.963, 0.963, 0.963, 0.963, 0.963, 0.963),
}
