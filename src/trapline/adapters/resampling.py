"""Another match that a seat cannot tell from the true one: what is hidden is drawn anew."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from trapline.adapters.numbered import NumberedMatch
from trapline.core import CHANCE, Unavailable, other
from trapline.players.worlds import history

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Actor, Seat

TRIES = 200
"""Searches for a world, each in another order, before it is given up."""


def resampled(match: NumberedMatch, seat: Seat, rng: Random) -> list[int]:
    """The actions, chance's too, of a match in which the seat has heard and done the same."""
    told = match.information_state(seat)
    view = match.view(seat)
    if view.question is None and view.ready[seat - 1] and not view.ready[other(seat) - 1]:
        view = _before_last_answer(match, seat).view(seat)
    for _ in range(TRIES):
        answers = history(match.encoding.game, view, rng)
        if answers is None:
            continue
        twin, actions = _played(match, seat, answers, rng)
        if twin.information_state(seat) == told:
            return actions
    raise Unavailable("No world that fits what the player has seen was found.")


def _before_last_answer(match: NumberedMatch, seat: Seat) -> NumberedMatch:
    """The match when the seat was asked what the other is still asked: nothing was told since."""
    earlier = NumberedMatch(match.encoding, match.first, deals=False)
    answers = match.given
    last = max(number for number, given in enumerate(answers) if given.actor == seat)
    for given in answers[:last]:
        for action in given.actions or (given.value,):
            earlier.act(action)
    return earlier


def _played(
    match: NumberedMatch, seat: Seat, answers: list[tuple[Actor, int]], rng: Random
) -> tuple[NumberedMatch, list[int]]:
    """As many answers as were given in truth: the seat's own, and the others' of another world."""
    left: dict[Actor, list[int]] = defaultdict(list)
    for actor, value in answers:
        left[actor].append(value)
    left[seat] = [given.value for given in match.given if given.actor == seat]
    twin = NumberedMatch(match.encoding, match.first, deals=False)
    actions: list[int] = []
    for _ in match.given:
        who, question = twin.actor, twin.question
        if who is None or question is None:
            break  # that world has come to an end, so it is not the one
        # What somebody has hidden just now, the seat has not heard of: it may be anything.
        value = left[who].pop(0) if left[who] else question.random(rng)
        taken = [value] if who == CHANCE else match.encoding.actions_of(question, value)
        for action in taken:
            twin.act(action)
        actions += taken
    for own in match.begun:
        action = own if match.actor == seat else rng.choice(twin.legal(twin.actor or CHANCE))
        twin.act(action)
        actions.append(action)
    return twin, actions
