"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS: dict[str, tuple[float, ...]] = {
    "drawn": (0.37, 0.37, 0.37, 0.37, 0.37, 0.37, 0.37, 0.37, 0.541, 0.541, 0.541, 0.541, 0.601),
    "lost": (0.073, 0.073, 0.073, 0.073, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08),
    "won": (
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.839,
        0.897,
        0.999,
    ),
}
