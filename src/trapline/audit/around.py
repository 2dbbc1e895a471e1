"""What lies around an environment: in its class, and in the file that its class is in.

What is kept there outlives every reset and is shared by all environments of the kind.
"""

from __future__ import annotations

import sys
from collections.abc import Sized
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.worlds.values import fingerprint

if TYPE_CHECKING:
    from collections.abc import Hashable

PLAIN = (int, float, str, list, dict, set, np.ndarray)
"""Values of other types are functions, classes, and what others have made."""
MOST = 1_000
"""Values with more parts than this are tables and lists of words: to watch them takes too long."""


class Around:
    """The values around a kind of environment, as they were when it was first looked at."""

    def __init__(self, kind: type) -> None:
        self._homes: list[Any] = [sys.modules[kind.__module__], kind]
        self._first = {
            (number, name): (mark, _copied(value)) for number, name, value, mark in self._values()
        }

    def _values(self) -> list[tuple[int, str, Any, Hashable]]:
        return [
            (number, name, value, fingerprint(value))
            for number, home in enumerate(self._homes)
            for name, value in vars(home).items()
            if isinstance(value, PLAIN) and not name.startswith("__") and _size(value) <= MOST
        ]

    def now(self) -> dict[tuple[int, str], Hashable]:
        """By home and name: what is there."""
        return {(number, name): mark for number, name, _, mark in self._values()}

    def put_back(self) -> None:
        """As if nothing had been played yet, as far as that can be."""
        for place, mark in self.now().items():
            first, value = self._first.get(place, (mark, None))
            if first != mark and value is not None:
                number, name = place
                setattr(self._homes[number], name, deepcopy(value))


def _size(value: Any) -> int:
    """How many parts a value has, or as many of them as are too many."""
    if not isinstance(value, Sized):
        return 1
    size = value.size if isinstance(value, np.ndarray) else len(value)
    if isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            if size > MOST:
                break
            size += _size(part)
    return size


def _copied(value: Any) -> Any:
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - whatever it says, it cannot be copied
        return None


_known: dict[type, Around] = {}


def around(world: Any) -> Around:
    """What lies around a position's environment."""
    kind = type(world.inner())
    if kind not in _known:
        _known[kind] = Around(kind)
    return _known[kind]
