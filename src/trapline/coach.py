"""The coach: what each choice of a finished match cost, against the solution of the game.

Every choice is judged from what its player could know when it was made, never from what the
other was hiding; so a bad choice that turned out well is called lucky, not good.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import NO_TRAP, SEATS, Board, NotNow, Outcome, Seat, View
from trapline.games import make_game
from trapline.match import Match
from trapline.notation import format_secret, format_turn, turn_from_json
from trapline.players import perfect
from trapline.solve import solved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Move
    from trapline.record import Record
    from trapline.solve import Policy, Solution

FINE, MISTAKE, BLUNDER = 0.01, 0.05, 0.25
"""A choice that costs more than this, on the scale from −1, lost, to 1, won, is called so."""
TOP_BELIEFS = 5


class Word(StrEnum):
    BEST = "best"
    FINE = "fine"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    LUCKY = "lucky"


class Belief(msgspec.Struct, frozen=True):
    secret: str
    chance: float


class Judgement(msgspec.Struct, frozen=True):
    """One choice: a secret, a move, or the answer to a trap question."""

    turn: int
    by: Seat
    asks: str
    chosen: str
    best: str
    before: float
    """What the player could expect, choosing best."""
    after: float
    """What the player could expect of what they chose."""
    lost: float
    word: Word
    beliefs: tuple[tuple[Belief, ...], tuple[Belief, ...]]
    """What each player could believe about the other's secret when last asked for a move."""
    board: Board
    """The board after the choice, as everybody sees it in the end."""


class Analysis(msgspec.Struct, frozen=True):
    game: str
    options: dict[str, Any]
    players: dict[str, str]
    outcome: Outcome
    exact: bool
    bounds: tuple[float, float]
    forced: bool
    """Values are results that can be forced, against any secret; otherwise expectations."""
    judgements: list[Judgement]

    def lost_by(self, seat: Seat) -> float:
        return sum(judged.lost for judged in self.judgements if judged.by == seat)


class Choice(msgspec.Struct, frozen=True):
    """A choice of the match with what its player knew, before it is judged."""

    view: View
    chosen: Any
    board: Board


def analyse(record: Record, solution: Solution | None = None) -> Analysis:
    """Judge every choice of a finished match; RecordError where the record breaks the rules."""
    finished = Match.restore(record)
    if finished.outcome is None:
        raise NotNow("The coach speaks when the match is over; until then there are secrets.")
    game = finished.game
    solution = solution or solved(game)
    names = {str(seat): finished.players[seat].name for seat in SEATS}
    return Analysis(
        game.name,
        dict(record.options),
        names,
        finished.outcome,
        solution.exact,
        solution.bounds,
        solution.forced,
        list(_judge_all(finished, solution.policy, list(_choices(record, finished)))),
    )


class Loss(NamedTuple):
    """What one choice cost, against the best there was."""

    by: Seat
    lost: float


def losses(record: Record, solution: Solution) -> list[Loss]:
    """What each choice of a finished match cost, without the rest of an analysis."""
    found = []
    for view, chosen, _ in _decisions(record, Match.restore(record)):
        before, after, _ = _weigh(solution.policy, view, chosen)
        assert view.seat is not None  # choices are made by players
        found.append(Loss(view.seat, max(0.0, before - after)))
    return found


def hint(view: View) -> str:
    """A sentence for a player who asks what to do."""
    assert view.seat is not None  # only players are asked
    game = make_game(view.game, view.options)
    solution = perfect.solution_of(game)
    if solution is None:
        return "This variant is too large to be solved, so there is no hint."
    chances = perfect.chances(view)
    if view.asks == "secret":
        named = {format_secret(game, secret): chance for secret, chance in chances.items()}
        return f"Perfect play chooses {_how_often(named)}."
    moves = {_say(move): chance for move, chance in chances.items()}
    worth = max(solution.policy.look(view).values.values())
    verb = "can force" if solution.forced else "expects"
    return f"Perfect play answers {_how_often(moves)}; it {verb} {worth:+.2f}."


def _how_often(chances: dict[str, float]) -> str:
    """The likeliest choices in words: one, a few equally likely ones, or the first of many."""
    most = max(chances.values())
    favourites = [name for name, chance in chances.items() if chance > most - 0.005]
    if most > 0.995:
        return favourites[0]
    if len(favourites) == 1:
        return f"{favourites[0]} most often, {most:.0%} of the time"
    shown = favourites[:4]
    more = " or others" if len(favourites) > len(shown) else ""
    return f"{' or '.join(shown)}{more}, equally often"


