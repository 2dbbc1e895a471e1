"""A plan whose secret and run are mostly apart as a machine, for certificates.

A node is a state of the graph, with the own secret as long as there may be a choice by it; beyond
the graph's cuts it is what both doubt and where they stand. Who has lost for certain resigns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games.hidden_path.solving.apart.keys import LOST, MINE, THEIRS
from trapline.games.hidden_path.solving.apart.side import Stand, started
from trapline.games.hidden_path.solving.apart.signals import still_to_tell
from trapline.solve.machines import seen_as

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.core import Form, Seat
    from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
    from trapline.games.hidden_path.solving.apart.side import Side

    Node = tuple[Any, ...]

NO_SECRET = 0


class LotsMachine:
    """Draws one of a seat's plans at the beginning, and keeps to it."""

    def __init__(self, policy: ApartPolicy, role: Seat) -> None:
        self.policy = policy
        lots = policy.lots(role)
        self._shares = lots.shares
        self._plans = [ApartMachine(side) for side in lots.sides]

    def begin(self) -> Iterator[tuple[Form, float, Node]]:
        for number, (plan, share) in enumerate(zip(self._plans, self._shares, strict=True)):
            for secret, chance, node in plan.begin():
                if share * chance > 0:
                    yield self.policy.form(secret), share * chance, (number, node)

    def moves(self, node: Node) -> dict[str, float]:
        number, at = node
        return self._plans[number].moves(at)

    def leads(self, node: Node) -> dict[str, Hashable]:
        number, at = node
        return {seen: (number, after) for seen, after in self._plans[number].leads(at).items()}


class ApartMachine:
    """One plan."""

    def __init__(self, side: Side) -> None:
        self._side, self.role = side, side.seat
        self._tells = still_to_tell(side.graph.states, side.graph.edges)
        self._stands: dict[Node, tuple[Stand, int]] = {}

    def begin(self) -> Iterator[tuple[int, float, Node]]:
        side = self._side
        start = started(side)
        for secret, chance in zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True):
            yield secret, chance, self._node(start, secret)

    def _node(self, stand: Stand, secret: int) -> Node:
        node: Node
        if stand.kind in (MINE, THEIRS):
            secret = secret if self._tells[stand.state] else NO_SECRET
            node = (stand.state, secret)
        else:
            secret = NO_SECRET
            node = (stand.state, stand.mover, *stand.places, *stand.doubts)
        self._stands.setdefault(node, (stand, secret))
        return node

    def moves(self, node: Node) -> dict[str, float]:
        stand, secret = self._stands[node]
        row = stand.row(secret) if stand.mover == self.role else None
        return {str(move): chance for move, chance in (row or {}).items() if chance > 0}

    def leads(self, node: Node) -> dict[str, Hashable]:
        stand, secret = self._stands[node]
        found: dict[str, Hashable] = {}
        if stand.state == LOST:
            return found
        mine = stand.mover == self.role
        side, me = stand.side, stand.mover - 1
        doubts = (side.running if mine else side.hiding).doubts
        legal = range(1, min(doubts.max_step, doubts.length - stand.places[me]) + 1)
        for move in self.moves(node) if mine else map(str, legal):
            to = stand.places[me] + int(move)
            for trap, table in ((False, doubts.passed), (True, doubts.caught)):
                if table[stand.doubts[me], to] >= 0 and (trap or to < doubts.length):
                    seat: Seat = 1 if stand.mover == 1 else 2
                    after = stand.after((seat, int(move), trap))
                    found[seen_as(seat, move, trap=trap)] = self._node(after, secret)
        return found
