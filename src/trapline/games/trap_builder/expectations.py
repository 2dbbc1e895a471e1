"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

EXPECTATIONS = {
    "lost": (0.15, 0.15, 0.15, 0.205, 0.283, 0.373, 0.554, 0.664, 0.664),
}
