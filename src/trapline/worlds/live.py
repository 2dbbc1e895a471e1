"""Positions of environments that can only be reset and stepped.

A position is copied where the environment can be, and otherwise played again from its start.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from trapline.worlds.values import fingerprint, frozen
from trapline.worlds.world import Key, Stuck, playout

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence

    from trapline.worlds.world import Knows, World

LONGEST = 1000
"""Moves after which a play is taken to go on for ever."""
SPACES = ("action_space", "observation_space", "action_spaces", "observation_spaces")
WATCHED = 100
"""After so many calls that did not draw from the process's own generators, none will."""
ALIKE = 100
"""So many positions of a play are compared with those that another start leads to."""
SOME = 3
"""So many actions that are not listed are tried in a position."""


class Episode(NamedTuple):
    """What `knows` is given: the environment itself, and all that was done in it."""

    env: Any
    seed: int
    steps: tuple[tuple[Any, Any], ...]
    """Each agent that has acted, and its action."""


class Luck(NamedTuple):
    """The state of the generators that all of a process shares."""

    plain: tuple[Any, ...]
    numpy: Any

    @classmethod
    def now(cls) -> Luck:
        return cls(random.getstate(), np.random.get_state())

    @classmethod
    def of(cls, seed: str) -> Luck:
        drawn = random.Random(seed)
        return cls(drawn.getstate(), np.random.RandomState(drawn.getrandbits(32)).get_state())

    def give(self) -> None:
        random.setstate(self.plain)
        np.random.set_state(self.numpy)

    def mark(self) -> Hashable:
        return hash(self.plain), hash((self.numpy[1].tobytes(), *self.numpy[2:]))


class Live(ABC):
    """A position of such an environment. What a kind has to say, its subclass says."""

    visible = True
    at_once = False
    lists_all = True
    viewers: Sequence[Any]
    over: bool

    longest: ClassVar[int] = LONGEST
    prizes: ClassVar[Container[float] | None] = None
    pays_at_end: ClassVar[bool] = False
    open_moves: ClassVar[bool] = False
    recalls: ClassVar[bool] = False

    def __init__(self, source: Environments, seed: int, env: Any = None, *, luck: int = 0) -> None:
        """`luck` decides what an environment draws from elsewhere than its own seed."""
        self.source = source
        self.seed = seed
        self.steps: tuple[tuple[Any, Any], ...] = ()
        self._luck: Luck | None = None
        if luck or source.lucky is not False:
            self._luck = Luck.of(f"{seed} {luck}")
        with self.drawing():
            self.env = source.make() if env is None else env
            self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Reset the environment with the seed, and keep what it says."""

    @abstractmethod
    def act(self, action: Any) -> None:
        """Take an action in the environment, and keep what it says."""

    @property
    @abstractmethod
    def actor(self) -> Any: ...

    @abstractmethod
    def actions(self) -> Sequence[Any]: ...

    @abstractmethod
    def shown(self, viewer: Any) -> dict[str, Any]: ...

    @abstractmethod
    def information(self, viewer: Any) -> Any: ...

    # --- what a kind may say ------------------------------------------------------------

    def unlisted(self) -> Sequence[Any]:
        return ()

    def refused(self, before: World) -> str:  # of no use to most kinds
        return ""

    def rewards(self) -> Mapping[Any, float]:
        return {}

    def infos(self) -> Sequence[Mapping[Any, Any]]:
        """What the environment says beside what it shows and gives."""
        return ()

    def named_winners(self) -> Iterator[str | int]:
        """Whatever stands under `winner`, in the environment and in what it says beside."""
        said = [getattr(self.inner(), "winner", None)]
        said += [info.get("winner") for info in self.infos() if isinstance(info, Mapping)]
        for name in said:
            if isinstance(name, str):
                yield name
            elif isinstance(name, (int, np.integer)) and not isinstance(name, bool):
                yield int(name)

    def winner(self) -> Any:
        """A player whose name or number stands under `winner`."""
        return next((name for name in self.named_winners() if name in self.viewers), None)

    def strays(self) -> Iterator[str]:
        return iter(())

    def inner(self) -> Any:
        """The environment without wrappers: all of its state is in there."""
        return self.env

    def pending(self) -> Mapping[Any, Any]:
        """What was chosen, and will be done as soon as the others have chosen."""
        return {}

    # --- what is the same for all -------------------------------------------------------

    @property
    def label(self) -> str:
        return f"seed {self.seed}"

    @property
    def state(self) -> Any:
        return Episode(self.env, self.seed, self.steps)

    def key(self) -> Key | None:
        key = fingerprint(self.inner())
        if key is None:
            return None
        chance = key.chance if self._luck is None else (key.chance, self._luck.mark())
        return Key((key.position, frozen(self.pending())), chance)

    def draw(self, rng: random.Random) -> Any:
        listed = self.actions()
        if not listed:
            raise Stuck
        return rng.choice(listed)

    def after(self, action: Any) -> Self:
        return self.twin().moved(action)

    def moved(self, action: Any) -> Self:
        following = copy(self)
        following.steps = (*self.steps, (self.actor, action))
        with following.drawing():
            following.act(action)
        return following

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Python's and NumPy's own generators, which some draw from, belong to this world here."""
        if self._luck is None:
            yield
            return
        outside, given = Luck.now(), self._luck
        given.give()
        try:
            yield
        finally:
            self._luck = Luck.now()
            outside.give()
            self.source.drew(self._luck.mark() != given.mark())

    def twin(self) -> Self:
        """The same position in an environment of its own."""
        if self.source.copies(self):
            twin = copy(self)
            twin.env = copied(self.env)
            return twin
        return self.again()

    def copied(self) -> Self | None:
        """The same position in Python's own copy of the environment; None if that is none."""
        twin = copy(self)
        try:
            twin.env = deepcopy(self.env)
            return twin if twin.looks() == self.looks() else None
        except Exception:  # noqa: BLE001 - whatever it says, it cannot be copied
            return None

    def again(self) -> Self:
        """The same position, played from the start in a new environment."""
        twin = type(self)(self.source, self.seed)
        for _, action in self.steps:
            twin = twin.moved(action)
        return twin

    def reset(self, seed: int | None = None) -> Self:
        """The start, in this very environment; of another seed, if one is given."""
        return type(self)(self.source, self.seed if seed is None else seed, self.env)

    def looks(self) -> Any:
        """All that anybody is shown here, and what may be done."""
        seen = {viewer: self.shown(viewer) for viewer in self.viewers}
        return frozen((self.over, seen, [] if self.over else self.actions()))


