"""The `perfect` opponent: plays the solution of the game.

What it does is drawn from `chances`, a function of the View alone, and from nothing else: so
the guarantee of the solution is the player's own. Where the game is lost by force there is
nothing left to guarantee; then it tries its moves out as `sharp` does, and waits for mistakes.
A variant that is too large to be solved is played like `sharp` altogether.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.games import changed_options, make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from trapline.core import Game, Move, Secret, View
    from trapline.solve import Solution


def choose(view: View, rng: Random) -> Move | Secret:
    solution = solution_of(make_game(view.game, view.options))
    if solution is None:
        return sharp.choose(view, rng)
    drawn = _chances(solution, view)
    answer: Move | Secret = rng.choices(list(drawn), list(drawn.values()))[0]
    return answer


def chances(view: View) -> dict[Any, float]:
    """How often `choose` gives each answer; TooLarge where there is no solution to play."""
    solution = solution_of(make_game(view.game, view.options))
    if solution is None:
        from trapline.solve import TooLarge

        raise TooLarge("This variant is too large to be solved, so nobody plays it perfectly.")
    return _chances(solution, view)


def _chances(solution: Solution, view: View) -> dict[Any, float]:
    assert view.seat is not None  # only players are asked
    policy = solution.policy
    if view.asks == "secret":
        return dict(policy.secrets(view.seat, view.first))
    if not solution.forced:
        return dict(policy.chances(view))
    outlook = policy.look(view)
    if max(outlook.values.values()) > -1:
        return dict(outlook.chances)
    # Nothing is forced here but the loss. Whoever plays the solution comes here only in a game
    # that was lost from the start, so there is no guarantee that these moves could give away.
    best = sharp.best_moves(view, view.legal, Random(0))  # noqa: S311 - a View has one answer
    return {move: 1 / len(best) if move in best else 0.0 for move in view.legal}


def prepare(game: Game[Any, Any]) -> None:
    """Solve the game, or load its solution, so that the first choice is as quick as any."""
    solution_of(game)


def solution_of(game: Game[Any, Any]) -> Solution | None:
    """The solution of a game, kept in memory; None where it is too large for one."""
    return _solution(game.name, tuple(_frozen(changed_options(game))))


def _frozen(options: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(k, tuple(v) if isinstance(v, list) else v) for k, v in sorted(options.items())]


@lru_cache(maxsize=16)
def _solution(name: str, options: tuple[tuple[str, Any], ...]) -> Solution | None:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import TooLarge, solved

    values = {k: list(v) if isinstance(v, tuple) else v for k, v in options}
    try:
        return solved(make_game(name, values))
    except TooLarge:
        return None
