"""Whether players can know where they are, so that best play is a matter of looking ahead.

Nobody says of most environments whether they hide anything. So it is looked at: a player is shown
something at their own turns, remembers it and what they did, and knows how often others had a
turn. If two places look the same by all that, and go on in different ways, something is hidden.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.audit.exploring import Graph

    Pair = tuple[int, int]

MOST_PAIRS = 300_000
"""More pairs of places than this are not compared: then nobody can say."""


def all_is_seen(graph: Graph) -> bool:
    kinds = _kinds(graph)
    actors = {place.actor for place in graph.places if place.result is None}
    return all(_knows_where(graph, kinds, player) for player in actors)


def _kinds(graph: Graph) -> list[int]:
    """A number for each place, the same for those that look alike and go on alike."""
    kinds: list[int] = [0] * len(graph.places)
    count = 0
    while True:
        numbers: dict[Hashable, int] = {}
        found = []
        for place in graph.places:
            after = frozenset((action, kinds[child]) for action, child in place.following.items())
            looks = place.actor, frozen(place.result), place.shown, after
            found.append(numbers.setdefault(looks, len(numbers)))
        kinds = found
        if len(numbers) == count:
            return kinds
        count = len(numbers)


def _knows_where(graph: Graph, kinds: list[int], player: Any) -> bool:
    """Whether no two kinds of places are the same to a player who remembers."""
    of_kind = {kind: number for number, kind in enumerate(kinds)}
    starts = {kinds[number] for number, place in enumerate(graph.places) if place.parent < 0}
    known: set[Pair] = set(combinations_with_replacement(sorted(starts), 2))
    waiting = deque(known)
    while waiting:
        pair = waiting.popleft()
        one, other = (graph.places[of_kind[kind]] for kind in pair)
        if one.actor != other.actor or one.result is not None or other.result is not None:
            continue
        if one.actor == player:
            if one.shown is None:
                return False
            if one.shown != other.shown:
                continue
            if one is not other:
                return False
        for first, second in _next(one.following, other.following, by=one.actor == player):
            after = min(kinds[first], kinds[second]), max(kinds[first], kinds[second])
            if after not in known:
                known.add(after)
                waiting.append(after)
        if len(known) > MOST_PAIRS:
            return False
    return True


def _next(one: dict[Any, int], other: dict[Any, int], *, by: bool) -> Iterator[Pair]:
    """Where two places lead: by the same action of the player's own, by any of another's."""
    if by:
        return ((one[action], other[action]) for action in one if action in other)
    return product(one.values(), other.values())
