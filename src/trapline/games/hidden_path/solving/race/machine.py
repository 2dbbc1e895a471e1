"""A blind strategy as a machine, for certificates: its nodes are those of its own journey."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.solve.machines import seen_as

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from trapline.core import Form, Seat
    from trapline.games.hidden_path.solving.race.journeys import Journeys
    from trapline.games.hidden_path.solving.race.races import Strategy


class RaceMachine:
    """What the other does is not among the things that it sees."""

    def __init__(
        self, journeys: Journeys, strategy: Strategy, secrets: Sequence[Form], role: Seat
    ) -> None:
        self.journeys, self.strategy = journeys, strategy
        self.secrets, self.role = secrets, role

    def begin(self) -> Iterator[tuple[Form, float, int]]:
        for secret, chance in zip(self.secrets, self.strategy.mixture.tolist(), strict=True):
            if chance > 0:
                yield secret, chance, 0

    def moves(self, node: int) -> dict[str, float]:
        row = self.strategy.policy[node]
        return {str(m + 1): float(row[m]) for m in np.flatnonzero(row > 0).tolist()}

    def leads(self, node: int) -> dict[str, Hashable]:
        found: dict[str, Hashable] = {}
        for move in self.moves(node):
            m = int(move) - 1
            for table, trap in ((self.journeys.safe, False), (self.journeys.trap, True)):
                if table[node, m] >= 0:
                    found[seen_as(self.role, move, trap=trap)] = int(table[node, m])
        return found
