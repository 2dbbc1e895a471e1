"""A simple strategy as a machine, for certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve.machines import seen_as

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from trapline.core import Form, Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.routes.runner import RouteRunner, Under


class RouteMachine:
    """What the other does is not among the things that it sees."""

    def __init__(self, game: HiddenPath, runner: RouteRunner, role: Seat) -> None:
        self.game, self.runner, self.role = game, runner, role

    def begin(self) -> Iterator[tuple[Form, float, Under]]:
        plan = self.runner.plan
        for at, arrangement in enumerate(plan.arrangements):
            chance = float(plan.starts[at].sum()) / arrangement.secrets
            if chance > 0.0:
                for secret in arrangement.each(self.game.length):
                    yield self.game.hiding.record(secret), chance, self.runner.begin(at)

    def moves(self, node: Under) -> dict[str, float]:
        found = self.runner.next_moves(node)
        return {str(steps): drawn / sum(found.values()) for steps, drawn in found.items()}

    def leads(self, node: Under) -> dict[str, Hashable]:
        found: dict[str, Hashable] = {}
        for steps in self.runner.next_moves(node):
            for trapped in (False, True):
                after = self.runner.after(node, steps, trapped=trapped)
                if after is not None and (trapped or self.runner.next_moves(after)):
                    found[seen_as(self.role, str(steps), trap=trapped)] = after
        return found
