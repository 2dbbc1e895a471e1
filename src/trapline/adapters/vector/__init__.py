"""Thousands of matches at once: `VectorGame`."""

from __future__ import annotations

from trapline.adapters.vector.batch import REASONS, Tally, VectorGame

__all__ = ["REASONS", "Tally", "VectorGame"]
