"""What an environment keeps for one of its players, by its own names, and whether others see it.

What is called secret, hidden, somebody's hand, traps or code must not follow from what the others
are shown: not when it is dealt, and not when it is chosen in the course of play.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.audit.meeting import met
from trapline.audit.secrets import Secret, secrets
from trapline.audit.twins import EARNED, Told
from trapline.testing.check import called
from trapline.worlds.values import difference, fingerprint, frozen

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterator

    from trapline.worlds import Node, World

SHOWN = re.compile(r"reveal|known|public|sprung|triggered|peek|expos", re.IGNORECASE)
"""Names of notes that something was shown by the rules."""
MANY = 3
"""Fewer values than this are no secret."""
BY_CHANCE = 1e-3
"""What is less likely than this, if nothing is told, is told."""


class Seating:
    """By which numbers an environment that names its `current_player` knows its players."""

    def __init__(self, start: World) -> None:
        self._names = {_named(start)}
        if not start.over and start.actions():
            self._names.add(_named(start.after(start.actions()[0])))
        self.clear = len(self._names - {None}) == 2
        self.known = self.clear or len(start.viewers) == 2
        """Whether it can be said whose something is."""

    def number(self, world: World, viewer: Any) -> int:
        """Of a viewer, from 0, in the order of the environment's own names."""
        players = list(world.viewers)
        if players not in ([1], [2]):
            return players.index(viewer)
        named = _named(world)
        if not self.clear or not isinstance(named, int):
            return int(viewer) - 1
        mover = 1 if named == -1 else named - (0 not in self._names)
        return mover if players == [viewer] else 1 - mover


def _named(world: World) -> Any:
    named = getattr(world.inner(), "current_player", None)  # type: ignore[attr-defined]  # not of all
    return int(named) if isinstance(named, (int, np.integer)) else named


# --- what is dealt ----------------------------------------------------------------------


class Deal(NamedTuple):
    seed: int
    secret: Hashable
    shown: dict[str, Any]


class Dealt:
    """Whether others are shown anything of what is dealt in secret, before the first move.

    Either two deals differ in nothing but the secret, and look different: then something of it is
    shown. Or there are no such twins, and in all deals it follows from what is shown.
    """

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.rows: dict[tuple[str, Any], list[tuple[Any, Any]]] = defaultdict(list)
        """By secret and viewer: the secret, and what the viewer was shown, deal after deal."""
        self.first: dict[Hashable, Deal] = {}
        """By secret, viewer and all that is held besides: the first such deal."""
        self.apart: list[str] = []

    def look(self, world: Any) -> None:
        for secret in secrets(world.inner()):
            for viewer in world.viewers:
                if self.seating.number(world, viewer) != secret.owner:
                    shown = world.shown(viewer)
                    self.rows[secret.name, viewer].append((secret.value, shown))
                    self._compare(world, secret, viewer, shown)

    def _compare(self, world: Any, secret: Secret, viewer: Any, shown: dict[str, Any]) -> None:
        rest = _held_besides(world, {secret.name})
        if rest is None:
            return
        now = Deal(world.seed, frozen(secret.value), shown)
        before = self.first.setdefault((secret.name, viewer, rest), now)
        if before.secret == now.secret:
            return
        for what in shown.keys() - EARNED:
            if frozen(before.shown.get(what)) != frozen(shown[what]):
                differs = difference(before.shown.get(what), shown[what], what)[0].strip()
                self.apart.append(
                    f"{called(viewer)} is shown something of {secret.name}, before anybody has "
                    f"moved: {differs}, and nothing else differs in the deals of seeds "
                    f"{before.seed} and {now.seed}."
                )

    def told(self) -> Iterator[str]:
        yield from self.apart[:1]
        for (name, viewer), rows in self.rows.items():
            if len({frozen(secret) for secret, _ in rows}) < MANY:
                continue
            if by := _teller(rows):
                who = called(viewer)
                yield f"{who} is shown what tells {name}, before anybody has moved: {by}."


def _teller(rows: list[tuple[Any, Any]]) -> str:
    """What a secret, or a part of it, always follows from; empty if that may be by chance."""
    hidden, seen = ([parts(row[side]) for row in rows] for side in (0, 1))
    features, places = ({path: None for row in rows for path in row} for rows in (hidden, seen))
    tries = len(features) * len(places)
    for feature in features:
        wanted = [row.get(feature) for row in hidden]
        for place in places:
            if _follows(wanted, [row.get(place) for row in seen], tries):
                return place
    wholes = [frozen(secret) for secret, _ in rows], [frozen(shown) for _, shown in rows]
    return "all of it together" if _follows(*wholes, tries=1) else ""


