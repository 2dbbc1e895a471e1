"""The policy of two strategies on the whole tree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import SECRET, TraplineError, other
from trapline.solve import sequences
from trapline.solve.interface import Outlook
from trapline.solve.mirror import Mirror
from trapline.solve.seen import Seen, shown

if TYPE_CHECKING:
    from trapline.core import Form, Question, Seat, View
    from trapline.solve.seen import InformationSet
    from trapline.solve.sequences import Floats, SequenceForm, Strategies
    from trapline.solve.whole_tree import WholeTree


class Found(NamedTuple):
    """A View's decision in the tree."""

    known: InformationSet
    mirror: Mirror
    asked: Question

    def answers(self, numbers: Any) -> dict[Form, float]:
        """Something for each answer, in the tree's order, as answers of the match."""
        by_value = dict(zip(self.known.values, numbers, strict=True))
        return {
            self.asked.record(value): float(
                by_value[self.mirror.value(value, self.asked, self.known.question)]
            )
            for value in self.asked.values()
        }


class WholePolicy:
    """Plays its strategies, and nothing else: what is proven of them is played."""

    def __init__(self, tree: WholeTree, form: SequenceForm, strategies: Strategies) -> None:
        self.tree, self.form, self.strategies = tree, form, strategies

    def chances(self, view: View) -> dict[Form, float]:
        at = self._find(view)
        return at.answers(self._part(self.strategies[at.known.seat - 1], at.known))

    def look(self, view: View) -> Outlook:
        at = self._find(view)
        plan, worth = self._against(at.known)
        weights = {s: w * plan[s] for s, w in at.known.reached.items()}
        whole = sum(weights.values())
        values = self._part(worth, at.known) / whole
        return Outlook(
            at.answers(self._part(self.strategies[at.known.seat - 1], at.known)),
            at.answers(values),
            self._beliefs(view, at, {s: w / whole for s, w in weights.items()}),
        )

    @staticmethod
    def _part(numbers: Floats, known: InformationSet) -> Floats:
        return numbers[known.first : known.first + len(known.values)]

    def _find(self, view: View) -> Found:
        assert view.seat is not None
        assert view.question is not None
        mirror = Mirror(self.tree.game, view.first)
        role, mover = mirror.seat(view.seat), view.to_move or 0
        look = Seen(0, view.board, view.turn, mover, shown(view.question), view.secret)
        if mirror.swaps:
            look = Seen(
                0,
                view.board.mirrored(),
                view.turn,
                3 - mover if mover else 0,
                mirror.asked(shown(view.question)),
                None if view.secret is None else self._mirrored_secret(view, mirror, role),
            )
        known = self.tree.find(role, mirror.events(view), look)
        if known is None:
            raise TraplineError("This is nowhere in the solution: no match can come here.")
        return Found(known, mirror, view.question)

    def _mirrored_secret(self, view: View, mirror: Mirror, role: Seat) -> Form:
        game = self.tree.game
        asked = game.question(game.start(view.first), mirror.seat(role))
        solved = self.tree.sets[role - 1][0].question
        assert asked is not None
        return solved.record(mirror.value(asked.value(view.secret), asked, solved))

    def _against(self, known: InformationSet) -> tuple[Floats, Floats]:
        """The other's plan, and what each of one's own sequences can bring against it.

        Where the other would never have come, the other is somebody who now and then errs.
        """
        usual = self._answers[known.seat - 1]
        if sum(weight * usual[0][s] for s, weight in known.reached.items()) > 0:
            return usual
        return self._unsure[known.seat - 1]

    @cached_property
    def _answers(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        one, two = self.strategies
        return self._best(1, two), self._best(2, one)

    @cached_property
    def _unsure(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        sides = self.form.sides
        one, two = map(sequences.unsure, sides, self.strategies)
        return self._best(1, two), self._best(2, one)

    def _best(self, seat: Seat, rival: Floats) -> tuple[Floats, Floats]:
        side = self.form.sides[seat - 1]
        plan = sequences.plan_of(self.form.sides[2 - seat], rival)
        worth = self.form.gains(seat, plan)
        sequences.best_answers(side.parent, side.first, worth, np.zeros(side.size))
        return plan, worth

    def _beliefs(self, view: View, at: Found, weights: dict[int, float]) -> dict[Form, float]:
        """How likely each of the other's secrets is, where secrets are chosen at the beginning."""
        rival = other(at.known.seat)
        sets = self.tree.sets[rival - 1]
        opening = sets[0] if sets else None
        if opening is None or opening.question.asks != SECRET:
            return {}
        chances = dict.fromkeys(opening.values, 0.0)
        for sequence, weight in weights.items():
            begun = self._openings[rival - 1][sequence]
            if begun < 0:  # the other has not chosen yet
                mix = self._part(self.strategies[rival - 1], opening)
                for value, chance in zip(opening.values, mix.tolist(), strict=True):
                    chances[value] += weight * chance
            else:
                chances[opening.values[begun]] += weight
        game = self.tree.game
        asked = game.question(game.start(view.first), at.mirror.seat(rival))
        assert asked is not None
        return {
            asked.record(value): chances[at.mirror.value(value, asked, opening.question)]
            for value in asked.values()
        }

    @cached_property
    def _openings(self) -> tuple[list[int], list[int]]:
        """For each sequence, the index of its first answer; −1 before there is one."""
        found: list[list[int]] = []
        for side, sets in zip(self.form.sides, self.tree.sets, strict=True):
            begun = [-1] * side.size
            for known in sets:
                for index in range(len(known.values)):
                    parent = begun[known.parent]
                    begun[known.first + index] = index if known.parent == 0 else parent
            found.append(begun)
        return found[0], found[1]
