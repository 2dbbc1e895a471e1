"""Leaks and lost recall by twin worlds, for games that do not say what a player may know.

What claims to be all that a player is told is taken at its word: an information state, or
everything that was observed so far. Two positions in which that is the same must look the same in
every other way: in infos, masks, other strings and tensors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.audit.meeting import met
from trapline.testing.check import Memory, called
from trapline.worlds.values import difference, frozen

if TYPE_CHECKING:
    from collections.abc import Hashable

    from trapline.audit.belongings import Seating
    from trapline.worlds import Node, Subject

EARNED = {"reward", "rewards", "terminations", "truncations", "agent selection"}
"""What the rules themselves hand out as play goes on."""


MOST_PASTS = 1_000
"""So many positions are kept, so that nobody need go back to the start from each."""


class Told(AssertionError):
    """Twin worlds that a player can tell apart."""

    def __init__(self, sentence: str, one: Node, two: Node) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.one, self.two = one, two


class Twins:
    """Compares positions in which one channel tells a player the same."""

    def __init__(self, subject: Subject, channel: str, seating: Seating | None = None) -> None:
        """`seating` says whose an environment's secrets are, where that is known."""
        self.subject = subject
        self.seating = seating
        self.channel = channel
        self.positions = 0
        self.pairs = 0
        self.at_once = False
        """Whether anybody ever acts at the same time as others, and so in the dark."""
        self.first: dict[Hashable, tuple[Node, dict[str, Any]]] = {}
        self._numbers: dict[Hashable, int] = {}
        """Of a past by its number, and one step more."""
        self._pasts: dict[tuple[int, Any], tuple[Node, int]] = {}
        """The last positions that were looked at, by which object they are."""

    def look(self, node: Node) -> None:
        self.positions += 1
        world = node.world
        if not world.visible or world.over:
            return
        self.at_once |= world.at_once
        # What others are shown meanwhile may tell that somebody has moved: no secret at all.
        for viewer in world.viewers if world.at_once else [world.actor]:
            shown = world.shown(viewer)
            first, seen = self.first.setdefault((viewer, self.mark(node, viewer)), (node, shown))
            if first is node:
                continue
            self.pairs += 1
            for what in shown.keys() - EARNED - {self.channel}:
                if frozen(seen.get(what)) != frozen(shown[what]):
                    raise Told(self._said(viewer, what, seen.get(what), shown[what]), first, node)

    def _said(self, viewer: Any, what: str, one: Any, two: Any) -> str:
        differs = "; ".join(line.strip() for line in difference(one, two, what)[:2])
        return (
            f"{called(viewer)} can tell two positions apart by {what} ({differs}), in which "
            f"everything that {called(viewer)} was told by {self.channel} is the same."
        )

    def mark(self, node: Node, viewer: Any) -> Hashable:
        now = frozen(node.world.information(viewer).get(self.channel))
        if self.subject.recalls:
            return now
        found_out = met(node, viewer, self.seating) if self.seating is not None else ()
        return now, self._past(node, viewer), found_out

    def _past(self, node: Node, viewer: Any) -> int:
        """A number for all that led here and the viewer knows of: equal where that is the same."""
        if len(self._pasts) > MOST_PASTS:
            self._pasts.clear()
        fresh = []
        while node.parent is not None and (id(node), viewer) not in self._pasts:
            fresh.append(node)
            node = node.parent
        number = self._pasts[id(node), viewer][1] if node.parent is not None else 0
        for node in reversed(fresh):
            assert node.parent is not None  # the root is not among them
            world, action = node.parent.world, frozen(node.action)
            step: Hashable = "somebody else's turn"  # which is no secret, whatever they do in it
            if world.actor == viewer:
                step = frozen(world.information(viewer).get(self.channel)), action
            elif self.subject.open_moves:
                step = None, action
            number = self._numbers.setdefault((number, step), len(self._numbers) + 1)
            self._pasts[id(node), viewer] = node, number
        return number


def recall_of(channel: str) -> Memory:
    """Compares a player's own past in positions in which an information state is the same."""
    return Memory(lambda world, actor: world.information(actor).get(channel), channel)
