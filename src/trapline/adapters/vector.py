"""Thousands of matches at once: `VectorGame`."""

from __future__ import annotations

from trapline.simulate.batch import Tally, VectorGame

__all__ = ["Tally", "VectorGame"]
