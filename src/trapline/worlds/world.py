"""A position that can be explored, whatever library the game was written for."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
    from random import Random

    Knows = Callable[[Any, Any], Any]
    """(position, player) → what the rules let that player know there."""


class Key(NamedTuple):
    """What a position is, apart from how it came about."""

    position: Hashable
    chance: Hashable
    """The generators that random things are drawn from; it changes when one is used."""


class Stuck(Exception):
    """It is not over, and nobody may move."""


class World(Protocol):
    """One position; exploring never changes it."""

    @property
    def label(self) -> str:
        """What tells a start from other starts."""

    @property
    def seed(self) -> int:
        """Which of the subject's starts this comes from."""

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

    @property
    def at_once(self) -> bool:
        """Whether all act at once here, and the actor is only the first to be asked."""

    def actions(self) -> Sequence[Any]:
        """All that may happen next, by choice or by chance."""

    @property
    def lists_all(self) -> bool:
        """Whether `actions` are all there are, and not some of too many."""

    def unlisted(self) -> Sequence[Any]:
        """Some actions of the right shape that are not among `actions`, if it is safe to try."""

    def draw(self, rng: Random) -> Any:
        """One of `actions`, by lot; Stuck where there is none."""

    def after(self, action: Any) -> World: ...

    def moved(self, action: Any) -> World:
        """Like `after`, but quicker: this world may be used up by it."""

    def refused(self, before: World) -> str:
        """How the action that led here from `before` was refused; empty if it was not."""

    def shown(self, viewer: Any) -> dict[str, Any]:
        """Everything that reaches the viewer here, by what it is."""

    def information(self, viewer: Any) -> dict[str, Any]:
        """What a player acts on: each of these claims to be all that the player is told."""

    def rewards(self) -> Mapping[Any, float]:
        """What each player was given in all; nobody's where the library does not say."""

    def winner(self) -> Any:
        """Whom the game itself calls the winner; None if it calls nobody so."""

    def strays(self) -> Iterator[str]:
        """What lies outside the space that was declared for it, in words."""

    def key(self) -> Key | None:
        """Equal for positions that are the same; None where nobody can tell."""


class Subject(Protocol):
    """Somebody's game: where it begins, and what is said about it."""

    @property
    def seeded(self) -> bool:
        """Whether chance comes from a seed, so that it cannot be chosen."""

    @property
    def hides(self) -> bool | None:
        """Whether anything is hidden from a player; None if nobody says."""

    @property
    def total(self) -> float | None:
        """What the rewards at the end sum to, such as 0; None if nobody says."""

    @property
    def prizes(self) -> Container[float] | None:
        """What a player can be given at the end; None if nobody says."""

    @property
    def pays_at_end(self) -> bool:
        """Whether a player's move is never punished while play goes on."""

    @property
    def open_moves(self) -> bool:
        """Whether everybody sees what everybody does."""

    @property
    def longest(self) -> int:
        """Play that has more moves than this goes on for ever; 0 where that is no fault."""

    @property
    def recalls(self) -> bool:
        """Whether `information` holds all of a player's past, and not just the present."""

    @property
    def knows(self) -> Knows | None:
        """What players may know, if the game says so itself."""

    def starts(self) -> Iterator[World]:
        """The positions to begin with: one for each seed, without end, or all there are."""


class Between:
    """All numbers from one to another."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __contains__(self, number: object) -> bool:
        return isinstance(number, (int, float)) and self.low <= number <= self.high

    def __repr__(self) -> str:
        return f"from {self.low:g} to {self.high:g}"


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

    def root(self) -> Node:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def play(self) -> list[Any]:
        """The actions that led here."""
        return [action for _, action in self.past()][::-1]

    def story(self) -> str:
        """How this world came about, in words."""
        steps = [
            f"{'chance' if world.actor is None else world.actor}: {action}"
            for world, action in self.past()
        ]
        return ", ".join([self.root().world.label, *reversed(steps)])


def all_alike(worlds: Sequence[World]) -> bool:
    """Whether these are surely one and the same position."""
    keys = [world.key() for world in worlds]
    known = [key.position for key in keys if key is not None]
    return len(known) == len(keys) and all(position == known[0] for position in known)


def everything(starts: Sequence[World]) -> Iterator[Node]:
    """Every position there is, those after fewer moves first.

    Each is made when it is its turn: most searches end long before the last.
    """
    waiting: deque[Iterator[Node]] = deque([map(Node, starts)])
    while waiting:
        for node in waiting.popleft():
            yield node
            if not node.world.over:
                waiting.append(map(node.after, node.world.actions()))


def playout(start: World, rng: Random, most: int = 0) -> list[Node]:
    """The positions of one match of random play, or the first `most` of them."""
    nodes = [Node(start)]
    with suppress(Stuck):
        while not nodes[-1].world.over and (not most or len(nodes) < most):
            nodes.append(nodes[-1].after(nodes[-1].world.draw(rng)))
    return nodes
