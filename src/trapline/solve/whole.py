"""An equilibrium of the whole tree: for every game that is small enough to be walked through.

Chance, hidden answers at any time, answers given at once, and results that count more than
others are all the same to it. It asks only that a View shows its seat all it has seen before.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, SECRET, other
from trapline.games import changed_options
from trapline.solve import equilibrium, exactly, sentences, sequences
from trapline.solve.interface import Facts, Solution, bounds_facts, ranked
from trapline.solve.whole_policy import WholePolicy
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from fractions import Fraction

    from trapline.core import Game, Seat
    from trapline.solve.interface import Ranked, Request
    from trapline.solve.sequences import SequenceForm, Strategies


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
        return equilibrium.packed(self.strategies)


class WholeMethod:
    name = "whole tree"

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game, self.first = game, first

    def solve(self, request: Request) -> WholeSolution:
        tree = WholeTree(self.game, self.first)
        form = tree.form()
        found = equilibrium.find(form, request)
        return WholeSolution(tree, form, self._facts(request, tree, form, found), found)

    def restore(self, facts: Facts, data: bytes) -> WholeSolution | None:
        tree = WholeTree(self.game, self.first)
        form = tree.form()
        found = equilibrium.unpacked(form, facts, data)
        return None if found is None else WholeSolution(tree, form, facts, found)

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
