"""A plain recursive best response over the real Match: shares only the game with the solver.

It plays every line before the referee. The opponent's strategy is a function from a View to
chances; the responder's information is the responder's View, so worlds that look alike get
one and the same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import SECRET, Form, Seat, other
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Game, Question, View

    Strategy = Callable[[View], dict[Form, float]]
    World = tuple[float, Match]


def remembering(strategy: Strategy) -> Strategy:
    """Asked twice about one and the same View, it answers from memory."""
    known: dict[bytes, dict[Form, float]] = {}

    def asked(view: View) -> dict[Form, float]:
        key = msgspec.json.encode(view)
        if key not in known:
            known[key] = strategy(view)
        return known[key]

    return asked


def answers(question: Question | None) -> list[Form]:
    """Every allowed answer, as a record has it."""
    assert question is not None
    return [question.record(value) for value in question.values()]


def secrets(game: Game[Any], seat: Seat, first: Seat = 1) -> list[Any]:
    """What a seat may hide before the first turn; nothing where it is not asked to."""
    question = game.question(game.start(first), seat)
    return answers(question) if question is not None and question.asks == SECRET else []


def best_response(game: Game[Any], seat: Seat, strategy: Strategy, *, first: Seat = 1) -> float:
    """The most `seat` can get when the other hides and moves by `strategy`."""
    return max(by_secret(game, seat, strategy, first=first).values())


def by_secret(
    game: Game[Any], seat: Seat, strategy: Strategy, *, first: Seat = 1
) -> dict[Any, float]:
    """The same for each secret that `seat` may choose; None where there are no secrets."""
    if not secrets(game, seat, first):
        return {None: _best([(1.0, Match(game, first))], seat, strategy)}
    return {
        mine: _best(_worlds(game, seat, strategy, mine, first), seat, strategy)
        for mine in secrets(game, seat, first)
    }


def openings(game: Game[Any], seat: Seat, strategy: Strategy, secret: Any) -> dict[Any, float]:
    """What each first move of `seat`, who moves first and has chosen a secret, can get."""
    worlds = _worlds(game, seat, strategy, secret, seat)
    return {
        move: _best(
            [(chance, _after(match, seat, move)) for chance, match in worlds], seat, strategy
        )
        for move in worlds[0][1].view(seat).legal
    }


def _worlds(game: Game[Any], seat: Seat, strategy: Strategy, mine: Any, first: Seat) -> list[World]:
    """The match with each secret that the other may have chosen."""
    match = Match(game, first)
    match.play(seat, mine)
    return _answers([(1.0, match)], other(seat), strategy)


def _best(worlds: list[World], seat: Seat, strategy: Strategy) -> float:
    """The best total over all worlds, weighted; alike worlds are answered alike."""
    total = 0.0
    alike: dict[Any, list[World]] = {}
    for chance, match in worlds:
        if match.outcome is not None:
            total += chance * match.outcome.result(seat)
        else:
            view = match.view(seat)
            alike.setdefault((view.question, view.events, view.board, view.to_move), []).append(
                (chance, match)
            )
    for (question, *_), group in alike.items():
        if question is not None:
            options = (
                [(chance, _after(match, seat, move)) for chance, match in group]
                for move in answers(question)
            )
            total += max(_best(option, seat, strategy) for option in options)
        else:
            total += _best(_answers(group, other(seat), strategy), seat, strategy)
    return total


def _answers(group: list[World], seat: Seat, strategy: Strategy) -> list[World]:
    """Every whole turn the strategy may make in each of the worlds."""
    done: list[World] = []
    open_turns = list(group)
    while open_turns:
        weight, now = open_turns.pop()
        for move, share in strategy(now.view(seat)).items():
            if share > 0:
                after = _after(now, seat, move)
                finished = (
                    after.question(seat) is None or after.view(seat).turn > now.view(seat).turn
                )
                (done if finished else open_turns).append((weight * share, after))
    return done


def _after(match: Match, seat: Seat, move: Any) -> Match:
    copy = match.fork()
    copy.play(seat, move)
    return copy
