"""A solved game: the value with its proof, and the policy that attains it.

On disk a solution is one file: a checksum, one line of JSON, and the strategies' numbers.
Everything is checked when it is loaded, the bounds by new best responses.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from trapline.games import changed_options, make_game
from trapline.games.trap_runner import TrapRunner
from trapline.home import cache_folder
from trapline.solve import best_response, tree
from trapline.solve.best_response import Certificate, Profile
from trapline.solve.model import GameModel, TooLarge
from trapline.solve.proof_policy import ProofPolicy, RunnerPolicy
from trapline.solve.race_policy import RacePolicy
from trapline.solve.races import ITERATIONS, RaceBounds
from trapline.solve.tree_policy import TreePolicy

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.solve.policy import Policy

SOLVER_VERSION = 2
"""Part of the key of every cached solution: count it up when solutions change."""

ROUNDING = 1e-9
"""A gap this small is the arithmetic's, not the strategies'."""


class Facts(msgspec.Struct, frozen=True):
    """What a solution says, apart from its policy."""

    game: str
    options: dict[str, Any]
    value: float
    bounds: tuple[float, float]
    exploitability: float
    exact: bool
    seconds: float
    secrets: tuple[list[tuple[tuple[int, ...], float]], list[tuple[tuple[int, ...], float]]]
    """For the first and the second mover: the secrets worth choosing, the likeliest first."""
    sentence: str
    """Who wins with best play, and how."""
    method: Literal["proof", "tree", "race"]
    turns: int | None = None
    """How many turns a forced win takes."""
    solver: int = SOLVER_VERSION


class Solution:
    """The facts of a solution, and its policy, which is made when it is first asked for."""

    def __init__(
        self,
        game: Game[Any, Any],
        facts: Facts,
        profile: Profile | None = None,
        built: tree.Tree | None = None,
        race: RaceBounds | None = None,
    ) -> None:
        self.game = game
        self.facts = facts
        self.profile = profile
        self.race = race
        self._tree = built

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
    def final(self) -> bool:
        """Whether another search would find nothing better."""
        return self.exact or (self.race is not None and self.race.iterations >= ITERATIONS)

    @property
    def forced(self) -> bool:
        """Whether each move's value is a result that can be forced, so that equals are equal."""
        return self.facts.method == "proof"

    @cached_property
    def policy(self) -> Policy:
        if self.race is not None:
            game: Any = self.game
            return RacePolicy(game, self.race)
        return make_policy(self.game, self.profile, self._tree)

    def to_json(self) -> dict[str, Any]:
        """As other programs read it."""
        names = ("game", "options", "value", "bounds", "exploitability", "exact", "seconds")
        data = msgspec.to_builtins(self.facts)
        return {name: data[name] for name in names}


def make_policy(
    game: Game[Any, Any], profile: Profile | None = None, built: tree.Tree | None = None
) -> Policy:
    """The policy of a profile on the public tree; without one, that of the proof games."""
    if profile is not None:
        return TreePolicy(game, profile, built or tree.build(GameModel(game)))
    return RunnerPolicy(game) if isinstance(game, TrapRunner) else ProofPolicy(game)


def bounds_facts(certificate: Certificate) -> dict[str, Any]:
    """Value, bounds and exactness of a certificate; a gap of rounding errors is none."""
    lower, upper = max(-1.0, certificate.lower), min(1.0, certificate.upper)
    exact = upper - lower <= ROUNDING
    value = (lower + upper) / 2 + 0.0  # no minus zero
    if exact and abs(value - round(value)) <= ROUNDING:
        value = float(round(value))
        lower = upper = value
    return {
        "value": value,
        "bounds": (min(lower, upper), max(lower, upper)),
        "exploitability": max(0.0, upper - lower) / 2,
        "exact": exact,
    }


def ranked(secrets: dict[Any, float]) -> list[tuple[tuple[int, ...], float]]:
    """Secrets that are chosen at all, the likeliest first."""
    worth = [(secret, chance) for secret, chance in secrets.items() if chance > 5e-4]
    return sorted(worth, key=lambda pair: (-pair[1], pair[0]))


# --- on disk ----------------------------------------------------------------------------


def path(game: Game[Any, Any]) -> Path:
    """One file for each game, set of options and version of the solver."""
    options = msgspec.json.encode(msgspec.to_builtins(game.options), order="sorted")
    key = hashlib.sha256(b"%s %s %d" % (game.name.encode(), options, SOLVER_VERSION)).hexdigest()
    return cache_folder() / f"{game.name}-{key[:16]}.solution"


def save(solution: Solution) -> None:
    """Keep a solution for later; where nothing can be written, later has to solve again."""
    body = msgspec.json.encode(solution.facts) + b"\n"
    if solution.profile is not None:
        parts = (*solution.profile.mixes, solution.profile.table)
        body += b"".join(part.astype(np.float64).tobytes() for part in parts)
    if solution.race is not None:
        body += solution.race.to_bytes()
    data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    file = path(solution.game)
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".solution-", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise


def load(game: Game[Any, Any]) -> Solution | None:
    """The kept solution, or None if there is none or it is not what it should be."""
    try:
        checksum, body = path(game).read_bytes().split(b"\n", 1)
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            return None
        head, numbers = body.split(b"\n", 1)
        facts = msgspec.json.decode(head, type=Facts)
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    mine = (game.name, changed_options(make_game(game.name, changed_options(game))))
    if (facts.game, facts.options) != mine or facts.solver != SOLVER_VERSION:
        return None
    if facts.method == "proof":
        return Solution(game, facts)
    return (_load_race if facts.method == "race" else _load_tree)(game, facts, numbers)


def _load_tree(game: Game[Any, Any], facts: Facts, numbers: bytes) -> Solution | None:
    """Strategies are believed only as far as best responses confirm their bounds."""
    built = tree.build(GameModel(game))
    values = np.frombuffer(numbers)
    one, two = built.holdings
    if len(values) != one + two + built.entries:
        return None
    profile = Profile((values[:one], values[one : one + two]), values[one + two :].copy())
    if not _confirms(facts, best_response.certify(built, profile)):
        return None
    return Solution(game, facts, profile, built)


def _load_race(game: Any, facts: Facts, numbers: bytes) -> Solution | None:
    """Likewise, by the best responses of a race."""
    try:
        race = RaceBounds.from_bytes(game, numbers)
    except (ValueError, TooLarge):
        return None
    if not _confirms(facts, Certificate(race.lower, race.upper)):
        return None
    return Solution(game, facts, race=race)


def _confirms(facts: Facts, certificate: Certificate) -> bool:
    found: tuple[float, float] = bounds_facts(certificate)["bounds"]
    return all(abs(a - b) <= ROUNDING for a, b in zip(found, facts.bounds, strict=True))
