"""What every way of solving a game has in common: the request, the solution, its policy.

A `Method` works a game out, or says in a sentence why it cannot. What it finds is a `Solution`:
facts that anybody can read, and a policy. A policy is asked with a View, so it cannot use what
the player may not know. A game offers a method of its own through `Game.method`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from trapline.core import Form, TraplineError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from fractions import Fraction

    from trapline.core import Game, Outcome, Seat, View
    from trapline.solve.checkpoints import Checkpoint, Checkpoints

SOLVER_VERSION = 3
"""Part of the key of every kept solution: count it up when solutions change."""

ROUNDING = 1e-9
"""A gap this small is the arithmetic's, not the strategies'."""


class TooLarge(TraplineError):
    """This game, under these options, is beyond what the solver can hold.

    There may be bounds all the same, of strategies that nobody would play by.
    """

    def __init__(self, sentence: str, proven: Certificate | None = None) -> None:
        super().__init__(sentence)
        self.proven = proven


class Unsuited(TraplineError):
    """A method is not made for such a game; the text says why."""


class Uncertified(TraplineError):
    """What is proven here cannot be written down for others to check; the text says why."""


class Certificate(NamedTuple):
    """Proven bounds of the value for seat 1."""

    lower: float
    upper: float

    @property
    def exploitability(self) -> float:
        """Half of what both best responses gain together."""
        return (self.upper - self.lower) / 2


Progress = Callable[[int, Certificate], None]


class Request(NamedTuple):
    """How good a solution has to be, and how long it may take."""

    target: float = 1e-4
    """The exploitability that is good enough; 0 asks for an exact solution."""
    deadline: float | None = None
    """By `time.monotonic`."""
    progress: Progress | None = None
    begin: float = 0.0
    checkpoints: Checkpoints | None = None
    """Where the search is written down, to go on after it was killed."""
    known: Solution | None = None
    """What was found before, to go on from."""

    def checkpoint(self, method: str) -> Checkpoint:
        from trapline.solve.checkpoints import NOWHERE  # which reads this module

        return NOWHERE if self.checkpoints is None else self.checkpoints.of(method)

    @property
    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return round(time.monotonic() - self.begin, 3)


# --- policies ---------------------------------------------------------------------------


class Outlook(NamedTuple):
    """A decision as the one who is asked may see it, when the other plays the solution.

    Answers, and secrets, are in a record's form.
    """

    chances: dict[Form, float]
    """How often the solution gives each answer that is allowed."""
    values: dict[Form, float]
    """What can be expected of each answer, on the scale of the game's results."""
    beliefs: dict[Form, float]
    """How likely each of the other's secrets is; empty where that cannot be said."""
    hopes: Mapping[Form, float] = MappingProxyType({})
    """What to expect of each answer against somebody who can err (`trembling`): what is left to
    choose by where best play settles the result. Empty where the values say it all."""

    likely: Mapping[Form, float] = MappingProxyType({})
    """What comes of each answer between two who can both err: what matches are like, as opposed
    to what to choose by. Empty where that is not worked out."""

    guessed: frozenset[Form] = frozenset()
    """Answers whose value is no more than what to expect: the solution does not reach there."""

    drawn: frozenset[Form] = frozenset()
    """Answers after which nobody can win any more, whatever both do."""

    def hope(self, answer: Form) -> float:
        return self.hopes.get(answer, self.values[answer])

    def expected(self, answer: Form) -> float:
        """What comes of an answer, as far as is worked out who errs."""
        return self.likely.get(answer, self.hope(answer))


class Policy(Protocol):
    def chances(self, view: View) -> dict[Form, float]:
        """How often the solution gives each answer: the chances of `look`, without the rest."""

    def look(self, view: View) -> Outlook:
        """What the View's question is worth an answer of, whatever it asks."""


def evenly(worth: dict[Any, float], answers: Iterable[Any]) -> dict[Any, float]:
    """The answers of highest worth, equally often; all others never."""
    most = max(worth.values())
    best = {answer for answer, found in worth.items() if found > most - ROUNDING}
    return {answer: 1 / len(best) if answer in best else 0.0 for answer in answers}


class Machine(Protocol):
    """A strategy that can be written down: it stands on a node, and what is seen moves it on.

    Moves are named as one would type them; what is seen as `machines.seen_as` writes it.
    """

    def begin(self) -> Iterable[tuple[Form | None, float, Hashable]]:
        """Each secret, how often it is hidden, and the node on which one then stands."""

    def moves(self, node: Any) -> dict[str, float]:
        """How often each move is made on a node; none where the player resigns or waits."""

    def leads(self, node: Any) -> dict[str, Hashable]:
        """The node to which each thing leads that may be seen next."""


# --- solutions --------------------------------------------------------------------------

Ranked = list[tuple[Form, float]]
"""Answers that are given at all, the likeliest first."""