class Environments:
    """Where positions of one environment come from."""

    seeded = True
    hides: bool | None = None
    knows: Knows | None = None
    total: float | None = None

    def __init__(self, make: Callable[[], Any], kind: type[Live]) -> None:
        self.make = make
        self.kind = kind
        self.longest = kind.longest
        self.prizes = kind.prizes
        self.pays_at_end = kind.pays_at_end
        self.open_moves = kind.open_moves
        self.recalls = kind.recalls
        self.lucky: bool | None = None
        """Whether Python's or NumPy's own generators are drawn from; None until it is known."""
        self._watched = 0
        self._copies: bool | None = None

    def starts(self) -> Iterator[Live]:
        return (self.start(seed) for seed in itertools.count())

    def start(self, seed: int, luck: int = 0) -> Live:
        return self.kind(self, seed, luck=luck)

    def drew(self, any_luck: bool) -> None:
        """Remember whether the process's own generators are ever used: watching them is dear."""
        self._watched += 1
        if any_luck:
            self.lucky = True
        elif self.lucky is None and self._watched >= WATCHED:
            self.lucky = False

    def copies(self, world: Live) -> bool:
        """Whether copies of this environment are as good as playing again; tried out once."""
        if self._copies is None:
            try:
                self._copies = self._tried(world)
            except (Exception, SystemExit):  # noqa: BLE001 - whatever goes wrong, it is played again
                self._copies = False
        return self._copies

    def _tried(self, world: Live) -> bool:
        """In a position after a move: some copies are nothing but a new beginning."""
        for _ in range(2):
            original = world.again()
            if original.over or not original.actions():
                return True
            action, looks = original.actions()[0], original.looks()
            twin = copy(original)
            twin.env = copied(original.env)
            same = twin.looks() == looks
            twin = twin.moved(action)
            alone = original.looks() == looks
            # Not played from the start: what no seed decides would be another game there.
            world = original.moved(action)
            if not same or not alone or twin.looks() != world.looks():
                return False
        return True


def go_alike(starts: Iterable[Any], rng: random.Random) -> bool:
    """Whether random play from the others goes the same way from the first of these.

    Starts that hold the same may yet differ: some keep the seed, and ask it later on.
    """
    first, *others = starts
    try:
        for other in others:
            world = first
            for node in playout(other, rng, ALIKE):
                world = world if node.parent is None else world.after(node.action)
                there: Any = node.world
                if world.looks() != there.looks() or world.rewards() != there.rewards():
                    return False
    except Exception:  # noqa: BLE001 - whatever fails from one of them does not from the other
        return False
    return True


def copied(env: Any) -> Any:
    """A copy of an environment; spaces, which hold nothing of a position, may be shared."""
    known: dict[int, Any] = {}
    for part in layers(env):
        for name, value in vars(part).items():
            if name in SPACES:
                known[id(value)] = value
            elif type(value) is random.Random:
                # Copied number by number, a generator takes longer than everything else.
                known[id(value)] = twin = random.Random()
                twin.setstate(value.getstate())
    for part in reversed(layers(env)):
        # Part by part, since many environments say of themselves that a copy begins anew.
        known[id(part)] = twin = object.__new__(type(part))
        vars(twin).update(deepcopy(vars(part), known))
    return known[id(env)]


def layers(env: Any) -> list[Any]:
    """An environment and what it is wrapped around, the outermost first."""
    layers = []
    while hasattr(env, "__dict__") and hasattr(env, "step") and env not in layers:
        layers.append(env)
        env = vars(env).get("env")
    return layers
