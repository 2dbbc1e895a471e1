"""The value of somebody's small game with its certificate: every position, and what it is worth.

Whoever doubts a value need not trust the search that found it. `proven` plays every move of every
position in the environment itself, and sees that the moves are those that are written down, that
they lead where it says, that all plays end, and that each position is worth the best of what
follows to whoever is to move.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.audit.faults import Faulty, taken
from trapline.audit.replaying import Play, begun, plain
from trapline.audit.report import Certificate, Row
from trapline.audit.targets import subject_named
from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from trapline.audit.exploring import Graph
    from trapline.worlds import World

ROUNDING = 1e-9


def certificate(
    target: str, options: dict[str, Any], graph: Graph, worth: list[float | None]
) -> Certificate | None:
    """What proves the worth of a graph; None where it is not known, or play need not end."""
    left = _left(graph)
    known = [here for here in worth if here is not None]
    if not left or len(known) != len(left):  # play need not end, or comes where nobody may move
        return None
    rows = []
    for place, here, most in zip(graph.places, known, left, strict=True):
        following = tuple((plain(move), child) for move, child in place.following.items())
        rows.append(Row(place.actor, following, here, most))
    return Certificate(target, options, graph.places[0].start, tuple(rows))


def _left(graph: Graph) -> list[int]:
    """The most moves that play can have from each place; nothing if it can come back to one."""
    left = [0] * len(graph.places)
    before: list[list[int]] = [[] for _ in graph.places]
    waiting = [len(place.following) for place in graph.places]
    for number, place in enumerate(graph.places):
        for child in place.following.values():
            before[child].append(number)
    ready = [number for number, count in enumerate(waiting) if not count]
    for child in ready:
        for number in before[child]:
            left[number] = max(left[number], left[child] + 1)
            waiting[number] -= 1
            if not waiting[number]:
                ready.append(number)
    return left if len(ready) == len(left) else []


def proven(path: str | Path) -> float:
    """The value that a certificate proves, after every line of it was checked; or TraplineError."""
    try:
        given = msgspec.json.decode(Path(path).read_bytes(), type=Certificate)
    except (OSError, msgspec.MsgspecError) as error:
        raise TraplineError(f"{path} is no certificate of an audit: {error}") from None
    try:
        _Walk(given).walk()
    except Faulty as faulty:
        raise TraplineError(f"{path} does not hold: {faulty.fault.sentence}") from None
    return given.value


class _Walk:
    """Every position of a certificate, in the environment itself."""

    def __init__(self, given: Certificate) -> None:
        self.rows = given.rows
        self._keys: dict[int, Hashable] = {}
        start = begun(subject_named(given.target, given.options), given.start)
        self.first = start.actor
        self._waiting: list[tuple[Play, int, World]] = []
        self._come(Play(given.start), 0, start)

    def walk(self) -> None:
        while self._waiting:
            play, number, world = self._waiting.pop()
            row = self.rows[number]
            listed = [] if world.over else list(world.actions())
            _see([plain(move) for move in listed] == [move for move, _ in row.following], play)
            _see(world.over or plain(world.actor) == row.actor, play)
            for move, (_, child) in zip(listed, row.following, strict=True):
                following = Play(play.start, (*play.actions, move))
                _see(0 <= child < len(self.rows) and self.rows[child].left < row.left, following)
                self._come(following, child, taken(world, move))
            _see(abs(row.worth - self._worth(row, world)) < ROUNDING, play)

    def _come(self, play: Play, number: int, world: World) -> None:
        """The same row stands for the same position, however play came to it."""
        key = world.key(), world.actor, world.over
        if number not in self._keys:
            self._keys[number] = key
            self._waiting.append((play, number, world))
        _see(key[0] is not None and self._keys[number] == key, play)

    def _worth(self, row: Row, world: World) -> float:
        if world.over:
            return world.rewards()[self.first]
        after = [self.rows[child].worth for _, child in row.following]
        return max(after) if world.actor == self.first else min(after)


def _see(true: bool, play: Play) -> None:
    if not true:
        actions = [plain(action) for action in play.actions]
        raise TraplineError(f"The certificate does not hold after {actions}.")
