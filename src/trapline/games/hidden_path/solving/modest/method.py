"""Hidden Path by modesty: each seat gives something up, and what it still can prove is a bound.

Where the tree of all that both can see is too large, there are two smaller ones. In the first, the
first mover keeps to secrets and moves that seem worth it, and the second may do anything: what
the first mover gets there is a lower bound of the value. In the other tree it is the second mover
who is modest, and that gives an upper one. Modest is who traps the goal, where that is allowed,
and wastes few moves (`doubts.in_a_hurry`); how few is tried out, the smallest tree first.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.games.hidden_path.solving.doubts import explore, in_a_hurry, with_luck
from trapline.games.hidden_path.solving.duel.machine import DuelMachine
from trapline.games.hidden_path.solving.duel.method import packed, unpacked
from trapline.games.hidden_path.solving.duel.policy import DuelPolicy
from trapline.games.hidden_path.solving.duel.training import Room, certify, uniform
from trapline.games.hidden_path.solving.duel.tree import restored
from trapline.games.hidden_path.solving.modest.policy import ModestPolicy
from trapline.games.hidden_path.solving.modest.pool import (
    HURRIES,
    LUCKS,
    MOST_NODES,
    Modesty,
    supports_of,
)
from trapline.games.hidden_path.solving.modest.search import (
    Proof,
    bound_of,
    search_both,
)
from trapline.games.hidden_path.solving.patience import NARROW, PATIENCE, is_final
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import sentence
from trapline.solve.interface import (
    Certificate,
    Facts,
    Solution,
    TooLarge,
    bounds_facts,
    confirms,
    ranked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.games.hidden_path.solving.duel.tree import Pair
    from trapline.games.hidden_path.solving.modest.pool import Support
    from trapline.solve.interface import Request

LATE = (1, 2)
"""Lists to begin with: all secrets on the last steps, so many more of them than there are traps."""


class Kept(msgspec.Struct, array_like=True):
    """A seat's proof as it is kept."""

    modesty: tuple[int, ...]
    plan: bytes
    support: tuple[int, ...] = ()
    """Before seats kept to lists of secrets, all that were worth hiding were on it."""


class ModestSolution(Solution):
    def __init__(self, game: HiddenPath, facts: Facts, proofs: tuple[Proof, Proof]) -> None:
        super().__init__(game, facts)
        self._rules, self._proofs = game, proofs

    @cached_property
    def policy(self) -> ModestPolicy:
        one, two = (DuelPolicy(self._rules, proof.tree, proof.plan) for proof in self._proofs)
        return ModestPolicy(one, two)

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def machine(self, role: Seat) -> DuelMachine:
        return DuelMachine(self.policy.of(role), role)

    def pack(self) -> bytes:
        return msgspec.msgpack.encode(
            [Kept(tuple(p.modesty), packed(p.plan), p.support) for p in self._proofs]
        )


