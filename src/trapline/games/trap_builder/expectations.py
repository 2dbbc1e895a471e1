"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS: dict[str, tuple[float, ...]] = {
    "lost": (0.096, 0.096, 0.105, 0.155, 0.155, 0.211, 0.312, 0.412, 0.412, 0.51, 0.51, 0.51, 0.51),
    "open": (
        0.231,
        0.231,
        0.234,
        0.34,
        0.406,
        0.406,
        0.579,
        0.579,
        0.585,
        0.77,
        0.881,
        0.881,
        0.881,
    ),
    "won": (
        0.561,
        0.561,
        0.561,
        0.561,
        0.561,
        0.561,
        0.561,
        0.561,
        0.561,
        0.602,
        0.719,
        0.868,
        0.985,
    ),
}
