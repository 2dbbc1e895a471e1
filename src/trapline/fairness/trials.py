"""What was worked out, tried out: strategies play each other before the referee."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from trapline.contest import play_out
from trapline.core import SECRET, Seat, other
from trapline.fairness.figures import Estimate, Score
from trapline.referee import Match
from trapline.solve.public_policy import PublicPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Form, Game, View
    from trapline.players import Choose
    from trapline.solve import Policy, Solution
    from trapline.solve.best_response import Profile
    from trapline.solve.model import GameModel
    from trapline.solve.tree import Tree

MATCHES = 200
TURNS = 800
"""Fewer matches are played where they take long: until there were so many turns."""
FEWEST = 50


def meet(model: GameModel, tree: Tree, profile: Profile) -> Score:
    """How whoever moves first does when both play their parts of a profile."""
    choose = _drawn(PublicPolicy(model, profile, tree))
    return _score(model.game, model.first, lambda: {1: choose, 2: choose})


def meet_seer(
    model: GameModel, tree: Tree, profile: Profile, seer: Seat, seeing: Callable[[int], Profile]
) -> Score:
    """The same where one seat plays by what the other hides: as `seeing` says for each holding."""
    blind = PublicPolicy(model, profile, tree)
    eyes: dict[int, Choose] = {}

    def players() -> dict[Seat, Choose]:
        hidden: list[int] = []

        def seen(view: View, rng: Random) -> Form:
            answer = _drawn(blind)(view, rng)
            if view.asks == SECRET:
                at = blind.place(view)
                numbers = at.secrets(range(tree.holdings[at.role - 1]), at.role)
                hidden.append(int(numbers[answer]))
            return answer

        def sees(view: View, rng: Random) -> Form:
            if view.asks == SECRET:
                return _drawn(blind)(view, rng)
            if hidden[0] not in eyes:
                eyes[hidden[0]] = _drawn(PublicPolicy(model, seeing(hidden[0]), tree))
            return eyes[hidden[0]](view, rng)

        return {seer: sees, other(seer): seen}

    return _score(model.game, model.first, players)


def meet_solution(solution: Solution, seat: Seat, first: Seat, hides: Form) -> Score:
    """The same where one seat hides this and answers the solution as well as anybody can."""

    def answers(view: View, _rng: Random) -> Form:
        if view.asks == SECRET:
            return hides
        values = solution.policy.look(view).values
        return max(values, key=lambda answer: values[answer])

    players = {seat: answers, other(seat): _drawn(solution.policy)}
    return _score(solution.game, first, lambda: players)


def _drawn(policy: Policy) -> Choose:
    def choose(view: View, rng: Random) -> Form:
        chances = policy.chances(view)
        return rng.choices(list(chances), list(chances.values()))[0]

    return choose


def _score(game: Game[Any], first: Seat, players: Callable[[], dict[Seat, Choose]]) -> Score:
    rng = Random(f"trials of {game.name}")  # noqa: S311 (matches between programs)
    score, turns = Score(), 0
    while score.matches < FEWEST or (score.matches < MATCHES and turns < TURNS):
        match = Match(game, first, rng=rng)
        play_out(match, players(), lambda _view: rng)
        assert match.outcome is not None  # programs play to the end
        score += Score.of(match.outcome.result(first))
        turns += match.view(None).turn
    return score


def lost_by(score: Score, worth: float, *, first: bool) -> Estimate:
    """What a seat got less than its `worth`, as a chance of winning; the score is the first's."""
    kept = score.mean if first else -score.mean
    return Estimate((worth - kept) / 2, score.margin / 2, score.matches)


def result(score: Score) -> Estimate:
    return Estimate(score.mean, score.margin, score.matches)
