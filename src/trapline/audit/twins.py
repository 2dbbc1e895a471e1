"""Leaks and lost recall by twin worlds, for games that do not say what a player may know.

What claims to be all that a player is told is taken at its word: an information state, or
everything that was observed so far. Two positions in which that is the same must look the same in
every other way: in infos, masks, other strings and tensors. And what is called secret, hidden or
somebody's hand must not follow from what the others are shown.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.testing.check import Memory, called
from trapline.worlds.values import difference, frozen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.worlds import Node, Subject

EARNED = {"reward", "rewards", "terminations", "truncations", "agent selection"}
"""What the rules themselves hand out as play goes on."""


class Told(AssertionError):
    """Twin worlds that a player can tell apart."""

    def __init__(self, sentence: str, one: Node, two: Node) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.one, self.two = one, two


class Twins:
    """Compares positions in which one channel tells a player the same."""

    def __init__(self, subject: Subject, channel: str) -> None:
        self.subject = subject
        self.channel = channel
        self.positions = 0
        self.pairs = 0
        self.at_once = False
        """Whether anybody ever acts at the same time as others, and so in the dark."""
        self.first: dict[Hashable, tuple[Node, dict[str, Any]]] = {}

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
        past = []
        for world, action in node.past():
            if world.actor == viewer:
                past.append((frozen(world.information(viewer).get(self.channel)), frozen(action)))
            elif self.subject.open_moves:
                past.append((None, frozen(action)))
        return now, tuple(past)


def recall_of(channel: str) -> Memory:
    """Compares a player's own past in positions in which an information state is the same."""
    return Memory(lambda world, actor: world.information(actor).get(channel), channel)


# --- what is called secret --------------------------------------------------------------

SECRET = re.compile(r"secret|hidden|private|(^|_)(hands?|cards?)($|_)", re.IGNORECASE)
OWNER = re.compile(r"(?:^|_|player|p)([12])(?:$|_)")
MANY = 3
"""Fewer values than this are no secret, and fewer pairs than this prove nothing."""


class Secret(NamedTuple):
    name: str
    owner: int | None
    """The number of the player it belongs to, from 0; None for something nobody may see."""
    value: Hashable


def secrets(env: Any) -> Iterator[Secret]:
    """What an environment's own names call secret, and whose it is as far as they say."""
    held = dict(getattr(env, "__dict__", {}))
    state = getattr(held.get("state"), "game_state", None)
    held |= state if isinstance(state, Mapping) else {}
    for name, value in held.items():
        if not isinstance(name, str) or not SECRET.search(name) or callable(value):
            continue
        owner = OWNER.search(name)
        if owner:
            yield Secret(name, int(owner[1]) - 1, frozen(value))
        elif isinstance(value, Mapping) and len(value) == 2:
            for number, part in enumerate(value.values()):
                yield Secret(f"{name}[{list(value)[number]!r}]", number, frozen(part))
        elif isinstance(value, (list, tuple)) and len(value) == 2:
            for number, part in enumerate(value):
                yield Secret(f"{name}[{number}]", number, frozen(part))
        elif re.search("secret|hidden", name, re.IGNORECASE) and isinstance(
            value, (int, str, list, tuple, np.ndarray, np.generic)
        ):
            yield Secret(name, None, frozen(value))


class Dealt:
    """Whether what is dealt in secret follows from what others are shown before the first move."""

    def __init__(self) -> None:
        self.values: dict[str, Counter[Hashable]] = defaultdict(Counter)
        self.beside: dict[tuple[str, Any], dict[Hashable, Counter[Hashable]]] = defaultdict(
            lambda: defaultdict(Counter)
        )

    def look(self, world: Any) -> None:
        players = list(world.viewers)
        for secret in secrets(world.inner()):
            self.values[secret.name][secret.value] += 1
            for viewer in players:
                number = viewer - 1 if players in ([1], [2]) else players.index(viewer)
                if number != secret.owner:
                    shown = frozen(world.shown(viewer))
                    self.beside[secret.name, viewer][shown][secret.value] += 1

    def told(self) -> Iterator[str]:
        """Each secret that always was the same where a viewer was shown the same."""
        for (name, viewer), groups in self.beside.items():
            pairs = sum(sum(values.values()) - 1 for values in groups.values())
            common = self.values[name].most_common(1)[0][1] / self.values[name].total()
            surely = all(len(values) == 1 for values in groups.values())
            if surely and len(self.values[name]) >= MANY and common**pairs < 1e-3:
                yield f"{called(viewer)} is shown what tells {name}, before anybody has moved."