def _follows(wanted: list[Any], given: list[Any], tries: int) -> bool:
    """Whether the one was always the same where the other was, and hardly by chance."""
    known: dict[Any, Any] = {}
    for one, other in zip(given, wanted, strict=True):
        if known.setdefault(one, other) != other:
            return False
    common = Counter(wanted).most_common(1)[0][1] / len(wanted)
    return tries * common ** (len(wanted) - len(known)) < BY_CHANCE


def parts(value: Any, path: str = "") -> dict[str, Hashable]:
    """A value by its smallest parts, each with its place in it."""
    if isinstance(value, Mapping):
        inside = [(f"{path}[{key!r}]" if path else str(key), part) for key, part in value.items()]
    elif isinstance(value, (list, tuple, np.ndarray)) and np.shape(value) != ():
        inside = [(f"{path}[{index}]", part) for index, part in enumerate(value)]
    elif isinstance(value, (set, frozenset)):
        return {f"{path} with {part}": True for part in value}
    else:
        return {path: frozen(value)}
    return {place: part for name, each in inside for place, part in parts(each, name).items()}


# --- what is chosen ---------------------------------------------------------------------


class Chosen:
    """Compares positions that differ in nothing but what belongs to the other player.

    Whoever is to move has seen, done and met with the same in both, and all else that the
    environment holds is the same: so everything must look the same.
    """

    of_a_seed = 400
    """Positions of one seed that are looked at: what players choose takes moves to be seen."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.positions = 0
        self.pairs = 0
        self.at_once = False
        self.first: dict[Hashable, tuple[Node, dict[str, Any], dict[str, Hashable]]] = {}

    def look(self, node: Node) -> None:
        self.positions += 1
        world: Any = node.world
        viewer = world.actor
        if world.over or not (theirs := self._theirs(world, viewer)):
            return
        if _notes(world) != _notes(node.root().world):
            return
        shown = world.shown(viewer)
        first, seen, held = self.first.setdefault(self.mark(node, viewer), (node, shown, theirs))
        if held == theirs:
            return
        self.pairs += 1
        for what in shown.keys() - EARNED:
            if frozen(seen.get(what)) != frozen(shown[what]):
                differs = difference(seen.get(what), shown[what], what)[0].strip()
                names = " and ".join(name for name in theirs if held.get(name) != theirs[name])
                raise Told(
                    f"{called(viewer)} can tell two positions apart by {what} ({differs}), which "
                    f"differ in nothing but {names}, and that is the other's.",
                    first,
                    node,
                )

    def mark(self, node: Node, viewer: Any) -> Hashable:
        world: Any = node.world
        past = tuple(
            (frozen(before.information(viewer)), frozen(action))
            for before, action in node.past()
            if before.actor == viewer
        )
        rest = _held_besides(world, self._theirs(world, viewer))
        found_out = met(node, viewer, self.seating)
        return viewer, past, found_out, rest if rest is not None else id(node)

    def _theirs(self, world: Any, viewer: Any) -> dict[str, Hashable]:
        """What belongs to the other one."""
        mine = self.seating.number(world, viewer)
        return {
            secret.name: frozen(secret.value)
            for secret in secrets(world.inner())
            if secret.owner not in (None, mine)
        }


def _notes(world: Any) -> Hashable:
    """What an environment notes of things that were shown: they are no secret any more."""
    held = vars(world.inner()).items()
    return frozen({name: value for name, value in held if SHOWN.search(name)})


def _held_besides(world: Any, names: Container[str]) -> Hashable | None:
    """All that an environment holds but what is so called, and where chance has begun.

    None where it cannot be looked into.
    """
    cached = frozen(getattr(world, "observed", None))
    rest: dict[str, Any] = {}
    for name, value in vars(world.inner()).items():
        if "seed" in name:
            continue
        if isinstance(value, Mapping) and len(value) == 2:
            rest |= {f"{name}[{key!r}]": part for key, part in value.items()}
        elif isinstance(value, (list, tuple)) and len(value) == 2:
            rest |= {f"{name}[{number}]": part for number, part in enumerate(value)}
        elif frozen(value) != cached:  # what was shown last says nothing of its own
            rest[name] = value
    key = fingerprint({name: part for name, part in rest.items() if name not in names})
    return key.position if key is not None else None
