"""Solving the games: the value with best play, with a proof, and a policy that attains it.

`solve` works a game out; `solved` looks for a kept solution first. Two methods are tried in
turn: forced results (`proof`), then an equilibrium of the public tree (`cfr`, and `linear`
where that is quick). A game that is too large for both has a method of its own in `LARGE`;
the tree is then tried only where that falls short and the tree is small.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, Game, Seat
from trapline.games import changed_options
from trapline.games.trap_runner import TrapRunner
from trapline.notation import format_secret
from trapline.solve import cfr, linear, tree, words
from trapline.solve import solution as solutions
from trapline.solve.best_response import Certificate, Profile, certify
from trapline.solve.completion import completed
from trapline.solve.model import GameModel, TooLarge
from trapline.solve.policy import Outlook, Policy
from trapline.solve.proof_policy import ProofPolicy, RunnerPolicy
from trapline.solve.race_solution import solve_race
from trapline.solve.solution import Facts, Solution

if TYPE_CHECKING:
    from trapline.solve.proof import Guarantee

Progress = Callable[[int, Certificate], None]
Method = Callable[[Game[Any, Any], float, float | None, Progress | None], Solution]

__all__ = ["LARGE", "Outlook", "Policy", "Solution", "TooLarge", "solve", "solved"]

QUICK_PROGRAM = 100_000
"""A linear program with this many pairs of holdings takes about a second."""
LARGEST_PROGRAM = 1_000_000
"""The most for which one is tried, when no gap at all is asked for, and may take minutes."""
ROUGH = 1e-3
"""How near regret comes before a linear program takes over: enough to stop there if told."""

LARGE: dict[str, Method] = {"hidden-path": solve_race}
"""For a game whose public tree is too large in most sizes: its own method, tried first."""

FEW_JOURNEYS = 1_000
"""With no more nodes of a runner's knowledge than this, the tree takes seconds as well."""


def solve(
    game: Game[Any, Any],
    *,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The solution of a game under its options, to an exploitability of at most `target`.

    A time limit in seconds, or Ctrl-C, ends the search with the best found and its bounds.
    `target=0` asks for an exact solution by linear programming. Raises TooLarge where no
    method reaches.
    """
    begin = time.monotonic()
    deadline = None if time_limit is None else begin + time_limit
    if game.name in LARGE:
        found = LARGE[game.name](game, target, time_limit, progress)
        if _will_do(found, target, deadline):
            return found
        return min(
            found, _by_tree(game, target, begin, deadline, progress), key=lambda s: s.exploitability
        )
    return _by_proof(game, begin) or _by_tree(game, target, begin, deadline, progress)


def _will_do(found: Solution, target: float, deadline: float | None) -> bool:
    """Whether a method's solution is good enough, or nothing better can be had in time."""
    if found.exact or found.exploitability <= target:
        return True
    late = deadline is not None and time.monotonic() > deadline
    return late or found.race is None or len(found.race.journeys) > FEW_JOURNEYS


def solved(
    game: Game[Any, Any],
    *,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> Solution:
    """A kept solution that is good enough, or else a new one, which is kept."""
    kept = solutions.load(game)
    if kept is not None and not fresh and (kept.final or kept.exploitability <= target):
        return kept
    found = solve(game, target=target, time_limit=time_limit, progress=progress)
    if kept is None or found.exploitability <= kept.exploitability:
        solutions.save(found)
        return found
    return found if fresh else kept


# --- forced results ---------------------------------------------------------------------


def _by_proof(game: Game[Any, Any], begin: float) -> Solution | None:
    """The value where both players' guarantees meet, None where they do not."""
    policy = RunnerPolicy(game) if isinstance(game, TrapRunner) else ProofPolicy(game)
    forced = {seat: policy.guarantee(seat) for seat in SEATS}
    bests = {seat: max(g.values()) for seat, g in forced.items()}
    if bests[1] != -bests[2]:
        return None
    secrets = {seat: policy.secrets(seat) if game.secret else {} for seat in SEATS}
    winner: Seat | None = None if not bests[1] else 1 if bests[1] > 0 else 2
    turns = forced[winner].nearest() if winner else None
    return Solution(
        game,
        Facts(
            game=game.name,
            options=changed_options(game),
            secrets=(solutions.ranked(secrets[1]), solutions.ranked(secrets[2])),
            sentence=_sentence(game, winner, forced, secrets),
            method="proof",
            turns=turns,
            seconds=_since(begin),
            **solutions.bounds_facts(Certificate(float(bests[1]), float(bests[1]))),
        ),
    )


def _sentence(
    game: Game[Any, Any],
    winner: Seat | None,
    forced: dict[Seat, Guarantee],
    secrets: dict[Seat, dict[Any, float]],
) -> str:
    if winner is None:
        return words.drawn(getattr(game.options, "turn_limit", 0))
    named = [format_secret(game, secret) for secret in secrets[winner]]
    return words.forced(winner, forced[winner], forced[winner].nearest(), named)


# --- equilibria -------------------------------------------------------------------------


def _by_tree(
    game: Game[Any, Any],
    target: float,
    begin: float,
    deadline: float | None,
    progress: Progress | None,
) -> Solution:
    built = tree.build(GameModel(game))
    exact = _can_be_exact(built, target)
    near = max(target, ROUGH) if exact else target
    profile = cfr.solve(built, target=near, deadline=deadline, progress=progress).profile
    if exact:
        # Without time for it, or on Ctrl-C, what regret has found must do.
        with contextlib.suppress(linear.NotSolved, KeyboardInterrupt):
            profile = linear.solve(built, deadline).profile
    return _tree_solution(game, built, completed(built, profile), begin)


def _can_be_exact(built: tree.Tree, target: float) -> bool:
    """Whether a linear program is worth its time: it is small, or little is hidden in it."""
    pairs = linear.pairs(built)
    if target == 0:
        return pairs <= LARGEST_PROGRAM
    return pairs <= QUICK_PROGRAM or pairs <= min(built.entries, 3 * QUICK_PROGRAM)


def _tree_solution(
    game: Game[Any, Any], built: tree.Tree, profile: Profile, begin: float
) -> Solution:
    facts = solutions.bounds_facts(certify(built, profile))
    policy = solutions.make_policy(game, profile, built)
    ranked = tuple(solutions.ranked(policy.secrets(seat)) for seat in SEATS)
    decided = facts["exact"] and abs(facts["value"]) == 1
    sentence = words.mixed(facts["bounds"])
    if decided:
        sentence = words.certain(1 if facts["value"] > 0 else 2)
    return Solution(
        game,
        Facts(
            game=game.name,
            options=changed_options(game),
            secrets=(ranked[0], ranked[1]),
            sentence=sentence,
            method="tree",
            seconds=_since(begin),
            **facts,
        ),
        profile,
        built,
    )


def _since(begin: float) -> float:
    return round(time.monotonic() - begin, 3)
