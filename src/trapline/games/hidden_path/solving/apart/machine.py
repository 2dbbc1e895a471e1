"""A plan whose secret and run are apart as a machine, for certificates.

The own secret does not matter to the run, so a node is a state of the graph; beyond its cuts it is
what both doubt and where they stand. Who has lost for certain resigns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games.hidden_path.solving.apart.graph import LOST, MINE, THEIRS
from trapline.games.hidden_path.solving.apart.side import Stand, started
from trapline.solve.machines import seen_as

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.core import Form, Seat
    from trapline.games.hidden_path.solving.apart.policy import ApartPolicy

    Node = tuple[Any, ...]


class ApartMachine:
    def __init__(self, policy: ApartPolicy, role: Seat) -> None:
        self.policy, self.role = policy, role
        self._stands: dict[Node, Stand] = {}

    def begin(self) -> Iterator[tuple[Form, float, Node]]:
        node = self._node(started(self.policy.side(self.role)))
        for secret, chance in self.policy.secrets(self.role).items():
            if chance > 0:
                yield secret, chance, node

    def _node(self, stand: Stand) -> Node:
        node: Node = (stand.state,)
        if stand.kind not in (MINE, THEIRS):
            node = (stand.state, stand.mover, *stand.places, *stand.doubts)
        self._stands.setdefault(node, stand)
        return node

    def moves(self, node: Node) -> dict[str, float]:
        stand = self._stands[node]
        row = stand.row() if stand.mover == self.role else None
        return {str(move): chance for move, chance in (row or {}).items() if chance > 0}

    def leads(self, node: Node) -> dict[str, Hashable]:
        stand = self._stands[node]
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
                    found[seen_as(seat, move, trap=trap)] = self._node(after)
        return found