class ModestMethod:
    """Right for Hidden Path alone."""

    name = "modest"

    def __init__(
        self,
        game: HiddenPath,
        seconds: float | None = None,
        found: Sequence[Solution] = (),
    ) -> None:
        """`found` are solutions by other ways: what they hide is tried, and what they have
        proven need not be proven again."""
        self.game = game
        self._found = found
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self.interrupted = False
        """Whether somebody has ended the search."""
        self.narrow = False
        """Whether the bounds are so close that no other tree need be searched."""

    @cached_property
    def _every(self) -> Hidden:
        return self._explore(secrets_of(self.game))

    @cached_property
    def _worth_hiding(self) -> Hidden:
        trapped = [s for s in secrets_of(self.game) if s >> self.game.length & 1]
        return self._explore(trapped) if trapped else self._every

    @cached_property
    def _hiding(self) -> dict[Support, Hidden]:
        """What the other may doubt, for every list of secrets that was tried."""
        return {self._all: self._worth_hiding}

    @property
    def _all(self) -> Support:
        return self._worth_hiding.secrets

    @cached_property
    def _running(self) -> dict[tuple[int, ...], Hidden]:
        """What a seat may do as a runner, for every hurry."""
        return {hurry[:3]: in_a_hurry(self._every, *hurry[:3]) for hurry in HURRIES}

    def _explore(self, secrets: Any) -> Hidden:
        return explore(self.game.length, self.game.options.max_step, secrets, self._until)

    def pair(self, seat: Seat, modesty: Modesty, support: Support | None = None) -> Pair:
        """A runner in a hurry may meet anything; the other knows that some secrets are not used."""
        support = self._all if support is None else support
        if support not in self._hiding:
            self._hiding[support] = self._explore(support)
        running, hiding = self._running[modesty[:3]], self._hiding[support]
        if modesty.luck:
            hiding = with_luck(hiding, modesty.luck)
        return (running, hiding) if seat == 1 else (hiding, running)

    def _lists(self, seat: Seat) -> list[Support]:
        """What to begin with: everything, the last steps, and what other ways have found."""
        length, traps = self.game.length, self.game.options.traps
        found: list[Support] = [self._all]
        for spare in LATE:
            early = (1 << max(1, length + 1 - traps - spare)) - 1
            found.append(tuple(s for s in self._all if not s & early))
        for solution in self._found:
            ways = {self.game.hiding.record(s): s for s in self._every.secrets}
            chances = np.zeros(len(self._every.secrets))
            for form, chance in solution.facts.secrets[seat - 1]:
                chances[self._every.secrets.index(ways[form])] = chance
            found += supports_of(self._every.secrets, chances)
        return found

    def solve(self, request: Request) -> ModestSolution:
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        self.pair(1, HURRIES[0])  # what both searches share is listed before they begin
        lists = {seat: self._lists(seat) for seat in SEATS}
        known = Certificate(
            max((solution.bounds[0] for solution in self._found), default=-1.0),
            min((solution.bounds[1] for solution in self._found), default=1.0),
        )
        found, self.interrupted = search_both(self.pair, lists, request, last, known)
        if len(found) < len(SEATS):
            raise TooLarge("There is no small tree for somebody who gives much up on this path.")
        one, two = (self._rounded(seat, found[seat]) for seat in SEATS)
        self.narrow = min(two.bound, known.upper) - max(one.bound, known.lower) <= NARROW
        return self._solution(request, (one, two))

    def _rounded(self, seat: Seat, proof: Proof) -> Proof:
        """The plan as it is kept, and what that proves."""
        return self._again(seat, proof, packed(proof.plan))

    def _again(self, seat: Seat, proof: Proof, kept: bytes) -> Proof:
        plan = unpacked(proof.tree, kept)
        bound = bound_of(seat, certify(proof.tree, plan, Room(proof.tree)))
        return proof._replace(plan=plan, bound=bound)

    def restore(self, facts: Facts, data: bytes) -> ModestSolution | None:
        kept = msgspec.msgpack.decode(data, type=list[Kept])
        if len(kept) != len(SEATS):
            raise ValueError("the plan of another game")
        found = []
        for seat, one in zip(SEATS, kept, strict=True):
            modesty, support = _modesty_of(one.modesty), one.support or self._all
            if list(support) != sorted(set(support) & set(self._every.secrets)):
                raise ValueError("the plan of another game")
            tree = restored(self.pair(seat, modesty, support), MOST_NODES)
            if tree is None:
                return None
            found.append(
                self._again(seat, Proof(modesty, support, tree, uniform(tree), 0.0), one.plan)
            )
        proofs = (found[0], found[1])
        if not confirms(facts, _bounds(proofs)):
            return None
        return ModestSolution(self.game, facts, proofs)

    def _solution(self, request: Request, proofs: tuple[Proof, Proof]) -> ModestSolution:
        found = bounds_facts(_bounds(proofs))
        one, two = (
            ranked(DuelPolicy(self.game, proof.tree, proof.plan).secrets(role))
            for role, proof in zip(SEATS, proofs, strict=True)
        )
        facts = Facts(
            game=self.game.name,
            options=changed_options(self.game),
            first=1,
            method=self.name,
            seconds=request.seconds,
            sentence=sentence(self.game, found, (one, two)),
            secrets=(one, two),
            **found,
        )
        return ModestSolution(self.game, facts, proofs)


def _bounds(proofs: tuple[Proof, Proof]) -> Certificate:
    first, second = proofs
    return Certificate(first.bound, second.bound)


def _modesty_of(numbers: tuple[int, ...]) -> Modesty:
    """As it was kept; before there were limits for whole journeys, and luck, it had two numbers."""
    known = {hurry._replace(luck=luck) for hurry in HURRIES for luck in LUCKS}
    if not 2 <= len(numbers) <= 4 or Modesty(*numbers) not in known:
        raise ValueError("the plan of another game")
    return Modesty(*numbers)