class Facts(msgspec.Struct, frozen=True):
    """What a solution says, apart from its policy. Values are for whoever moves first."""

    game: str
    options: dict[str, Any]
    first: int
    """Who moves first; 1 where it is the same game the other way round."""
    method: str
    value: float
    bounds: tuple[float, float]
    exploitability: float
    exact: bool
    seconds: float
    sentence: str
    """Who wins with best play, and how."""
    secrets: tuple[Ranked, Ranked] = ([], [])
    """For the first and the second mover: the secrets worth choosing, the likeliest first."""
    turns: int | None = None
    """How many turns a forced win takes."""
    solver: int = SOLVER_VERSION


def facts_json(facts: Facts) -> dict[str, Any]:
    """What other programs read of a solution."""
    names = ("game", "options", "value", "bounds", "exploitability", "exact", "seconds")
    data = msgspec.to_builtins(facts)
    return {name: data[name] for name in names}


class Solution(ABC):
    """A solved game: facts, and the policy that they are about."""

    forced = False
    """Whether each answer's value is a result that can be forced, so that equals are equal."""
    looks = True
    """Whether its play may depend on what the other does."""

    def __init__(self, game: Game[Any], facts: Facts) -> None:
        self.game = game
        self.facts = facts

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """How to play it."""

    @abstractmethod
    def pack(self) -> bytes:
        """What the method needs, besides the facts, to prove the same again."""

    def machine(self, role: Seat) -> Machine:
        """The strategy of whoever moves first (1) or second (2), for a certificate."""
        who = "first" if role == 1 else "second"
        raise Uncertified(
            f"{self.game.title}: what whoever moves {who} plays was found by the method "
            f"{self.facts.method}, which has no way to write it down as a certificate."
        )

    @property
    def value(self) -> float:
        return self.facts.value

    @property
    def bounds(self) -> tuple[float, float]:
        return self.facts.bounds

    @property
    def exploitability(self) -> float:
        return self.facts.exploitability

    @property
    def exact(self) -> bool:
        return self.facts.exact

    @property
    def fraction(self) -> Fraction | None:
        """The value, where it is proven in fractions, which may take a while."""
        return None

    @property
    def final(self) -> bool:
        """Whether another search would find nothing better."""
        return self.exact

    def to_json(self) -> dict[str, Any]:
        """As other programs read it."""
        found = facts_json(self.facts)
        return found if self.fraction is None else found | {"fraction": str(self.fraction)}


class Method(Protocol):
    """One way to solve a game."""

    name: str

    def solve(self, request: Request) -> Solution | None:
        """The solution; None where it falls short. Unsuited or TooLarge say why it cannot be."""

    def restore(self, facts: Facts, data: bytes) -> Solution | None:
        """The solution that `Solution.pack` kept, proven anew; None if it does not hold."""


class Several(ABC):
    """A game's own method that has several ways, each of which proves its solutions again."""

    @abstractmethod
    def solve(self, request: Request) -> Solution | None:
        """As of a `Method`, by the ways that serve best."""

    @abstractmethod
    def parts(self) -> Iterable[Method]:
        """All ways."""


def is_interrupt(error: BaseException) -> bool:
    """Whether somebody has ended a search (Ctrl-C), which compiled code tells in its own way."""
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)


def payoff(outcome: Outcome) -> float:
    """What seat 1 gets."""
    return outcome.result(1)


def bounds_facts(certificate: Certificate, first: int = 1, most: float = 1.0) -> dict[str, Any]:
    """Value, bounds and exactness of a certificate, for whoever moves first.

    A gap of rounding errors is none. No result is beyond `most`.
    """
    lower, upper = certificate if first == 1 else (-certificate.upper, -certificate.lower)
    lower, upper = max(-most, lower), min(most, upper)
    exact = upper - lower <= ROUNDING
    value = (lower + upper) / 2 + 0.0  # no minus zero
    if exact and abs(value - round(value)) <= ROUNDING:
        value = float(round(value)) + 0.0
        lower = upper = value
    return {
        "value": value,
        "bounds": (min(lower, upper), max(lower, upper)),
        "exploitability": max(0.0, upper - lower) / 2,
        "exact": exact,
    }


def confirms(facts: Facts, certificate: Certificate, most: float = 1.0) -> bool:
    """Whether what was proven anew is what the facts say."""
    found = bounds_facts(certificate, facts.first, most)
    pairs = zip(found["bounds"], facts.bounds, strict=True)
    same = all(abs(a - b) <= ROUNDING for a, b in pairs)
    return same and facts.exact == found["exact"] and abs(found["value"] - facts.value) <= ROUNDING


def ranked(chances: dict[Form, float]) -> Ranked:
    """Answers that are given at all, the likeliest first."""
    worth = [(answer, chance) for answer, chance in chances.items() if chance > 5e-4]
    return sorted(worth, key=lambda pair: (-pair[1], pair[0]))
