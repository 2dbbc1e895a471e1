"""A position that can be explored, whatever library the game was written for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from random import Random


class World(Protocol):
    """One position; exploring never changes it."""

    @property
    def label(self) -> str:
        """What tells a start from other starts."""

    @property
    def viewers(self) -> Sequence[Any]:
        """Who looks: the players, and spectators where there are any."""

    @property
    def state(self) -> Any:
        """The full position, as the caller's own functions take it."""

    @property
    def actor(self) -> Any:
        """Who is to act; None at a chance node and at the end."""

    @property
    def over(self) -> bool: ...

    @property
    def visible(self) -> bool:
        """Whether players look at such a position at all."""

    def actions(self) -> Sequence[Any]:
        """All that may happen next, by choice or by chance."""

    def draw(self, rng: Random) -> Any:
        """One of `actions`, by lot."""

    def after(self, action: Any) -> World: ...

    def shown(self, viewer: Any) -> dict[str, Any]:
        """Everything that reaches the viewer here, by what it is."""

    def information(self, viewer: Any) -> Any:
        """What a player acts on."""


class Node(NamedTuple):
    """A world, and how it was reached."""

    world: World
    action: Any = None
    parent: Node | None = None

    def after(self, action: Any) -> Node:
        return Node(self.world.after(action), action, self)

    def past(self) -> Iterator[tuple[World, Any]]:
        """The worlds before this one, latest first, and what was done in each."""
        node = self
        while node.parent is not None:
            yield node.parent.world, node.action
            node = node.parent

    def story(self) -> str:
        """How this world came about, in words."""
        root, steps = self, []
        for world, action in self.past():
            steps.append(f"{'chance' if world.actor is None else world.actor}: {action}")
        while root.parent is not None:
            root = root.parent
        return ", ".join([root.world.label, *reversed(steps)])


def everything(starts: Sequence[World]) -> Iterator[Node]:
    """Every position there is."""
    stack = [Node(start) for start in reversed(starts)]
    while stack:
        node = stack.pop()
        yield node
        if not node.world.over:
            stack += [node.after(action) for action in reversed(node.world.actions())]


def playout(start: World, rng: Random) -> list[Node]:
    """The positions of one match of random play."""
    nodes = [Node(start)]
    while not nodes[-1].world.over:
        nodes.append(nodes[-1].after(nodes[-1].world.draw(rng)))
    return nodes


def frozen(value: Any) -> Hashable:
    """A value that compares and hashes by its content, arrays and nested lists included."""
    if isinstance(value, Mapping):
        return tuple(sorted((str(key), frozen(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item) for item in value)
    if hasattr(value, "tobytes") and hasattr(value, "shape"):
        return str(value.dtype), tuple(value.shape), value.tobytes()
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value  # type: ignore[no-any-return]  # it can be hashed
