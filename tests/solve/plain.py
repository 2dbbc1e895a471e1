"""A plain recursive best response over the real Match: shares only the game with the solver.

It plays every line before the referee. The opponent's strategy is a function from a View to
chances; the responder's information is the responder's View, so worlds that look alike get
one and the same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import Seat, other
from trapline.match import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Game, View

    Strategy = Callable[[View], dict[Any, float]]
    World = tuple[float, Match]


def result(match: Match, seat: Seat) -> float:
    assert match.outcome is not None
    winner = match.outcome.winner
    return 0.0 if winner is None else 1.0 if winner == seat else -1.0


def best_response(
    game: Game[Any, Any], seat: Seat, strategy: Strategy, *, first: Seat = 1
) -> float:
    """The most `seat` can get when the other hides and moves by `strategy`."""
    return max(by_secret(game, seat, strategy, first=first).values())


def by_secret(
    game: Game[Any, Any], seat: Seat, strategy: Strategy, *, first: Seat = 1
) -> dict[Any, float]:
    """The same for each secret that `seat` may choose; None where there are no secrets."""
    if game.secret is None:
        return {None: _best([(1.0, Match(game, first))], seat, strategy)}
    return {
        mine: _best(_worlds(game, seat, strategy, mine, first), seat, strategy)
        for mine in game.secrets(seat)
    }


def openings(game: Game[Any, Any], seat: Seat, strategy: Strategy, secret: Any) -> dict[Any, float]:
    """What each first move of `seat`, who moves first and has chosen a secret, can get."""
    worlds = _worlds(game, seat, strategy, secret, seat)
    return {
        move: _best(
            [(chance, _after(match, seat, move)) for chance, match in worlds], seat, strategy
        )
        for move in worlds[0][1].view(seat).legal
    }


def _worlds(
    game: Game[Any, Any], seat: Seat, strategy: Strategy, mine: Any, first: Seat
) -> list[World]:
    """The match with each secret that the other may have chosen."""
    match = Match(game, first)
    match.choose_secret(seat, mine)
    worlds = []
    for theirs, chance in strategy(match.view(other(seat))).items():
        if chance > 0:
            world = match.fork()
            world.choose_secret(other(seat), theirs)
            worlds.append((chance, world))
    return worlds


def _best(worlds: list[World], seat: Seat, strategy: Strategy) -> float:
    """The best total over all worlds, weighted; alike worlds are answered alike."""
    total = 0.0
    alike: dict[Any, list[World]] = {}
    for chance, match in worlds:
        if match.outcome is not None:
            total += chance * result(match, seat)
        else:
            view = match.view(seat)
            alike.setdefault((view.asks, view.events, view.board, view.to_move), []).append(
                (chance, match)
            )
    for (asks, *_), group in alike.items():
        if asks:
            options = (
                [(chance, _after(match, seat, move)) for chance, match in group]
                for move in group[0][1].view(seat).legal
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
                finished = after.to_move != seat or after.outcome is not None
                (done if finished else open_turns).append((weight * share, after))
    return done


def _after(match: Match, seat: Seat, move: Any) -> Match:
    copy = match.fork()
    copy.play(seat, move)
    return copy
