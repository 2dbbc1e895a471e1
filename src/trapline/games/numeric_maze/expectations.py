"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS: dict[str, tuple[float, ...]] = {
    "drawn": (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
    "lost": (
        0.0,
        0.006,
        0.032,
        0.118,
        0.21,
        0.297,
        0.515,
        0.515,
        0.515,
        0.515,
        0.515,
        0.515,
        0.515,
    ),
    "won": (
        0.732,
        0.732,
        0.732,
        0.732,
        0.732,
        0.732,
        0.732,
        0.732,
        0.817,
        0.868,
        0.986,
        0.992,
        1.0,
    ),
}
