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

    Node = tuple[Any, ...]

NO_SECRET = 0


class ApartMachine:
    def __init__(self, policy: ApartPolicy, role: Seat) -> None:
        self.policy, self.role = policy, role
        self._side = policy.side(role)
        self._tells = still_to_tell(self._side.graph.states, self._side.graph.edges)
        self._stands: dict[Node, tuple[Stand, int]] = {}

    def begin(self) -> Iterator[tuple[Form, float, Node]]:
        start, chances = started(self._side), self.policy.secrets(self.role)
        for secret in self._side.hiding.secrets:
            form = self.policy.form(secret)
            if chances[form] > 0:
                yield form, chances[form], self._node(start, secret)

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
