"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS: dict[str, tuple[float, ...]] = {
    "drawn": (
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.696,
        0.962,
    ),
    "lost": (0.003, 0.032, 0.102, 0.273, 0.356, 0.48, 0.48, 0.48, 0.48, 0.48, 0.48, 0.48, 0.48),
    "won": (
        0.651,
        0.651,
        0.651,
        0.651,
        0.651,
        0.651,
        0.651,
        0.651,
        0.651,
        0.7,
        0.887,
        0.979,
        0.999,
    ),
}
