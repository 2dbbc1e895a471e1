"""Whether values lie in the spaces that Gymnasium and PettingZoo declare for them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


def fits(space: Any, value: Any) -> bool:
    """Whether a value is in a space as it is, and not only after it was cast."""
    if hasattr(space, "low") and not isinstance(value, (np.ndarray, np.generic)):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(space.contains(value))


def why_outside(space: Any, value: Any) -> str:
    """What of a value does not fit its space, by its name, its type or its bounds."""
    parts = getattr(space, "spaces", None)
    if isinstance(value, dict) and isinstance(parts, dict):
        for name, part in parts.items():
            if name not in value:
                return f"{name} is missing"
            if not fits(part, value[name]):
                return f"{name}, {why_outside(part, value[name])}"
        return f"it has {', '.join(map(str, value.keys() - parts.keys()))}, which the space has not"
    if not hasattr(value, "shape"):
        return f"{value!r}, {type(value).__name__}, in {space}"
    if value.shape != getattr(space, "shape", None):
        return f"shape {value.shape} in {space}"
    if value.dtype != space.dtype:
        return f"{value.dtype} in {space}"
    return f"from {value.min()} to {value.max()} in {space}"
