"""A plan for a duel as a machine, for certificates.

Where the race is open, a node is one of the tree's with one's own secret. Beyond the cuts the own
secret does not matter any more, and a node is what both runners doubt and where they stand. Who has
lost for certain resigns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.games.hidden_path.solving.duel.lone import LATE
from trapline.games.hidden_path.solving.duel.nodes import FIRST_WINS, OPEN, SECOND_WINS
from trapline.games.hidden_path.solving.duel.situation import Situation
from trapline.solve.machines import seen_as

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.core import Form, Seat
    from trapline.games.hidden_path.solving.duel.policy import DuelPolicy

    Node = tuple[Any, ...]

NO_SECRET = 0


class DuelMachine:
    def __init__(self, policy: DuelPolicy, role: Seat) -> None:
        self.policy, self.role = policy, role
        self._situations: dict[Node, tuple[Situation, int]] = {}

    def begin(self) -> Iterator[tuple[Form, float, Node]]:
        start = Situation(self.policy.tree)
        chances = self.policy.secrets(self.role)
        secrets = self.policy.tree.secrets(self.role)
        for secret, (form, chance) in zip(secrets, chances.items(), strict=True):
            if chance > 0:
                yield form, chance, self._node(start, int(secret))

    def _node(self, at: Situation, secret: int) -> Node:
        if at.kind == OPEN:
            node: Node = (at.node, secret)
        else:
            secret = NO_SECRET
            alone = at.alone() if at.runner == self.role else None
            chosen = (at.node, at.point) if alone is not None and at.point >= 0 else ()
            left = LATE if alone is None else alone.left
            node = (at.kind, at.mover, *at.places, *at.doubts, left, *chosen)
        self._situations.setdefault(node, (at, secret))
        return node

    def moves(self, node: Node) -> dict[str, float]:
        at, secret = self._situations[node]
        if at.mover != self.role or self._lost(at):
            return {}
        row = self.policy.row(at, self.role, secret, self._legal(at))
        return {str(move): chance for move, chance in row.items() if chance > 0}

    def leads(self, node: Node) -> dict[str, Hashable]:
        at, secret = self._situations[node]
        found: dict[str, Hashable] = {}
        if self._lost(at):
            return found
        mine = at.mover == self.role
        made = self.moves(node) if mine else map(str, self._legal(at))
        seat: Seat = 1 if at.mover == 1 else 2
        for move in made:
            for trap in (False, True):
                if self._can_be(at, int(move), trap, NO_SECRET if mine else secret):
                    after = at.after((seat, int(move), trap))
                    found[seen_as(seat, move, trap=trap)] = self._node(after, secret)
        return found

    def _legal(self, at: Situation) -> range:
        tree = self.policy.tree
        return range(1, min(tree.max_step, tree.length - at.places[at.mover - 1]) + 1)

    def _can_be(self, at: Situation, steps: int, trap: bool, secret: int) -> bool:
        """Whether a move may end so, and the game go on; a secret that is known says which."""
        doubts, me = self.policy.tree.doubts(at.mover), at.mover - 1
        to = at.places[me] + steps
        if secret != NO_SECRET and bool((secret & ~at.sprung[1 - me]) >> to & 1) != trap:
            return False
        table = doubts.caught if trap else doubts.passed
        return bool(table[at.doubts[me], to] >= 0) and (trap or to < doubts.length)

    def _lost(self, at: Situation) -> bool:
        return at.kind == (SECOND_WINS if self.role == 1 else FIRST_WINS)
