"""The two checks, over any kind of world."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import TraplineError
from trapline.testing.subjects import worlds_of
from trapline.testing.world import Node, everything, frozen, playout

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from trapline.testing.world import World

Knows = Callable[[Any, Any], Any]
"""(position, player) → what the rules let that player know there."""

TRIES = 4
"""How many other actions a twin tries at each step before it does as its model did."""


class LeakFound(AssertionError):
    """A player was shown more than the rules let them know."""


class RecallLost(AssertionError):
    """A player's information does not tell what they knew and did before."""


class Report(NamedTuple):
    positions: int
    pairs: int
    """How often two histories that a player cannot tell apart were compared."""
    complete: bool
    """Whether this was every position of the game."""


def assert_no_leak(
    subject: Any,
    knows: Knows | None = None,
    *,
    budget: int = 20_000,
    seed: int = 0,
    ended: bool = False,
) -> Report:
    """Raise LeakFound where a player is shown what follows from nothing they may know.

    `subject` is a Game of this project or its name (as any command takes it), a pyspiel.Game, or
    a function that makes a PettingZoo AEC environment. Ended matches are compared only with
    `ended`: most games then lay open everything.
    """
    starts, default = worlds_of(subject)
    if knows is None:
        knows = default
    if knows is None:
        raise TraplineError(
            "Say what a player may know: pass knows=, a function of position, player."
        )
    watch = _Watch(knows, ended)
    complete = _search(starts, watch, budget, Random(seed))
    return Report(watch.positions, watch.pairs, complete)


def assert_perfect_recall(
    subject: Any,
    information: Knows | None = None,
    *,
    budget: int = 20_000,
    seed: int = 0,
) -> Report:
    """Raise RecallLost where a player's information forgets what they knew or did earlier.

    `information(position, player)` is what the player acts on; without it, it is OpenSpiel's
    information state, PettingZoo's observation, or the View of this project's referee.
    """
    starts, _ = worlds_of(subject)
    memory = _Memory(information)
    complete = _search(starts, memory, budget, Random(seed))
    return Report(memory.positions, memory.pairs, complete)


class _Watch:
    """Compares what viewers are shown in positions in which they know the same."""

    def __init__(self, knows: Knows, ended: bool) -> None:
        self.knows = knows
        self.ended = ended
        self.first: dict[Hashable, tuple[Node, dict[str, Any], dict[str, Hashable]]] = {}
        self.positions = 0
        self.pairs = 0

    def look(self, node: Node) -> None:
        self.positions += 1
        world = node.world
        if not world.visible or (world.over and not self.ended):
            return
        for viewer in world.viewers:
            known = frozen(self.knows(world.state, viewer))
            shown = world.shown(viewer)
            now = node, shown, {what: frozen(value) for what, value in shown.items()}
            before = self.first.setdefault((viewer, known), now)
            if before is not now:
                self.pairs += before[0].story() != node.story()
                if before[2] != now[2]:
                    raise LeakFound(_leak_message(viewer, known, before, now))

    def mark(self, node: Node, viewer: Any) -> Hashable:
        """What the viewer may tell this position by."""
        return frozen(self.knows(node.world.state, viewer))


class _Memory:
    """Compares the pasts of positions in which an actor has the same information."""

    def __init__(self, information: Knows | None) -> None:
        self.information = information
        self.first: dict[Hashable, tuple[Node, Hashable]] = {}
        self.positions = 0
        self.pairs = 0

    def look(self, node: Node) -> None:
        self.positions += 1
        actor = node.world.actor
        if actor is None:
            return
        past = tuple(
            (self._held(world, actor), frozen(action))
            for world, action in node.past()
            if world.actor == actor
        )
        before = self.first.setdefault((actor, self._held(node.world, actor)), (node, past))
        if before[0] is not node:
            self.pairs += before[0].story() != node.story()
            if before[1] != past:
                raise RecallLost(
                    f"{_called(actor)} has the same information in two positions, but another "
                    f"past of their own:\n  {before[0].story()}\n  {node.story()}"
                )

    def _held(self, world: World, actor: Any) -> Hashable:
        if self.information is not None:
            return frozen(self.information(world.state, actor))
        return frozen(world.information(actor))

    def mark(self, node: Node, viewer: Any) -> Hashable:
        return self._held(node.world, viewer)


# --- where to look ----------------------------------------------------------------------


def _search(starts: Sequence[World], watch: _Watch | _Memory, budget: int, rng: Random) -> bool:
    """Look at every position if there are no more than `budget`; otherwise at samples, too."""
    for node in everything(starts):
        if watch.positions == budget:
            break
        watch.look(node)
    else:
        return True
    while watch.positions < 2 * budget:
        model = playout(rng.choice(starts), rng)
        viewer = rng.choice(model[0].world.viewers)
        for node in [*model, *_twin(model, viewer, starts, watch, rng)]:
            watch.look(node)
    return False


def _twin(
    model: list[Node], viewer: Any, starts: Sequence[World], watch: _Watch | _Memory, rng: Random
) -> Iterator[Node]:
    """Another match that the viewer cannot tell from the model, for as long as there is one."""
    node = Node(rng.choice(starts))
    if watch.mark(node, viewer) != watch.mark(model[0], viewer):
        return
    for target in model[1:-1]:
        yield node
        wanted = watch.mark(target, viewer)
        possible = node.world.actions()
        tries = [node.world.draw(rng) for _ in range(TRIES)]
        for action in dict.fromkeys([*tries, target.action]):
            following = node.after(action) if action in possible else None
            if following and not following.world.over and watch.mark(following, viewer) == wanted:
                node = following
                break
        else:
            return
    yield node


# --- what to say ------------------------------------------------------------------------


def _called(viewer: Any) -> str:
    if viewer is None:
        return "A spectator"
    return f"Player {viewer}" if isinstance(viewer, int) else str(viewer)


def _leak_message(viewer: Any, known: Any, before: Any, now: Any) -> str:
    """Both worlds, and the first thing that tells them apart."""
    for what in {**before[2], **now[2]}:
        if before[2].get(what) != now[2].get(what):
            break
    lines = difflib.ndiff(_lines(before[1].get(what)), _lines(now[1].get(what)))
    different = [line for line in lines if line[0] in "+-"][:20]
    return "\n".join(
        [
            f"{what}: {_called(viewer)} is shown what the rules hide.",
            f"  One world:      {before[0].story()}",
            f"  Another world:  {now[0].story()}",
            f"  May know:       {known}",
            "  What differs:",
            *(f"    {line}" for line in different),
        ]
    )


def _lines(value: Any) -> list[str]:
    return (value if isinstance(value, str) else str(value)).splitlines() or [""]
