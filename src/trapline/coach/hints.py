"""A hint: what perfect play would do, for a player who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.coach.choices import named
from trapline.core import SECRET, NotNow
from trapline.games import make_game
from trapline.players import perfect

if TYPE_CHECKING:
    from trapline.core import View

MOST_NAMED = 4
"""So many equally good answers are named; there may be more."""


def hint(view: View) -> str:
    """A sentence for a player who asks what to do."""
    question = view.question
    if question is None:
        raise NotNow("You are not asked anything now.")
    if question.forced:
        return f"There is only one answer: {named(question, question.answers[0].record)}."
    solution = perfect.solution_of(make_game(view.game, view.options), view.first)
    if solution is None:
        return "This variant is too large to be solved, so there is no hint."
    chances = {named(question, form): often for form, often in perfect.chances(view).items()}
    if question.asks == SECRET:
        return f"Perfect play chooses {_how_often(chances)}."
    worth = max(solution.policy.look(view).values.values())
    verb = "can force" if solution.forced else "expects"
    return f"Perfect play answers {_how_often(chances)}; it {verb} {worth:+.2f}."


def _how_often(chances: dict[str, float]) -> str:
    """The likeliest choices in words: one, a few equally likely ones, or the first of many."""
    most = max(chances.values())
    favourites = [name for name, chance in chances.items() if chance > most - 0.005]
    if most > 0.995:
        return favourites[0]
    if len(favourites) == 1:
        return f"{favourites[0]} most often, {most:.0%} of the time"
    more = " or others" if len(favourites) > MOST_NAMED else ""
    return f"{' or '.join(favourites[:MOST_NAMED])}{more}, equally often"
