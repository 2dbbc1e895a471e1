"""The two checks, over any kind of world."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import TraplineError
from trapline.testing.search import search
from trapline.worlds import subject_of
from trapline.worlds.values import difference, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from trapline.worlds import Node, World
    from trapline.worlds.world import Knows

    Held = Callable[[World, Any], Any]
    """What a player holds in a world."""


class LeakFound(AssertionError):
    """A player was shown more than the rules let them know."""


class NothingCompared(AssertionError):
    """No two positions were met that a player may not tell apart: nothing was checked."""


class RecallLost(AssertionError):
    """A player's information does not tell what they knew and did before."""

    def __init__(self, sentence: str, one: Node, two: Node) -> None:
        super().__init__(f"{sentence}:\n  {one.story()}\n  {two.story()}")
        self.sentence = f"{sentence}."
        self.one, self.two = one, two


class Report(NamedTuple):
    positions: int
    pairs: int
    """How often two histories that a player cannot tell apart were compared."""
    complete: bool
    """Whether this was every position of the game."""


class _Seen(NamedTuple):
    story: str
    shown: dict[str, Any]
    compared: dict[str, Hashable]


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
    a function that makes an environment of PettingZoo, Gymnasium or TextArena. Ended matches are
    compared only with `ended`: most games then lay open everything. Where a game that may hide
    something was searched in part, and no two positions were met that a player may not tell
    apart, NothingCompared is raised: such a silence says nothing. So does one in which a game says
    that it hides something, and by `knows` nobody is ever in doubt.
    """
    searched = subject_of(subject)
    if knows is None:
        knows = searched.knows
    if knows is None:
        raise TraplineError(
            "Say what a player may know: pass knows=, a function of position, player."
        )
    watch = Watch(knows, ended)
    complete = search(searched, watch, budget, Random(seed))
    if watch.pairs == 0 and complete and searched.hides and not watch.at_once:
        raise NothingCompared(
            f"This game says that it hides something, but by knows= every player can tell all "
            f"{watch.positions} positions apart, so nothing was compared. Leave out of knows= what "
            "the rules hide."
        )
    if watch.pairs == 0 and not complete and searched.hides is not False:
        raise NothingCompared(
            f"None of {watch.positions} positions gave a player the same knowledge as another one, "
            "so nothing was compared. Give more budget, or a smaller game."
        )
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
    information state, an environment's observation, or the View of this project's referee.
    """
    memory = Memory(_first_told if information is None else _said_by(information))
    complete = search(subject_of(subject), memory, budget, Random(seed))
    return Report(memory.positions, memory.pairs, complete)


class Watch:
    """Compares what viewers are shown in positions in which they know the same."""

    def __init__(self, knows: Knows, ended: bool) -> None:
        self.knows = knows
        self.ended = ended
        self.first: dict[Hashable, _Seen] = {}
        self.positions = 0
        self.pairs = 0
        self.at_once = False
        """Whether all act at once somewhere, which may be all that is hidden."""

    def look(self, node: Node) -> None:
        self.positions += 1
        world = node.world
        self.at_once |= world.at_once
        if not world.visible or (world.over and not self.ended):
            return
        for viewer in world.viewers:
            known = self.mark(node, viewer)
            shown = world.shown(viewer)
            compared = {what: frozen(value) for what, value in shown.items()}
            now = _Seen(node.story(), shown, compared)
            before = self.first.setdefault((viewer, known), now)
            if before is not now:
                self.pairs += before.story != now.story
                if before.compared != compared:
                    may_know = self.knows(world.state, viewer)
                    raise LeakFound(_leak_message(viewer, may_know, before, now))

    def mark(self, node: Node, viewer: Any) -> Hashable:
        return frozen(self.knows(node.world.state, viewer))


class Memory:
    """Compares the pasts of positions in which an actor has the same information."""

    def __init__(self, held: Held, what: str = "information") -> None:
        """`held` is what an actor holds in a world; it is called `what`."""
        self.held, self.what = held, what
        self.first: dict[Hashable, tuple[Node, Hashable]] = {}
        self.positions = 0
        self.pairs = 0

    def look(self, node: Node) -> None:
        self.positions += 1
        actor = node.world.actor
        if actor is None:
            return
        past = tuple(
            (frozen(self.held(world, actor)), frozen(action))
            for world, action in node.past()
            if world.actor == actor
        )
        first, before = self.first.setdefault((actor, self.mark(node, actor)), (node, past))
        if first is node:
            return
        self.pairs += first.story() != node.story()
        if before != past:
            raise RecallLost(
                f"{called(actor)} has the same {self.what} in two positions, but another past of "
                "their own",
                first,
                node,
            )

    def mark(self, node: Node, viewer: Any) -> Hashable:
        return frozen(self.held(node.world, viewer))


def _first_told(world: World, actor: Any) -> Any:
    return next(iter(world.information(actor).values()), None)


def _said_by(information: Knows) -> Held:
    return lambda world, actor: information(world.state, actor)


# --- what to say ------------------------------------------------------------------------


def called(viewer: Any) -> str:
    if viewer is None:
        return "A spectator"
    return f"Player {viewer}" if isinstance(viewer, int) else str(viewer)


def _leak_message(viewer: Any, known: Any, before: _Seen, now: _Seen) -> str:
    """Both worlds, and the first thing that tells them apart."""
    one, two = before.compared, now.compared
    what = next(name for name in {**one, **two} if one.get(name) != two.get(name))
    return "\n".join(
        [
            f"{what}: {called(viewer)} is shown what the rules hide.",
            f"  One world:      {before.story}",
            f"  Another world:  {now.story}",
            f"  May know:       {known}",
            "  What differs:",
            *(
                f"    {line}"
                for line in difference(before.shown.get(what), now.shown.get(what), what)
            ),
        ]
    )
