"""What a player's own moves have met with: the rules tell that, whether or not a note is kept.

Whoever comes to a place may be told whether something is hidden there; and whoever has no place of
their own, whether something is where they have aimed. Of all other places they may not, nor of what
others hide where they stand: nothing of their own has found that out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.audit.secrets import OWNER, secrets
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from trapline.audit.belongings import Seating
    from trapline.worlds import Node

PLACE = re.compile(r"pos|place|square|cell|location|spot", re.IGNORECASE)
"""Names under which an environment keeps where somebody stands."""
PAIR = 2
BITS = {0, 1}


def met(node: Node, viewer: Any, seating: Seating) -> Hashable:
    """What the other's secrets said of each place when the viewer came to it by an own move."""
    found: list[Hashable] = []
    after: Any = node.world
    before: Any
    for before, action in node.past():
        if before.actor == viewer:
            mine = seating.number(before, viewer)
            stood, stands = (dict(_places(world.inner(), mine)) for world in (before, after))
            came_to = [place for name, place in stands.items() if stood.get(name) != place]
            found += _said(before, mine, came_to if stands else _aimed_at(action))
        after = before
    return tuple(found)


def _said(world: Any, mine: int, places: Iterable[Hashable]) -> list[Hashable]:
    """What the other's secrets say of places."""
    theirs = [secret for secret in secrets(world.inner()) if secret.owner not in (None, mine)]
    pairs = [(secret, place) for place in places for secret in theirs]
    told = [(secret.name, place, says(secret.value, place)) for secret, place in pairs]
    return [(name, place, frozen(said)) for name, place, said in told if said is not None]


def _places(env: Any, mine: int) -> Iterator[tuple[str, Hashable]]:
    """Where a player stands, by the environment's own names: on a number or a pair of them."""
    for name, value in getattr(env, "__dict__", {}).items():
        if not PLACE.search(name):
            continue
        owner = OWNER.search(name)
        if owner is not None and int(owner[1]) - 1 != mine:
            continue
        each = list(value.values()) if isinstance(value, Mapping) else value
        two = isinstance(each, (list, tuple, np.ndarray)) and len(each) == PAIR
        parts = {f"{name}[{mine}]": each[mine]} if owner is None and two else {}
        for known, part in {name: value, **parts}.items():
            if (place := _place(part)) is not None:
                yield known, place


def _place(value: Any) -> Hashable | None:
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (list, tuple, np.ndarray)) and np.shape(value) == (PAIR,):
        parts = [_place(part) for part in value]
        return tuple(parts) if all(isinstance(part, int) for part in parts) else None
    return None


def _aimed_at(action: Any) -> list[Hashable]:
    place = _place(action)
    return [] if place is None else [place]


def says(secret: Any, place: Any) -> Any:
    """What a secret that is a set of places, or a board, says of one; None if it is neither."""
    if isinstance(secret, Mapping):
        return secret.get(place)
    if isinstance(secret, (set, frozenset)):
        return place in secret
    if not isinstance(secret, (list, tuple, np.ndarray)) or not np.size(_array(secret)):
        return None
    board = _array(secret)
    if board.dtype == object or not {*np.unique(board).tolist()} <= BITS:
        return any(_place(part) == place for part in secret)
    if isinstance(place, int):
        return bool(board.flat[place]) if 0 <= place < board.size else None
    fits = board.ndim == len(place) and all(
        0 <= at < size for at, size in zip(place, board.shape, strict=True)
    )
    return bool(board[place]) if fits else None


def _array(value: Any) -> Any:
    try:
        return np.asarray(value)
    except ValueError:  # rows of different length
        return np.asarray([None])
