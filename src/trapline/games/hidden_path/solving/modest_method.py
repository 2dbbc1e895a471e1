"""Hidden Path by modesty: each seat gives something up, and what it still can prove is a bound.

Where the tree of all that both can see is too large, there are two smaller ones. In the first, the
first mover keeps to secrets and moves that seem worth it, and the second may do anything: what
the first mover gets there is a lower bound of the value. In the other tree it is the second mover
who is modest, and that gives an upper one. Modest is who traps the goal, where that is allowed,
and wastes few moves (`doubts.in_a_hurry`); how few is tried out, the smallest tree first.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.games.hidden_path.solving.doubts import explore, in_a_hurry
from trapline.games.hidden_path.solving.duel import build, measure
from trapline.games.hidden_path.solving.duel_machine import DuelMachine
from trapline.games.hidden_path.solving.duel_method import packed, unpacked
from trapline.games.hidden_path.solving.duel_policy import DuelPolicy
from trapline.games.hidden_path.solving.duel_training import Room, certify, train
from trapline.games.hidden_path.solving.modest_policy import ModestPolicy
from trapline.games.hidden_path.solving.patience import PATIENCE, is_final, worth_searching
from trapline.games.hidden_path.solving.races import secrets_of
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
from trapline.solve.memory import room

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.games.hidden_path.solving.duel import Pair, Size, Tree
    from trapline.games.hidden_path.solving.duel_training import Plan
    from trapline.solve.interface import Request

    Hurry = tuple[int, int]

HURRIES: tuple[Hurry, ...] = ((0, 0), (1, 0), (0, 1))
"""Moves that may be wasted with the first step of a journey, and with each later one."""
MOST_NODES = 4_000_000
SETTLED = 5e-4
"""What is proven in a modest tree is this near to all that can be proven there: enough."""


class Proof(NamedTuple):
    """What a modest seat proves."""

    hurry: Hurry
    tree: Tree
    plan: Plan
    bound: float


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
        return msgspec.msgpack.encode([(p.hurry, packed(p.plan)) for p in self._proofs])


class ModestMethod:
    """Right for Hidden Path alone."""

    name = "modest"

    def __init__(self, game: HiddenPath) -> None:
        self.game = game

    @cached_property
    def _every(self) -> Hidden:
        return self._explore(secrets_of(self.game))

    @cached_property
    def _worth_hiding(self) -> Hidden:
        trapped = [s for s in secrets_of(self.game) if s >> self.game.length & 1]
        return self._explore(trapped) if trapped else self._every

    def _explore(self, secrets: Any) -> Hidden:
        return explore(self.game.length, self.game.options.max_step, secrets)

    def _pair(self, seat: Seat, hurry: Hurry) -> Pair:
        """A runner in a hurry may meet anything; the other knows that some secrets are not used."""
        running, hiding = in_a_hurry(self._every, *hurry), self._worth_hiding
        return (running, hiding) if seat == 1 else (hiding, running)

    def solve(self, request: Request) -> ModestSolution:
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        found: dict[Seat, Proof] = {}
        known: set[tuple[Seat, int]] = set()
        tries = [(seat, hurry) for hurry in HURRIES for seat in SEATS]
        for number, (seat, hurry) in enumerate(tries):
            if len(found) == len(SEATS) and time.monotonic() > last:
                break
            seconds = (last - time.monotonic()) / (len(tries) - number)
            size = measure(self._pair(seat, hurry), self._worth(hurry, seconds))
            if size is None or size.memory > room() or (seat, size.nodes) in known:
                continue
            known.add((seat, size.nodes))  # on some paths different hurries are the same
            share = request._replace(deadline=time.monotonic() + seconds)
            proof = self._prove(seat, hurry, size, share)
            best = found.get(seat)
            if best is None or _better(seat, proof.bound, best.bound):
                found[seat] = proof
            bounds = _bounds(found)
            if request.progress is not None:
                request.progress(len(found), bounds)
            if len(found) == len(SEATS) and bounds.exploitability <= request.target:
                break
        if len(found) < len(SEATS):
            raise TooLarge("There is no small tree for somebody who gives much up on this path.")
        proofs = tuple(self._rounded(seat, found[seat]) for seat in SEATS)
        return self._solution(request, (proofs[0], proofs[1]))

    def _worth(self, hurry: Hurry, seconds: float) -> int:
        """How large a tree may be; the smallest is always tried, so that there are bounds."""
        return MOST_NODES if hurry == HURRIES[0] else worth_searching(MOST_NODES, seconds)

    def _prove(self, seat: Seat, hurry: Hurry, size: Size, request: Request) -> Proof:
        tree = build(self._pair(seat, hurry), size)
        near = max(SETTLED, request.target)
        plan, proven = train(
            tree,
            lambda proven: proven.upper - proven.lower <= near,
            deadline=request.deadline,
            checkpoint=request.checkpoint(f"{self.name} {seat} {hurry[0]}{hurry[1]}"),
        )
        return Proof(hurry, tree, plan, proven.lower if seat == 1 else proven.upper)

    def _rounded(self, seat: Seat, proof: Proof) -> Proof:
        """The plan as it is kept, and what that proves."""
        return self._again(seat, proof.hurry, proof.tree, packed(proof.plan))

    def _again(self, seat: Seat, hurry: Hurry, tree: Tree, kept: bytes) -> Proof:
        plan = unpacked(tree, kept)
        lower, upper = certify(tree, plan, Room(tree))
        return Proof(hurry, tree, plan, lower if seat == 1 else upper)

    def restore(self, facts: Facts, data: bytes) -> ModestSolution | None:
        kept = msgspec.msgpack.decode(data, type=list[tuple[tuple[int, int], bytes]])
        if len(kept) != len(SEATS) or any(hurry not in HURRIES for hurry, _ in kept):
            raise ValueError("the plan of another game")
        proofs = []
        for seat, (hurry, plan) in zip(SEATS, kept, strict=True):
            size = measure(self._pair(seat, hurry), MOST_NODES)
            if size is None:
                return None
            proofs.append(self._again(seat, hurry, build(self._pair(seat, hurry), size), plan))
        if not confirms(facts, _bounds(dict(zip(SEATS, proofs, strict=True)))):
            return None
        return ModestSolution(self.game, facts, (proofs[0], proofs[1]))

    def _solution(self, request: Request, proofs: tuple[Proof, Proof]) -> ModestSolution:
        found = bounds_facts(_bounds(dict(zip(SEATS, proofs, strict=True))))
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


def _better(seat: Seat, bound: float, than: float) -> bool:
    return bound > than if seat == 1 else bound < than


def _bounds(proofs: dict[Seat, Proof]) -> Certificate:
    """Each seat's own bound; what its tree says of the other seat is not proven."""
    lower = proofs[1].bound if 1 in proofs else -1.0
    upper = proofs[2].bound if 2 in proofs else 1.0
    return Certificate(lower, upper)
