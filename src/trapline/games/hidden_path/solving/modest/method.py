"""Hidden Path by modesty: each seat gives something up, and what it still can prove is a bound.

Where the tree of all that both can see is too large, there are two smaller ones. In the first, the
first mover keeps to secrets and moves that seem worth it, and the second may do anything: what
the first mover gets there is a lower bound of the value. In the other tree it is the second mover
who is modest, and that gives an upper one. Both trees grow by what they tell of each other
(`search`).
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from trapline.core import SEATS
from trapline.games.hidden_path.solving.beginnings import first_lists, proven_by
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.duel.machine import DuelMachine
from trapline.games.hidden_path.solving.duel.method import packed, unpacked
from trapline.games.hidden_path.solving.duel.nodes import MOST_BITS
from trapline.games.hidden_path.solving.duel.policy import DuelPolicy
from trapline.games.hidden_path.solving.duel.training import Room, certify, uniform
from trapline.games.hidden_path.solving.modest.growth import again, given
from trapline.games.hidden_path.solving.modest.policy import ModestPolicy
from trapline.games.hidden_path.solving.modest.search import (
    MOST_NODES,
    Proof,
    bound_of,
    search_both,
)
from trapline.games.hidden_path.solving.patience import NARROW, PATIENCE, is_final
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import facts_of
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
    from trapline.games.hidden_path.solving.modest.search import Support
    from trapline.solve.interface import Request

ANOTHER = "the plan of another game"


class Kept(msgspec.Struct, array_like=True):
    """A seat's proof as it is kept."""

    support: tuple[int, ...]
    moves: bytes
    plan: bytes


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
        pairs = zip(SEATS, self._proofs, strict=True)
        return msgspec.msgpack.encode(
            [Kept(p.support, given(p.tree, seat).tobytes(), p.kept) for seat, p in pairs]
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

    def _explore(self, secrets: Any) -> Hidden:
        return explore(self.game.length, self.game.options.max_step, secrets, self._until)

    def pair(self, seat: Seat, support: Support) -> Pair:
        """A runner may meet anything; the other knows that some secrets are not used."""
        running, hiding = self._every, self._explore(support)
        return (running, hiding) if seat == 1 else (hiding, running)

    def solve(self, request: Request) -> ModestSolution:
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        if self.game.options.max_step > MOST_BITS:
            raise TooLarge(f"There are more than {MOST_BITS} moves to choose from.")
        lists = first_lists(self.game, self._every.secrets, self._found)
        known = proven_by(self._found)
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
        return proof._replace(plan=plan, bound=bound, kept=kept)

    def restore(self, facts: Facts, data: bytes) -> ModestSolution | None:
        try:
            kept = msgspec.msgpack.decode(data, type=list[Kept])
        except msgspec.ValidationError:
            raise ValueError(ANOTHER) from None
        if len(kept) != len(SEATS):
            raise ValueError(ANOTHER)
        found = []
        for seat, one in zip(SEATS, kept, strict=True):
            support = one.support
            if not support or list(support) != sorted(set(support) & set(self._every.secrets)):
                raise ValueError(ANOTHER)
            moves = np.frombuffer(one.moves, np.int16)
            tree = again(self.pair(seat, support), seat, moves, MOST_NODES)
            if tree is None:
                return None
            found.append(self._again(seat, Proof(support, tree, uniform(tree), 0.0), one.plan))
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
        facts = facts_of(self.game, self.name, request, found, (one, two))
        return ModestSolution(self.game, facts, proofs)


def _bounds(proofs: tuple[Proof, Proof]) -> Certificate:
    first, second = proofs
    return Certificate(first.bound, second.bound)
