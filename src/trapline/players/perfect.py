"""The `perfect` opponent: plays the solution of the game.

What it does is drawn from `chances`, a function of the View alone, and from nothing else: so
the guarantee of the solution is the player's own. Where the game is lost by force there is
nothing left to guarantee; then it gives what somebody who errs answers worst. A variant that is
too large to be solved is played like `sharp` altogether.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.players import sharp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random
    from types import FrameType

    from trapline.core import Form, Game, Seat, View
    from trapline.solve import Solution


def choose(view: View, rng: Random) -> Form:
    solution = _solution_for(view)
    if solution is None:
        return sharp.choose(view, rng)
    drawn = solution.policy.chances(view)
    return rng.choices(list(drawn), list(drawn.values()))[0]


def chances(view: View) -> dict[Form, float]:
    """How often `choose` gives each answer; TooLarge where there is no solution to play."""
    solution = _solution_for(view)
    if solution is None:
        from trapline.solve import TooLarge

        raise TooLarge("This variant is too large to be solved, so nobody plays it perfectly.")
    return solution.policy.chances(view)


def prepare(game: Game[Any]) -> None:
    """Solve the game, or load its solution, so that the first choice is as quick as any."""
    solution_of(game)


def stand_in(game: Game[Any]) -> str:
    """A game without a solution is played by another level; empty for any other game."""
    return "" if solution_of(game) else "sharp"


def solution_of(game: Game[Any], first: Seat = 1) -> Solution | None:
    """The solution of a game, kept in memory; None where it is too large for one."""
    from trapline.solve import solved_first

    return _solution(game, solved_first(game, first))


def _solution_for(view: View) -> Solution | None:
    return solution_of(make_game(view.game, view.options), view.first)


@lru_cache(maxsize=16)
def _solution(game: Game[Any], first: Seat) -> Solution | None:
    # Solving needs NumPy and Numba, which a game against anybody else should not load.
    from trapline.solve import TooLarge, load, solved

    try:
        with unless_interrupted():
            # What a search found in the time it had is played as it is: nobody waits twice.
            return load(game, first) or solved(game, first=first)
    except TooLarge:
        return None


@contextmanager
def unless_interrupted() -> Iterator[None]:
    """Whatever Ctrl-C has cut short counts as not done: nobody is left with a weaker player.

    A search takes an interrupt for the end of its time, and gives what it has found by then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual, heard = signal.getsignal(signal.SIGINT), []

    def listen(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if callable(usual):
            usual(number, frame)

    signal.signal(signal.SIGINT, listen)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if heard:
        raise KeyboardInterrupt
