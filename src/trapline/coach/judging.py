"""What each choice of a finished match cost, against the solution of the game."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.coach.choices import choices, named
from trapline.core import BY_SEAT, SEATS, SECRET, Board, NotNow, Outcome, Seat, other
from trapline.core.faults import held
from trapline.referee import Walk
from trapline.solve import solved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.coach.choices import Choice
    from trapline.core import Form, Game, Question, State
    from trapline.referee import Record
    from trapline.solve import Outlook, Solution

FINE, MISTAKE, BLUNDER = 0.01, 0.05, 0.25
"""A choice that costs more than this is called so; a match is won by 1, or by more."""
MEANT = 0.01
"""An answer that the solution gives at least so often is part of it, and costs nothing. Where the
other has left the solution, what an answer is worth there is not proven, but guessed."""
TOP_BELIEFS = 5
ROUNDING = 1e-9


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
    """One choice: the answer to a question that had several."""

    turn: int
    """0 before the first turn."""
    by: Seat
    asks: str
    chosen: str
    best: str
    before: float
    """What the player could expect, choosing best."""
    after: float
    """What the player could expect of what they chose."""
    lost: float
    """The difference; nothing where it is within what the solution leaves open."""
    word: Word
    beliefs: tuple[tuple[Belief, ...], tuple[Belief, ...]]
    """What each player could believe about the other's secret at their last choice."""
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


class Loss(NamedTuple):
    """What one choice cost, against the best there was."""

    by: Seat
    lost: float


def analyse(record: Record, solution: Solution | None = None) -> Analysis:
    """Judge every choice of a finished match; RecordError where the record breaks the rules."""
    walk = Walk(record)
    made = list(choices(walk))
    outcome = walk.outcome
    if outcome is None:
        raise NotNow("The coach speaks when the match is over; until then there are secrets.")
    solution = solution or solved(walk.game, first=record.first)
    players = {str(seat): name for seat, name in BY_SEAT.items()}
    players |= {seat: player.name for seat, player in record.players.items()}
    return Analysis(
        walk.game.name,
        dict(record.options),
        players,
        outcome,
        solution.exact,
        solution.bounds,
        solution.forced,
        list(_judge_all(walk.game, outcome, solution, made)),
    )


def losses(record: Record, solution: Solution) -> list[Loss]:
    """What each choice of a finished match cost, without the rest of an analysis."""
    weighed = (_weigh(solution, choice) for choice in choices(Walk(record)))
    return [Loss(by=weight.by, lost=weight.lost) for weight in weighed]


class Weight(NamedTuple):
    """A choice against the solution."""

    by: Seat
    best: Form
    before: float
    after: float
    lost: float
    outlook: Outlook


def _weigh(solution: Solution, choice: Choice) -> Weight:
    """What the best choice promised, and what the one that was made did."""
    outlook = solution.policy.look(choice.view)
    values, chosen = outlook.values, choice.step.answer
    best = max(values, key=lambda answer: values[answer])
    meant = outlook.chances[chosen] >= MEANT
    if meant or values[chosen] >= values[best] - ROUNDING:
        best = chosen
    lower, upper = solution.bounds
    lost = values[best] - values[chosen]
    within = lost <= max(ROUNDING, upper - lower)
    seat: Seat = 2 if choice.step.seat == 2 else 1
    return Weight(seat, best, values[best], values[chosen], 0.0 if within else lost, outlook)


def _judge_all(
    game: Game[Any], outcome: Outcome, solution: Solution, made: list[Choice]
) -> Iterator[Judgement]:
    secrets = {c.step.seat: c.step.question for c in made if c.step.question.asks == SECRET}
    weighed = [_weigh(solution, choice) for choice in made]
    beliefs: dict[Seat, tuple[Belief, ...]] = dict.fromkeys(SEATS, ())
    for index, (choice, weight) in enumerate(zip(made, weighed, strict=True)):
        step, seat = choice.step, weight.by
        beliefs[seat] = tuple(_believes(secrets.get(other(seat)), weight.outlook))
        yield Judgement(
            step.turn + 1,
            seat,
            step.question.asks,
            named(step.question, step.answer),
            named(step.question, weight.best),
            round(weight.before, 6),
            round(weight.after, 6),
            round(weight.lost, 6),
            _word(weight, _next_expectation(weighed, index, outcome)),
            (beliefs[1], beliefs[2]),
            _open_board(game, step.after),
        )


def _open_board(game: Game[Any], state: State) -> Board:
    with held(type(game)):
        return game.board(state, None, True)


def _next_expectation(weighed: list[Weight], index: int, outcome: Outcome) -> float:
    """What the same player could expect when asked the next time, or what the match gave."""
    by = weighed[index].by
    later = (weight.before for weight in weighed[index + 1 :] if weight.by == by)
    return next(later, outcome.result(by))


def _word(weight: Weight, following: float) -> Word:
    if weight.lost <= FINE:
        return Word.BEST
    if weight.lost <= MISTAKE:
        return Word.FINE
    if following >= weight.before - FINE:
        return Word.LUCKY  # it cost nothing after all
    return Word.MISTAKE if weight.lost <= BLUNDER else Word.BLUNDER


def _believes(secret: Question | None, outlook: Outlook) -> Iterator[Belief]:
    """The likeliest secrets of the other, who was asked for one by `secret`."""
    if secret is None:
        return
    told = [(secret.text(secret.value(form)), often) for form, often in outlook.beliefs.items()]
    for text, chance in sorted(told, key=lambda pair: (-pair[1], pair[0]))[:TOP_BELIEFS]:
        if chance >= 5e-5:
            yield Belief(text, round(float(chance), 4))
