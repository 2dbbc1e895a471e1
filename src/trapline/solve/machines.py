"""Strategies as machines, for certificates: what `perfect` plays, node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import Triggered
from trapline.solve.decided import Decided
from trapline.solve.history import everything
from trapline.solve.interface import Uncertified, evenly

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from trapline.core import Form, Seat
    from trapline.solve.forced_policy import ForcedPolicy
    from trapline.solve.model import Branch, GameModel
    from trapline.solve.public_policy import PublicPolicy

Masks = tuple[int, int]


def seen_as(seat: Seat, move: str, *, trap: bool = False) -> str:
    """A move that was seen: who made it, what it was, and whether it met a hidden trap."""
    return f"{seat}:{move}{'!' if trap else ''}"


def typed(form: Form) -> str:
    """A move as one would type it: `2`, or `4,3` for a cell."""
    return ",".join(map(str, form)) if isinstance(form, tuple) else str(form)


class Standing(NamedTuple):
    """A node: a public state, what is possible there, and one's own secret by its number."""

    state: Any
    masks: Masks
    holding: int
    tree: int = -1
    """The node of the public tree, where there is one."""


class ModelMachine:
    """What all strategies on a model have in common: who sees what."""

    def __init__(self, model: GameModel, role: Seat) -> None:
        self.model, self.role = model, role

    def _secret(self, holding: int) -> Form | None:
        question = self.model.hiding[self.role - 1]
        if not self.model.hides or question is None:
            return None
        return question.record(self.model.holdings[self.role - 1][holding])

    def _named(self, node: Standing, chances: dict[Any, float]) -> dict[str, float]:
        question = self.model.question(node.state)
        return {typed(question.record(a)): chance for a, chance in chances.items() if chance > 0}

    def _seen(
        self, node: Standing, made: dict[str, float]
    ) -> Iterator[tuple[str, Branch, Masks, int, int]]:
        """What may be seen on a node, with what follows; the own moves are those that are made.

        The last two numbers say which action it was, and which of its possible branches.
        """
        model, seat = self.model, self.model.mover(node.state)
        question = model.question(node.state)
        for index, action in enumerate(model.actions(node.state)):
            move = typed(question.record(action))
            if seat == self.role and move not in made:
                continue
            possible = 0
            for branch in model.branches(node.state, action):
                kept = node.masks[0] & branch.masks[0], node.masks[1] & branch.masks[1]
                if not all(kept):
                    continue
                if branch.state is not None and kept[self.role - 1] >> node.holding & 1:
                    trap = model.hides and any(isinstance(e, Triggered) for e in branch.events)
                    yield seen_as(seat, move, trap=trap), branch, kept, index, possible
                possible += 1


class ForcedMachine(ModelMachine):
    """What guarantees a result, whatever the limit of turns is: it counts no turns."""

    def __init__(self, policy: ForcedPolicy, role: Seat) -> None:
        super().__init__(policy.model, role)
        self.policy = policy
        self.guarantee = policy.guarantee(role)

    def begin(self) -> Iterator[tuple[Form | None, float, Standing]]:
        for holding, chance in self.policy.mix(self.role).items():
            if chance > 0:
                begin = Standing(self.model.root, everything(self.model), holding)
                yield self._secret(holding), chance, begin

    def moves(self, node: Standing) -> dict[str, float]:
        mine = self.model.mover(node.state) == self.role
        if not mine or not self.guarantee.holds(node.state, node.holding):
            return {}
        best = self.guarantee.steady(node.state, node.holding)
        return self._named(node, evenly(best, best))

    def leads(self, node: Standing) -> dict[str, Hashable]:
        # What is possible of the other's secrets plays no part, so equal states are one node.
        return {
            seen: Standing(branch.state, node.masks, node.holding)
            for seen, branch, *_ in self._seen(node, self.moves(node))
        }


class PublicMachine(ModelMachine):
    """A profile on the public tree, and where the tree ends because all is decided, what keeps
    that. Who has lost for certain resigns."""

    def __init__(self, policy: PublicPolicy, role: Seat) -> None:
        super().__init__(policy.model, role)
        self.policy, self.tree = policy, policy.tree
        self.decided = Decided(policy.model)
        self.loss = -1.0 if role == 1 else 1.0

    def begin(self) -> Iterator[tuple[Form | None, float, Standing]]:
        for holding, chance in enumerate(self.policy.profile.mixes[self.role - 1].tolist()):
            if chance > 0:
                begin = Standing(self.model.root, everything(self.model), holding, 0)
                yield self._secret(holding), chance, begin

    def moves(self, node: Standing) -> dict[str, float]:
        if self.model.mover(node.state) != self.role or self._lost(node):
            return {}
        return self._named(node, self.policy.row(node, self.role))

    def leads(self, node: Standing) -> dict[str, Hashable]:
        if self._lost(node):
            return {}
        found: dict[str, Hashable] = {}
        for seen, branch, kept, action, possible in self._seen(node, self.moves(node)):
            if seen in found:
                raise Uncertified("Two things that are seen alike lead to different places.")
            after = -1
            if node.tree >= 0:
                after = self.tree.child(node.tree, action, possible)
                after = after if self.tree.nodes.mover[after] else -1
            found[seen] = Standing(branch.state, kept, node.holding, after)
        return found

    def _lost(self, node: Standing) -> bool:
        return node.tree < 0 and self.decided.value(node.state, node.masks) == self.loss


class RunMachine:
    """A run that does not look at the other: on each place, steps that are equally good."""

    def __init__(self, role: Seat, goal: int, steps: Callable[[int], Sequence[int]]) -> None:
        self.role, self.goal, self.steps = role, goal, steps

    def begin(self) -> Iterator[tuple[None, float, int]]:
        yield None, 1.0, 0

    def moves(self, at: int) -> dict[str, float]:
        steps = self.steps(at)
        return {str(step): 1 / len(steps) for step in steps}

    def leads(self, at: int) -> dict[str, Hashable]:
        return {
            seen_as(self.role, str(step)): at + step
            for step in self.steps(at)
            if at + step < self.goal
        }
