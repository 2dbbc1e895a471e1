"""What an environment keeps for one of its players, by its own names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = re.compile(r"secret|hidden|private|(^|_)(hands?|cards?|traps?|codes?)($|_)", re.IGNORECASE)
OPEN = re.compile(r"reveal|known|public|sprung|triggered|left|remaining|count", re.IGNORECASE)
"""Names of what everybody may see of a secret."""
NOBODYS = re.compile("secret|hidden", re.IGNORECASE)
OWNER = re.compile(r"(?:^|_|player|p)([12])(?:$|_)")


class Secret(NamedTuple):
    name: str
    owner: int | None
    """The number of the player it belongs to, from 0; None for something nobody may see."""
    value: Any


def secrets(env: Any) -> Iterator[Secret]:
    """What an environment's own names call secret, and whose it is as far as they say."""
    held = dict(getattr(env, "__dict__", {}))
    state = getattr(held.get("state"), "game_state", None)
    held |= state if isinstance(state, Mapping) else {}
    for name, value in held.items():
        if not isinstance(name, str) or not SECRET.search(name) or OPEN.search(name):
            continue
        owner = OWNER.search(name)
        if callable(value):
            continue
        if owner:
            yield Secret(name, int(owner[1]) - 1, value)
        elif isinstance(value, Mapping) and len(value) == 2:
            for number, part in enumerate(value.values()):
                yield Secret(f"{name}[{list(value)[number]!r}]", number, part)
        elif isinstance(value, (list, tuple)) and len(value) == 2:
            for number, part in enumerate(value):
                yield Secret(f"{name}[{number}]", number, part)
        elif NOBODYS.search(name) and isinstance(
            value, (int, str, list, tuple, np.ndarray, np.generic)
        ):
            yield Secret(name, None, value)
