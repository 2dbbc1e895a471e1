"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS = {
    "lost": (0.084, 0.095, 0.199, 0.493, 0.493, 0.493, 0.493, 0.493, 0.493),
    "won": (0.888, 0.888, 0.888, 0.888, 0.888, 0.888, 0.888, 0.888, 0.888),
}
