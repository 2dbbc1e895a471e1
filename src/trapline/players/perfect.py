"""The `perfect` opponent: plays the solution of the game.

What it does is drawn from `chances`, a function of the View alone, and from nothing else: so
the guarantee of the solution is the player's own. Where the game is lost by force there is
nothing left to guarantee; then it tries its answers out as `sharp` does, and waits for mistakes.
A variant that is too large to be solved is played like `sharp` altogether.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.core import SECRET
from trapline.games import make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from trapline.core import Form, Game, Seat, View
    from trapline.solve import Solution


def choose(view: View, rng: Random) -> Form:
    solution = _solution_for(view)
    if solution is None:
        return sharp.choose(view, rng)
    drawn = _chances(solution, view)
    return rng.choices(list(drawn), list(drawn.values()))[0]


def chances(view: View) -> dict[Form, float]:
    """How often `choose` gives each answer; TooLarge where there is no solution to play."""
    solution = _solution_for(view)
    if solution is None:
        from trapline.solve import TooLarge

        raise TooLarge("This variant is too large to be solved, so nobody plays it perfectly.")
    return _chances(solution, view)


def _chances(solution: Solution, view: View) -> dict[Form, float]:
    assert view.question is not None  # only who is asked chooses
    if not solution.forced or view.question.asks == SECRET:
        return solution.policy.chances(view)
    outlook = solution.policy.look(view)
    if max(outlook.values.values()) > -1:
        return outlook.chances
    # Nothing is forced here but the loss. Whoever plays the solution comes here only in a game
    # that was lost from the start, so there is no guarantee that these answers could give away.
    tried = sharp.best_of(view, list(outlook.values), Random(0))  # noqa: S311 - one for a View
    return {answer: float(answer == tried) for answer in outlook.values}


def prepare(game: Game[Any]) -> None:
    """Solve the game, or load its solution, so that the first choice is as quick as any."""
    solution_of(game)


def solution_of(game: Game[Any], first: Seat = 1) -> Solution | None:
    """The solution of a game, kept in memory; None where it is too large for one."""
    from trapline.solve import solved_first

    return _solution(game, solved_first(game, first))


def _solution_for(view: View) -> Solution | None:
    return solution_of(make_game(view.game, view.options), view.first)


@lru_cache(maxsize=16)
def _solution(game: Game[Any], first: Seat) -> Solution | None:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import TooLarge, solved

    try:
        return solved(game, first=first)
    except TooLarge:
        return None
