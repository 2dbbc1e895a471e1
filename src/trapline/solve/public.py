"""An equilibrium of the public tree, by regret and, where that is quick, by linear program.

Right for games in which nothing is hidden but what both choose before the first turn
(`model.GameModel`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SEATS
from trapline.games import changed_options
from trapline.solve import levels, sentences, tree
from trapline.solve.best_response import Profile, certify
from trapline.solve.completion import completed
from trapline.solve.interface import Facts, Solution, bounds_facts, confirms, ranked
from trapline.solve.machines import PublicMachine
from trapline.solve.model import model_of
from trapline.solve.public_policy import PublicPolicy
from trapline.solve.watched import CountsTurns

if TYPE_CHECKING:
    from trapline.core import Game, Seat
    from trapline.solve.interface import Machine, Policy, Ranked, Request
    from trapline.solve.model import GameModel

QUICK_PROGRAM = 100_000
"""A linear program with this many pairs of holdings takes about a second."""
LARGEST_PROGRAM = 1_000_000
"""The most for which one is tried, when no gap at all is asked for, and may take minutes."""
ROUGH = 1e-3
"""How near regret comes before a linear program takes over: enough to stop there if told."""


class PublicSolution(Solution):
    def __init__(self, model: GameModel, facts: Facts, profile: Profile, built: tree.Tree) -> None:
        super().__init__(model.game, facts)
        self.model, self.profile, self.tree = model, profile, built

    @cached_property
    def policy(self) -> Policy:
        return PublicPolicy(self.model, self.profile, self.tree)

    def machine(self, role: Seat) -> Machine:
        return PublicMachine(PublicPolicy(self.model, self.profile, self.tree), role)

    def pack(self) -> bytes:
        parts = (*self.profile.mixes, self.profile.table)
        return b"".join(part.astype(np.float64).tobytes() for part in parts)


class PublicMethod:
    name = "tree"

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game, self.first = game, first
        self.interrupted = False
        """Whether somebody has ended the search."""

    def solve(self, request: Request) -> PublicSolution:
        from trapline.solve import cfr, linear  # which bring a compiler and programs along

        model, built = public_tree(self.game, self.first, until=request.deadline)
        exact = _can_be_exact(built, request.target)
        near = max(request.target, ROUGH) if exact else request.target
        found = cfr.solve(
            built,
            target=near,
            deadline=request.deadline,
            progress=request.progress,
            checkpoint=request.checkpoint(self.name),
        )
        profile, self.interrupted = found.profile, found.interrupted
        if exact and not self.interrupted:
            # Without time for it, or on Ctrl-C, what regret has found must do.
            try:
                profile = linear.solve(built, request.deadline).profile
            except linear.NotSolved:
                pass
            except KeyboardInterrupt:
                self.interrupted = True
        profile = completed(built, profile)
        return PublicSolution(model, self._facts(request, model, built, profile), profile, built)

    def restore(self, facts: Facts, data: bytes) -> PublicSolution | None:
        """Strategies are believed only as far as best responses confirm their bounds."""
        model, built = public_tree(self.game, self.first)
        values = np.frombuffer(data)
        one, two = built.holdings
        if len(values) != one + two + built.entries:
            return None
        profile = Profile((values[:one], values[one : one + two]), values[one + two :].copy())
        if not _is_profile(built, profile) or not confirms(facts, certify(built, profile)):
            return None
        return PublicSolution(model, facts, profile, built)

    def _facts(
        self, request: Request, model: GameModel, built: tree.Tree, profile: Profile
    ) -> Facts:
        facts = bounds_facts(certify(built, profile), self.first)
        decided = facts["exact"] and abs(facts["value"]) == 1
        sentence = sentences.mixed(facts["bounds"])
        if decided:
            sentence = sentences.certain(first=facts["value"] > 0, hides=model.hides)
        ranks = {seat: _ranked(model, seat, profile) for seat in SEATS}
        second: Seat = 2 if self.first == 1 else 1
        return Facts(
            game=self.game.name,
            options=changed_options(self.game),
            first=self.first,
            method=self.name,
            seconds=request.seconds,
            sentence=sentence,
            secrets=(ranks[self.first], ranks[second]),
            **facts,
        )


def public_tree(game: Game[Any], first: Seat = 1, **more: Any) -> tuple[GameModel, tree.Tree]:
    """The model of a game and its tree, turns being counted where that is needed."""
    try:
        model = model_of(game, first, counts_turns=game.turn_limit > 0)
        return model, tree.build(model, **more)
    except CountsTurns:
        model = model_of(game, first, counts_turns=True)
        return model, tree.build(model, **more)


def _ranked(model: GameModel, seat: Seat, profile: Profile) -> Ranked:
    question = model.hiding[seat - 1]
    if not model.hides or question is None:
        return []
    pairs = zip(model.holdings[seat - 1], profile.mixes[seat - 1].tolist(), strict=True)
    return ranked({question.record(value): chance for value, chance in pairs})


def _can_be_exact(built: tree.Tree, target: float) -> bool:
    """Whether a linear program is worth its time: it is small, or little is hidden in it."""
    from trapline.solve import linear

    pairs = linear.pairs(built)
    if target == 0:
        return pairs <= LARGEST_PROGRAM
    return pairs <= QUICK_PROGRAM or pairs <= min(built.entries, 3 * QUICK_PROGRAM)


def _is_profile(built: tree.Tree, profile: Profile) -> bool:
    """Whether chances are chances: nothing below zero, and a sum of one everywhere."""
    if not all(np.all(mix >= 0) and abs(mix.sum() - 1) < 1e-9 for mix in profile.mixes):
        return False
    return levels.is_table(built, profile.table)
