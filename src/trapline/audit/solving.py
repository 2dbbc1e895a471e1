"""What a small game is worth, and whether anything is left to decide in it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.audit.exploring import Graph, Place

ROUNDING = 1e-9


def players(graph: Graph) -> list[Any]:
    found = dict.fromkeys(place.actor for place in graph.places if place.actor is not None)
    for place in graph.places:
        found |= dict.fromkeys(place.result or ())
    return list(found)


def worths(graph: Graph) -> list[float | None]:
    """What each place is worth to whoever moves first, where both play their best and can see
    everything; None where play need never leave a loop, and none at all where nobody can tell."""
    two = players(graph)
    if not graph.complete or len(two) != 2 or not all(map(_adds_up, graph.places)):
        return []
    first = graph.places[0].actor
    if any(place.actor is None and place.result is None for place in graph.places):
        return []  # chance has a part in it
    if any(_is_dead(place) for place in graph.places):
        return []  # nobody knows what that is worth
    worth: list[float | None] = [
        None if place.result is None else place.result[first] for place in graph.places
    ]
    before: list[list[int]] = [[] for _ in graph.places]
    open_moves = [len(place.following) for place in graph.places]
    for number, place in enumerate(graph.places):
        for child in place.following.values():
            before[child].append(number)
    known = [number for number, result in enumerate(worth) if result is not None]
    best = max((result for result in worth if result is not None), default=0.0)
    worst = min((result for result in worth if result is not None), default=0.0)
    while known:
        child = known.pop()
        for number in before[child]:
            if worth[number] is not None:
                continue
            place = graph.places[number]
            open_moves[number] -= 1
            mine = place.actor == first
            top = best if mine else worst
            if abs(worth[child] - top) < ROUNDING:  # type: ignore[operator]  # it is known
                worth[number] = worth[child]
            elif open_moves[number] == 0:
                results = [worth[each] for each in place.following.values()]
                worth[number] = (max if mine else min)(results)  # type: ignore[type-var]  # all are known
            if worth[number] is not None:
                known.append(number)
    return worth


def value(worth: list[float | None]) -> float | None:
    """Who need never leave a loop has a draw, where a draw lies between the results."""
    if not worth or worth[0] is not None:
        return worth[0] if worth else None
    return 0.0 if {*worth} <= {-1.0, 0.0, 1.0, None} else None


def _is_dead(place: Place) -> bool:
    """Whether it is not over, and nobody can move."""
    return place.result is None and not place.following


def _adds_up(place: Place) -> bool:
    return place.result is None or abs(sum(place.result.values())) < ROUNDING


def decided(graph: Graph, worth: list[float | None]) -> Iterator[str]:
    """Why there is little or nothing left to decide, in sentences."""
    endings = [place.result for place in graph.places if place.result is not None]
    if not graph.complete or not endings or len(players(graph)) < 2:
        return
    if all(ending == endings[0] for ending in endings):
        yield "Every play ends with the same result, whatever anybody does."
        return
    yield from _results(graph, endings, value(worth))
    for player in players(graph):
        if _never_matters(graph, worth, player):
            yield f"No choice of player {player} ever makes a difference to the result."
    for one, two in _alike(graph):
        yield f"Moves {one!r} and {two!r} always do the same."


def _results(graph: Graph, endings: list[Any], worth: float | None) -> Iterator[str]:
    for player in players(graph):
        if all(ending.get(player, 0) <= 0 for ending in endings):
            yield f"No play ends with a win of player {player}."
            return
    if worth is not None and abs(worth) >= 1 - ROUNDING:
        who = "moves first" if worth > 0 else "moves second"
        yield f"Whoever {who} wins, if they play their best."


def _never_matters(graph: Graph, worth: list[float | None], player: Any) -> bool:
    """Whether all that a player can choose is worth the same, wherever there is a choice."""
    if not worth or None in worth:
        return False
    chosen = [place.following.values() for place in graph.places if place.actor == player]
    choices = [{*following} for following in chosen if len(following) > 1]
    return bool(choices) and all(len({worth[each] for each in places}) == 1 for places in choices)


def _alike(graph: Graph) -> list[tuple[Any, Any]]:
    """Moves that lead to the same position, wherever both are possible."""
    pairs: dict[tuple[Any, Any], None] = {}
    for place in graph.places:
        if len({*place.following.values()}) < len(place.following):
            follows = combinations(place.following.items(), 2)
            pairs |= {(one, two): None for (one, here), (two, there) in follows if here == there}
    for place in graph.places:
        after = place.following
        for one, two in [pair for pair in pairs if after.get(pair[0]) != after.get(pair[1])]:
            if one in after and two in after:
                del pairs[one, two]
    return list(pairs)[:1]
