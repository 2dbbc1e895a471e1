"""The `sharp` opponent: tries every answer in sampled worlds, and takes what went best.

A world is a full state that the player could be in: the hidden part is sampled from all that
fits what it has seen. In each world every answer is played out by brisk, careless players who
know no more than their seats do. The same worlds serve every answer, so that luck cancels out
(Tesauro and Galperin, On-line Policy Improvement using Monte-Carlo Search, 1996). No solution
is needed, so it plays any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import CHANCE, SECRET, other
from trapline.games import make_game
from trapline.players.worlds import sample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from trapline.core import Actor, Form, Game, Question, Seat, View

WORLDS = 60
"""Worlds in which each answer is tried."""
SETS = 80
"""Sets that are considered where a whole set is asked for."""
BUDGET = 2_500
"""Answers that all play-outs of one choice may take together, which bounds the time."""
HALVING = 8
"""Every so many worlds, the worse half of many answers is given up."""
FEW = 8
"""So many answers are all tried to the end."""
SECRETS = 3
"""So many good secrets are left to chance: whoever always chose the best could be read."""
DELAY = 0.999
"""What a result is worth one answer later: a win that lies before it is taken."""


def choose(view: View, rng: Random) -> Form:
    assert view.question is not None  # only who is asked chooses
    return best_of(view, candidates(view.question, rng, SETS), rng)


def candidates(question: Question, rng: Random, sets: int) -> Sequence[Form]:
    """The answers to consider: all of them, or some of the sets where a set is asked for."""
    if not question.choose:
        return question.legal
    return list({question.record(question.random(rng)): None for _ in range(sets)})


def best_of(view: View, answers: Sequence[Form], rng: Random, *, worlds: int = WORLDS) -> Form:
    """The one of these answers that went best in sampled worlds."""
    question = view.question
    assert view.seat is not None
    assert question is not None
    if len(answers) == 1:
        return answers[0]
    game, me = make_game(view.game, view.options), view.seat
    totals = {question.value(answer): 0.0 for answer in answers}
    secret = question.asks == SECRET
    few = SECRETS if secret else FEW
    spent = 0
    for number in range(1, worlds + 1):
        state = sample(view, rng)
        if state is None:
            break
        seed = rng.random()
        for value in totals:
            result, taken = play_on(game, game.apply(state, me, value), me, type(rng)(seed))
            totals[value] += result
            spent += taken
        if spent > BUDGET:
            break
        if number % HALVING == 0 and len(totals) > few:
            totals = _best(totals, max(few, len(totals) // 2))
    best = max(totals.values())
    good = _best(totals, few) if secret else [v for v in totals if totals[v] == best]
    return question.record(rng.choice(list(good)))


def _best(totals: dict[int, float], count: int) -> dict[int, float]:
    ranked = sorted(totals, key=lambda value: totals[value], reverse=True)
    return {value: totals[value] for value in ranked[:count]}


def play_on(game: Game[Any], state: Any, me: Seat, dice: Random) -> tuple[float, int]:
    """The result for `me` when both play on briskly, and how many answers that took."""
    for taken in range(game.horizon):
        if state.outcome is not None:
            return state.outcome.result(me) * DELAY**taken, taken
        seat, question = _asked(game, state)
        if seat == CHANCE:
            state = game.dealt(state, question.random(dice))
        else:
            state = game.apply(state, seat, game.brisk(state, seat, question, dice))
    return 0.0, game.horizon


def _asked(game: Game[Any], state: Any) -> tuple[Actor, Question]:
    """Who answers next: in a match that is tried out, one after the other."""
    drawn = game.chance(state) if game.draws else None
    if drawn is not None:
        return CHANCE, drawn
    seat: Seat = state.mover or 1
    question = game.question(state, seat)
    if question is None:
        seat = other(seat)
        question = game.question(state, seat)
    assert question is not None  # a match goes on until its end
    return seat, question
