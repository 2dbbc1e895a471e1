"""Every position that can be reached, as far as there is time, those after few moves first."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.audit.around import around
from trapline.audit.faults import Eve, Fault, Faulty, Hung, position_faults, step_faults, taken
from trapline.audit.replaying import Play, begun
from trapline.worlds import all_alike, go_alike
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from trapline.worlds import Subject, World

SEEDS = 8
"""So many starts are compared before chance is taken to have no part."""
PLAYED = 24
"""From so many starts play must go the same way before no seed is taken to matter."""
TRIED = 300
"""In so many positions, moves that are not listed are tried."""


OF_A_KIND = 3
"""So many plays are remembered that change the same thing outside of an environment."""


class Place(NamedTuple):
    """A position in the graph: how it was first reached, and what follows."""

    parent: int
    action: Any
    start: int
    actor: Any
    result: dict[Any, float] | None
    """What everybody has got; None while it is not over."""
    shown: Hashable
    """What the actor acts on."""
    following: dict[Any, int]


class Graph:
    """The positions of a subject, each once where it can be told from others."""

    def __init__(self, subject: Subject, found: Callable[[Fault, Play], None]) -> None:
        self.subject = subject
        self.found = found
        self.places: list[Place] = []
        self.chance = False
        """Whether anything was drawn."""
        self.partial = False
        """Whether somewhere only some of the actions could be taken."""
        self.broken = False
        """Whether play could not go on somewhere."""
        self.complete = False
        self.noted: Callable[[Play], None] = lambda _: None
        """Hears of every play before it is tried."""
        self.telling: list[Play] = []
        """After these something was kept outside of the environment."""
        self._kept: dict[Any, int] = {}

    def explore(self, late: Callable[[], bool], most: int) -> None:
        known: dict[Hashable, int] = {}
        waiting: deque[tuple[int, World]] = deque()
        for index, world in self._beginnings():
            self._add(world, -1, None, index, known, waiting)
        while waiting:
            if late() or len(self.places) > most:
                return
            number, world = waiting.popleft()
            if not self._follow(number, world, known, waiting, late):
                return
        if self.subject.seeded and not (self.chance or self.broken):
            starts = (begun(self.subject, seed) for seed in range(PLAYED))
            self.chance = not go_alike(starts, Random(0))
        self.complete = not (self.chance or self.broken or self.partial)

    def _beginnings(self) -> list[tuple[int, World]]:
        subject = self.subject
        if not subject.seeded:
            return list(enumerate(subject.starts()))
        starts = [(seed, begun(subject, seed)) for seed in range(SEEDS)]
        if all_alike([world for _, world in starts]):
            return starts[:1]
        self.chance = True
        return starts

    def _follow(
        self, number: int, world: World, known: Any, waiting: Any, late: Callable[[], bool]
    ) -> bool:
        """Take every action of a position; False if there was no time for all of them."""
        place = self.places[number]
        if world.over:
            return True
        drawn = world.key()
        try:
            actions = list(world.actions())
        except Exception:  # noqa: BLE001 - it was told when the position was looked at
            return True
        self.partial |= not world.lists_all
        for action in actions:
            if late():
                return False
            eve, kept = Eve.of(world), _kept(world)
            self.noted(self.play(number, action))
            try:
                after = taken(world, action)
                for fault in step_faults(self.subject, eve, action, after):
                    self.found(fault, self.play(number, action))
            except Faulty as faulty:
                self._broken(faulty, self.play(number, action))
                continue
            self._tell(kept, _kept(after), self.play(number, action))
            key = after.key()
            self.chance |= self.subject.seeded and (
                key is None or drawn is None or key.chance != drawn.chance
            )
            place.following[_hashable(action)] = self._add(
                after, number, action, place.start, known, waiting
            )
        return True

    def _tell(self, before: Any, after: Any, play: Play) -> None:
        """Remember some of the plays that leave something behind, whatever that is."""
        for place in after:
            if before.get(place) != after[place]:
                self._kept[place] = self._kept.get(place, 0) + 1
                if self._kept[place] <= OF_A_KIND and play not in self.telling:
                    self.telling.append(play)

    def _broken(self, faulty: Faulty, play: Play) -> None:
        self.broken = True
        self.found(faulty.fault, play)
        if isinstance(faulty, Hung):
            raise faulty

    def _add(
        self, world: World, parent: int, action: Any, start: int, known: Any, waiting: Any
    ) -> int:
        key, over = world.key(), world.over
        number = len(self.places)
        result = dict(world.rewards()) if over else None
        actor = None if over else world.actor
        # Some keep nothing of whose turn it is, or of who has won: it is another position all
        # the same.
        if key is not None:
            before = known.setdefault((key, frozen((actor, result))), number)
            if before != number:
                return before  # type: ignore[no-any-return]  # a number
        shown = None if over else self._acts_on(world, actor)
        self.places.append(Place(parent, action, start, actor, result, shown, {}))
        play = self.play(number)
        try:
            for fault in position_faults(self.subject, world, tries=number < TRIED):
                self.found(fault, play)
        except Faulty as faulty:
            self._broken(faulty, play)
            return number
        waiting.append((number, world))
        return number

    def _acts_on(self, world: World, actor: Any) -> Hashable:
        """What tells the actor where they are; it matters where nobody says that all is open."""
        if self.subject.hides is not None or actor is None:
            return None
        try:
            return hash(frozen((actor, world.information(actor))))
        except Exception:  # noqa: BLE001 - it is told when the position is looked at
            return None

    def play(self, number: int, *more: Any) -> Play:
        """The actions that first led to a place, and more."""
        place = self.places[number]
        start, actions = place.start, []
        while place.parent >= 0:
            actions.append(place.action)
            place = self.places[place.parent]
        return Play(start, (*reversed(actions), *more))


def _kept(world: Any) -> dict[Any, Hashable]:
    """What lies around an environment; nothing of a game that is none."""
    return around(world).now() if hasattr(world, "inner") else {}


def _hashable(action: Any) -> Hashable:
    try:
        hash(action)
    except TypeError:
        return repr(action)
    return action  # type: ignore[no-any-return]  # it can be hashed


def loop(graph: Graph) -> Play | None:
    """A play that comes back to a position it has been in, if there is one."""
    colour = [0] * len(graph.places)  # 1: on the way, 2: done
    for root, place in enumerate(graph.places):
        if place.parent >= 0 or colour[root]:
            continue
        trail = [(root, iter(place.following.items()))]
        colour[root] = 1
        path: list[Any] = []
        while trail:
            _, following = trail[-1]
            for action, child in following:
                if colour[child] == 1:
                    return _around(graph, trail, [*path, action], child)
                if colour[child] == 0:
                    colour[child] = 1
                    path.append(action)
                    trail.append((child, iter(graph.places[child].following.items())))
                    break
            else:
                colour[trail.pop()[0]] = 2
                if path:
                    path.pop()
    return None


def _around(graph: Graph, trail: Any, path: list[Any], back: int) -> Play:
    """The shortest way to the loop, and once around it."""
    at = next(index for index, (number, _) in enumerate(trail) if number == back)
    return graph.play(back, *path[at:])
