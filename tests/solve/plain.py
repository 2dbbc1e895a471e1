"""A plain recursive best response over the real Match: shares only the game with the solver.

It plays every line through the referee. The opponent's strategy is a function from a View to
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
    from trapline.record import Record

    Strategy = Callable[[View], dict[Any, float]]
    World = tuple[float, Record]


def result(match: Match, seat: Seat) -> float:
    assert match.outcome is not None
    winner = match.outcome.winner
    return 0.0 if winner is None else 1.0 if winner == seat else -1.0


def best_response(
    game: Game[Any, Any], seat: Seat, strategy: Strategy, secrets: dict[Any, float]
) -> float:
    """The most `seat` can get when the other plays `strategy` and hides by `secrets`."""
    mine: list[Any] = list(game.secrets(seat)) or [None]
    return max(_for_secret(game, seat, strategy, secrets, secret) for secret in mine)


def _for_secret(
    game: Game[Any, Any], seat: Seat, strategy: Strategy, secrets: dict[Any, float], mine: Any
) -> float:
    worlds: list[World] = []
    for theirs, chance in (secrets or {None: 1.0}).items():
        match = Match(game, 1)
        if mine is not None:
            match.choose_secret(seat, mine)
            match.choose_secret(other(seat), theirs)
        if chance > 0:
            worlds.append((chance, match.sealed_record()))
    return _best(worlds, seat, strategy)


def _best(worlds: list[World], seat: Seat, strategy: Strategy) -> float:
    """The best total over all worlds, weighted; alike worlds are answered alike."""
    total = 0.0
    alike: dict[Any, list[tuple[float, Match]]] = {}
    for chance, record in worlds:
        match = Match.restore(record)
        if match.outcome is not None:
            total += chance * result(match, seat)
        else:
            view = match.view(seat)
            key = (view.asks, view.events, view.board, view.to_move)
            alike.setdefault(repr(key), []).append((chance, match))
    for group in alike.values():
        view = group[0][1].view(seat)
        if view.asks:
            options = ([(c, _after(m, seat, move)) for c, m in group] for move in view.legal)
            total += max(_best(option, seat, strategy) for option in options)
        else:
            total += _best(_answers(group, other(seat), strategy), seat, strategy)
    return total


def _answers(group: list[tuple[float, Match]], seat: Seat, strategy: Strategy) -> list[World]:
    """Every whole turn the strategy may make in each of the worlds."""
    done: list[World] = []
    for chance, match in group:
        open_turns = [(chance, match)]
        while open_turns:
            weight, now = open_turns.pop()
            for move, share in strategy(now.view(seat)).items():
                if share > 0:
                    after = Match.restore(_after(now, seat, move))
                    part = (weight * share, after)
                    if after.to_move == seat and after.outcome is None:
                        open_turns.append(part)
                    else:
                        done.append((part[0], after.sealed_record()))
    return done


def _after(match: Match, seat: Seat, move: Any) -> Record:
    copy = Match.restore(match.sealed_record())
    copy.play(seat, move)
    return copy.sealed_record()
