"""Whether a computer takes the draw that it is offered: where the game is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.coach.choices import choices
from trapline.coach.weighing import Settled, settles
from trapline.games import make_game
from trapline.referee import Walk
from trapline.solve import load

if TYPE_CHECKING:
    from trapline.core import Seat, View
    from trapline.referee import Match
    from trapline.solve import Solution


def accepts_draw(match: Match, seat: Seat) -> bool:
    """Whether best play makes a draw of what the seat could know at its own last choice.

    What the other has done since is not looked at: it may have told the seat something, but only
    the seat's next question would say what. Where nothing is proven, nothing is agreed.
    """
    solution = load(match.game, match.first)
    if solution is None:
        return False
    own = [made for made in choices(Walk(match.sealed_record())) if made.step.seat == seat]
    value = solution.value
    if own:
        value = solution.policy.look(own[-1].view).values[own[-1].step.answer]
    return _drawn(value, solution)


def takes_draw(view: View) -> bool:
    """The same for a seat that is asked something while the other's offer stands."""
    if view.draw_offer in (None, view.seat):
        return False
    solution = load(make_game(view.game, view.options), view.first)
    return solution is not None and _drawn(
        max(solution.policy.look(view).values.values()), solution
    )


def _drawn(value: float, solution: Solution) -> bool:
    return settles(value, solution.game.stake, forced=solution.forced) is Settled.DRAWN
