"""Spaces of Gymnasium and PettingZoo: which values lie in them, and which actions they allow."""

from __future__ import annotations

import math
import warnings
from itertools import product
from typing import Any

import numpy as np

SOME = 3
"""So many actions are drawn where they cannot all be listed."""
MANY = 200
"""Of actions that have several parts, no more than these are listed."""


def allowed(space: Any, mask: Any, turn: int) -> tuple[list[Any], bool]:
    """The actions that a mask leaves, or some of them, and whether these are all.

    The mask of actions with several parts is the masks of the parts in a row, as MaskablePPO of
    sb3-contrib takes it, or what the space itself draws by.
    """
    sizes = _sizes(space)
    if sizes is not None and not sizes.shape:
        numbers = range(int(sizes)) if mask is None else np.flatnonzero(mask)
        first = int(getattr(space, "start", 0))
        return [int(number) + first for number in numbers], True
    if sizes is None or not (mask is None or _is_row(mask, int(sizes.sum()))):
        space.seed(turn)
        return [space.sample(mask) for _ in range(SOME)], False
    row = np.ones(int(sizes.sum())) if mask is None else np.ravel(mask)
    parts = [np.flatnonzero(part) for part in np.split(row, np.cumsum(sizes.ravel())[:-1])]
    first = getattr(space, "start", 0)
    whole = math.prod(map(len, parts)) <= MANY
    chosen: Any = product(*parts)
    if not whole:
        rng = np.random.default_rng(turn)
        chosen = ([rng.choice(part) for part in parts] for _ in range(SOME))
    return [(np.reshape(each, sizes.shape) + first).astype(space.dtype) for each in chosen], whole


def counted(space: Any) -> int:
    """How many actions there are, if each is a number; otherwise 0."""
    sizes = _sizes(space)
    return 0 if sizes is None or sizes.shape else int(sizes)


def _sizes(space: Any) -> Any:
    """How many values an action has, or each part of it; None where nobody can count them."""
    if hasattr(space, "nvec"):
        return np.asarray(space.nvec)
    if hasattr(space, "n"):  # MultiBinary has switches of a shape
        shape = getattr(space, "shape", ())
        return np.full(shape, 2) if shape else np.asarray(space.n)
    return None


def _is_row(mask: Any, length: int) -> bool:
    return not isinstance(mask, (tuple, dict)) and np.shape(mask) == (length,)


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
