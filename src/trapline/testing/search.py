"""Where to look: every position of a small game, samples and twins of a large one."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from trapline.worlds import Node, all_alike, everything, go_alike, playout
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from random import Random

    from trapline.worlds import Subject, World

TRIES = 4
"""How many other actions a twin tries at each step before it does as its model did."""
OF_A_SEED = 6
"""From so many positions of one seed the search goes on to the next seed."""
OTHER_SEEDS = 7
"""So many more seeds are tried before chance is taken to have no part."""
PLAYED = 24
"""From so many further seeds play must go the same way, once all positions were looked at."""
LONGEST = 300
"""A sample has no more positions than this."""


class Watch(Protocol):
    positions: int

    def look(self, node: Node) -> None: ...

    def mark(self, node: Node, viewer: Any) -> Hashable:
        """What the viewer may tell this position by."""


def search(subject: Subject, watch: Watch, budget: int, rng: Random) -> bool:
    """Look at every position if there are no more than `budget`; otherwise at samples, too."""
    if subject.seeded:
        return _search_seeds(subject, watch, budget, rng)
    starts = list(subject.starts())
    for node in everything(starts):
        if watch.positions == budget:
            break
        watch.look(node)
    else:
        return True
    _sample(_Starts(starts, watch), watch, 2 * budget, rng)
    return False


def _search_seeds(subject: Subject, watch: Watch, budget: int, rng: Random) -> bool:
    """Seed after seed, as many as there is time for: chance cannot be chosen, only drawn again.

    Only where no seed makes any difference is one of them all there is.
    """
    seeds, starts = subject.starts(), []
    first = next(seeds)
    starts.append(first)
    if all_alike([first, *islice(seeds, OTHER_SEEDS)]):
        for node in everything([first]):
            if watch.positions == budget:
                break
            watch.look(node)
            if not node.world.over and not node.world.lists_all:
                break
            if node.parent is not None and _drawn(node.parent.world) != _drawn(node.world):
                break
        else:
            if go_alike([first, *islice(seeds, PLAYED)], rng):
                return True
        _sample(_Starts([first], watch), watch, 2 * budget, rng)
        return False
    few = getattr(watch, "of_a_seed", OF_A_SEED)
    # Where what is chosen counts as well as what is dealt, half of the positions are of few seeds.
    every = max(1, few // OF_A_SEED)
    while watch.positions < budget:
        many = few if len(starts) % every == 1 % every else OF_A_SEED
        for node in islice(_mixed(starts[-1]), many):
            watch.look(node)
        starts.append(next(seeds))
    _sample(_Starts(starts, watch), watch, 2 * budget, rng)
    return False


def _mixed(start: World) -> Iterator[Node]:
    """The positions of one seed, those after fewer moves first."""
    waiting: deque[Iterator[Node]] = deque([iter([Node(start)])])
    while waiting:
        for node in waiting.popleft():
            yield node
            if not node.world.over:
                waiting.append(map(node.after, node.world.actions()[:OF_A_SEED]))


def _drawn(world: World) -> Hashable:
    key = world.key()
    return object() if key is None else key.chance


class _Starts:
    """Starts, and which of them a viewer cannot tell from each other."""

    def __init__(self, starts: list[World], watch: Watch) -> None:
        self.starts = starts
        self._watch = watch
        self._alike: dict[Any, dict[Hashable, list[World]]] = {}

    def alike(self, start: World, viewer: Any) -> list[World]:
        if viewer not in self._alike:
            grouped: dict[Hashable, list[World]] = defaultdict(list)
            for each in self.starts:
                grouped[self._watch.mark(Node(each), viewer)].append(each)
            self._alike[viewer] = grouped
        return self._alike[viewer].get(self._watch.mark(Node(start), viewer), [])


def _sample(starts: _Starts, watch: Watch, until: int, rng: Random) -> None:
    while watch.positions < until:
        most = min(LONGEST, until - watch.positions)
        model = playout(rng.choice(starts.starts), rng, most)
        viewer = rng.choice(rng.choice(model).world.viewers)
        for node in [*model, *_twin(model, viewer, starts, watch, rng)]:
            watch.look(node)


def _twin(
    model: list[Node], viewer: Any, starts: _Starts, watch: Watch, rng: Random
) -> Iterator[Node]:
    """Another match that the viewer cannot tell from the model, for as long as there is one."""
    alike = starts.alike(model[0].world, viewer)
    if not alike:
        return
    node = Node(rng.choice(alike))
    for target in model[1:-1]:
        yield node
        wanted = watch.mark(target, viewer)
        possible = {frozen(action) for action in node.world.actions()}
        if not possible:
            return
        tries = [*(node.world.draw(rng) for _ in range(TRIES)), target.action]
        for mark, action in {frozen(action): action for action in tries}.items():  # some are arrays
            following = node.after(action) if mark in possible else None
            if following and not following.world.over and watch.mark(following, viewer) == wanted:
                node = following
                break
        else:
            return
    yield node
