"""Rules played without a referee, answers in a record's form: for tests of a game's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, SECRET, IllegalMove, Seat, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Form, Game

Secrets = dict[Seat, Any]


def start(game: Game[Any], first: Seat, secrets: Secrets) -> Any:
    """The state in which the first turn begins."""
    state = game.start(first)
    for seat in SEATS:
        if asks_secret(game, state, seat):
            state = answer(game, state, secrets[seat], seat)
    return state


def play(game: Game[Any], first: Seat, secrets: Secrets, *answers: Any) -> Any:
    state = start(game, first, secrets)
    for given in answers:
        state = answer(game, state, given)
    return state


def answer(game: Game[Any], state: Any, form: Any, seat: Seat | None = None) -> Any:
    """The state after an answer; IllegalMove, with the game's sentence, for a wrong one."""
    who: Seat = seat or state.mover
    form = tuple(form) if isinstance(form, list) else form
    question = game.question(state, who) if state.outcome is None else None
    if question is None:
        raise IllegalMove(refusal(game, state, who, form, ""))
    try:
        value = question.value(form)
    except IllegalMove as error:
        raise type(error)(refusal(game, state, who, form, str(error))) from None
    return game.apply(state, who, value)


def legal(game: Game[Any], state: Any) -> tuple[Form, ...]:
    """What the mover may answer."""
    if state.outcome is not None:
        return ()
    question = game.question(state, state.mover)
    assert question is not None
    return question.legal


def asks_secret(game: Game[Any], state: Any, seat: Seat) -> bool:
    question = game.question(state, seat)
    return question is not None and question.asks == SECRET


def hides_secrets(game: Game[Any]) -> bool:
    return asks_secret(game, game.start(1), 1)


def every_secret(game: Game[Any], seat: Seat) -> Iterator[Any]:
    """Every secret that a seat may choose, in order; none where there are none."""
    question = game.question(game.start(1), seat)
    if question is not None and question.asks == SECRET:
        yield from (question.record(value) for value in question.values())


def random_secrets(game: Game[Any], rng: Random) -> Secrets:
    chosen: Secrets = {}
    for seat in SEATS:
        question = game.question(game.start(1), seat)
        if question is not None and question.asks == SECRET:
            chosen[seat] = question.record(question.random(rng))
    return chosen


def chosen(game: Game[Any], seat: Seat, form: Any) -> Form:
    """A secret as the game takes it, or SecretError with its sentence."""
    state = game.start(1)
    answer(game, state, form, seat)
    question = game.question(state, seat)
    assert question is not None
    return question.record(question.value(form))
