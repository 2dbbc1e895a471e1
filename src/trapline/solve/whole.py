"""An equilibrium of the whole tree: for every game that is small enough to be walked through.

Chance, hidden answers at any time, answers given at once, and results that count more than
others are all the same to it. It asks only that a View shows its seat all it has seen before.
"""

from __future__ import annotations

import contextlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SEATS, SECRET, other
from trapline.games import changed_options
from trapline.solve import exactly, sentences, sequences
from trapline.solve.interface import Facts, Solution, bounds_facts, confirms, ranked
from trapline.solve.linear import NotSolved
from trapline.solve.whole_policy import WholePolicy
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from fractions import Fraction

    from trapline.core import Game, Seat
    from trapline.solve.interface import Ranked, Request
    from trapline.solve.sequences import SequenceForm, Strategies

QUICK_PROGRAM = 30_000
"""A linear program with so many pairs of sequences that meet takes a few seconds."""
LARGEST_PROGRAM = 300_000
"""The most for which one is tried, when no gap at all is asked for, and may take minutes."""
ROUGH = 1e-3
"""How near regret comes before a linear program takes over: enough to stop there if told."""


class WholeSolution(Solution):
    def __init__(
        self, tree: WholeTree, form: SequenceForm, facts: Facts, strategies: Strategies
    ) -> None:
        super().__init__(tree.game, facts)
        self.tree, self.form, self.strategies = tree, form, strategies

    @cached_property
    def policy(self) -> WholePolicy:
        return WholePolicy(self.tree, self.form, self.strategies)

    @cached_property
    def fraction(self) -> Fraction | None:
        if not self.exact:
            return None
        found = exactly.value(self.form, self.strategies)
        return found if found is None or self.facts.first == 1 else -found

    def pack(self) -> bytes:
        return b"".join(part.astype(np.float64).tobytes() for part in self.strategies)


class WholeMethod:
    name = "whole tree"

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game, self.first = game, first

    def solve(self, request: Request) -> WholeSolution:
        tree = WholeTree(self.game, self.first)
        form = tree.form()
        pairs = form.payoffs.nnz
        exact = pairs <= (QUICK_PROGRAM if request.target > 0 else LARGEST_PROGRAM)
        near = max(request.target, ROUGH) if exact else request.target
        found = sequences.by_regret(
            form, target=near, deadline=request.deadline, progress=request.progress
        )
        if exact:
            # Without time for it, or on Ctrl-C, what regret has found must do.
            with contextlib.suppress(NotSolved, KeyboardInterrupt):
                found = sequences.by_program(form, request.deadline)
        found = sequences.completed(form, found)
        return WholeSolution(tree, form, self._facts(request, tree, form, found), found)

    def restore(self, facts: Facts, data: bytes) -> WholeSolution | None:
        """Strategies are believed only as far as best responses confirm their bounds."""
        tree = WholeTree(self.game, self.first)
        form = tree.form()
        values, size = np.frombuffer(data), form.sides[0].size
        found = (values[:size].copy(), values[size:].copy())
        pairs = zip(form.sides, found, strict=True)
        if not all(sequences.is_strategy(side, strategy) for side, strategy in pairs):
            return None
        if not confirms(facts, sequences.certify(form, found), form.most):
            return None
        return WholeSolution(tree, form, facts, found)

    def _facts(
        self, request: Request, tree: WholeTree, form: SequenceForm, found: Strategies
    ) -> Facts:
        facts = bounds_facts(sequences.certify(form, found), self.first, form.most)
        ranks = {seat: _secrets(tree, seat, found) for seat in SEATS}
        return Facts(
            game=self.game.name,
            options=changed_options(self.game),
            first=self.first,
            method=self.name,
            seconds=request.seconds,
            sentence=self._sentence(facts, form.most),
            secrets=(ranks[self.first], ranks[other(self.first)]),
            **facts,
        )

    def _sentence(self, facts: dict[str, Any], most: float) -> str:
        if facts["exact"] and most and abs(facts["value"]) == most:
            return sentences.certain(first=facts["value"] > 0, hides=self.game.hides)
        return sentences.mixed(facts["bounds"]) if most <= 1 else sentences.scored(facts["bounds"])


def _secrets(tree: WholeTree, seat: Seat, found: Strategies) -> Ranked:
    """What a seat hides before the first turn, where it does."""
    opening = tree.sets[seat - 1][0] if tree.sets[seat - 1] else None
    if opening is None or opening.question.asks != SECRET or opening.parent != sequences.EMPTY:
        return []
    chances = found[seat - 1][opening.first : opening.first + len(opening.values)].tolist()
    records = map(opening.question.record, opening.values)
    return ranked(dict(zip(records, chances, strict=True)))