# --- going through the match ------------------------------------------------------------


def _choices(record: Record, finished: Match) -> Iterator[Choice]:
    """Every choice of a match with the open board that it led to."""
    for view, chosen, match in _decisions(record, finished):
        yield Choice(view, chosen, _open_board(match))


def _decisions(record: Record, finished: Match) -> Iterator[tuple[View, Any, Match]]:
    """Every choice in order: the View it was made from, the choice, the match after it."""
    game = finished.game
    match = Match(game, record.first)
    if game.secret is not None:
        revealed = finished.view(None).secrets
        for seat in SEATS:
            secret = revealed[seat - 1] if revealed is not None else None
            if secret is None:
                return  # it ended before both had chosen
            view = match.view(seat)
            match.choose_secret(seat, secret)
            yield view, secret, match
    for value in record.moves:
        mover = match.to_move
        assert mover is not None  # the record was replayed before
        for move in turn_from_json(game, value):
            view = match.view(mover)
            match.play(mover, move)
            yield view, move, match
        if match.view(mover).asks == "trap":
            view = match.view(mover)
            match.play(mover, NO_TRAP)
            yield view, NO_TRAP, match


def _open_board(match: Match) -> Board:
    """The board with everything on it: the match is over when the coach looks at it."""
    twin = Match.restore(match.sealed_record())
    if twin.outcome is None:
        twin.resign(1)
    return twin.view(None).board


def _judge_all(finished: Match, policy: Policy, choices: list[Choice]) -> Iterator[Judgement]:
    game = finished.game
    outcome = finished.outcome
    assert outcome is not None  # the coach looks at finished matches
    beliefs: dict[Seat, tuple[Belief, ...]] = {1: (), 2: ()}
    values = [_weigh(policy, choice.view, choice.chosen) for choice in choices]
    for index, (choice, (before, after, best)) in enumerate(zip(choices, values, strict=True)):
        seat = choice.view.seat
        assert seat is not None  # choices are made by players
        if choice.view.asks != "secret":
            beliefs[seat] = _believes(game, policy, choice.view)
        lost = max(0.0, before - after)
        following = _next_expectation(choices, values, index)
        if following is None:
            following = 0.0 if outcome.winner is None else 1.0 if outcome.winner == seat else -1.0
        yield Judgement(
            choice.view.turn + 1 if choice.view.asks != "secret" else 0,
            seat,
            str(choice.view.asks),
            _say_choice(game, choice.view, choice.chosen),
            _say_choice(game, choice.view, best),
            round(before, 6),
            round(after, 6),
            round(lost, 6),
            _word(lost, after, following),
            (beliefs[1], beliefs[2]),
            choice.board,
        )


def _weigh(policy: Policy, view: View, chosen: Any) -> tuple[float, float, Any]:
    """What the best choice promised, what the one that was made did, and the best one."""
    assert view.seat is not None
    if view.asks == "secret":
        values: dict[Any, float] = dict(policy.secret_values(view.seat, view.first))
    else:
        values = dict(policy.look(view).values)
    best = max(values, key=lambda option: values[option])
    if values[chosen] >= values[best] - 1e-9:
        best = chosen
    return values[best], values[chosen], best


def _next_expectation(
    choices: list[Choice], values: list[tuple[float, float, Any]], index: int
) -> float | None:
    """What the same player could expect when asked the next time; None if the match ended."""
    seat = choices[index].view.seat
    for later in range(index + 1, len(choices)):
        if choices[later].view.seat == seat:
            return values[later][0]
    return None


def _word(lost: float, after: float, following: float) -> Word:
    if lost <= FINE:
        return Word.BEST
    if lost <= MISTAKE:
        return Word.FINE
    if following >= after + lost - FINE:
        return Word.LUCKY  # it cost nothing after all
    return Word.MISTAKE if lost <= BLUNDER else Word.BLUNDER


def _believes(game: Game[Any, Any], policy: Policy, view: View) -> tuple[Belief, ...]:
    held = policy.look(view).beliefs
    likeliest = sorted(held.items(), key=lambda item: (-item[1], item[0]))[:TOP_BELIEFS]
    return tuple(
        Belief(format_secret(game, secret), round(float(chance), 4))
        for secret, chance in likeliest
        if chance >= 5e-5
    )


def _say_choice(game: Game[Any, Any], view: View, chosen: Any) -> str:
    return format_secret(game, chosen) if view.asks == "secret" else _say(chosen)


def _say(move: Move) -> str:
    if isinstance(move, str):
        return "no trap" if move == NO_TRAP else "a trap"
    return format_turn((move,))
