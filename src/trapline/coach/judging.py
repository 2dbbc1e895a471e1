"""What each choice of a finished match cost, against the solution of the game and among people."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.coach import sentences
from trapline.coach.choices import choices, named
from trapline.coach.luck import MISTAKE, Account, accounts, ended_early, last_chance
from trapline.coach.reasons import Reason, Situation, reasons
from trapline.coach.suspicions import suspects
from trapline.coach.weighing import AS_GOOD, Settled, Weighed, weigh
from trapline.core import BY_SEAT, SEATS, SECRET, Board, NotNow, Outcome, Seat, Suspicion, other
from trapline.core.faults import held
from trapline.referee import Walk
from trapline.solve import solved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.coach.choices import Choice
    from trapline.core import Form, Game, Question, State
    from trapline.referee import Record
    from trapline.solve import Outlook, Solution

BLUNDER = 0.125
"""A choice that costs a larger share of the match than this is called so; so with MISTAKE."""
AFTER_ALL = 0.01
"""A slip is lucky if the player can force as much again, but for this."""
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
    """One choice: the answer to a question that had several."""

    turn: int
    """0 before the first turn."""
    by: Seat
    asks: str
    chosen: str
    best: str
    before: float
    """What the player could force, choosing best, from −1, a loss, to 1, a win."""
    after: float
    """What the player could force with what they chose."""
    lost: float
    """The difference; nothing where it is within what the solution leaves open."""
    expected_before: float
    """The chance of winning that the player could expect, choosing best; a draw counts half."""
    expected_after: float
    """The same with what they chose."""
    settled: Settled
    """What best play made of the position."""
    word: Word
    sentence: str
    reasons: tuple[Reason, ...]
    beliefs: tuple[tuple[Belief, ...], tuple[Belief, ...]]
    """What each player could believe about the other's secret at their last choice."""
    board: Board
    """The board after the choice, as everybody sees it in the end."""
    suspected: tuple[Suspicion, ...] = ()
    """What the one who chose could believe of each place, from what was chosen in secret."""


class Analysis(msgspec.Struct, frozen=True):
    game: str
    options: dict[str, Any]
    players: dict[str, str]
    outcome: Outcome
    exact: bool
    bounds: tuple[float, float]
    forced: bool
    """What can be forced holds against any secret; otherwise it is an expectation."""
    sentence: str
    """With what chances players ended the match, if they did; what best play makes of the game."""
    judgements: list[Judgement]
    accounts: dict[str, Account]
    """For each seat, how luck and skill made the result."""

    def lost_by(self, seat: Seat) -> float:
        """What a player's choices gave away of what they could expect."""
        own = (judged for judged in self.judgements if judged.by == seat)
        return sum(judged.expected_before - judged.expected_after for judged in own)


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
    if not record.all_opened:
        raise NotNow("The coach cannot judge this match: not all that was hidden was opened.")
    solution = solution or solved(walk.game, first=record.first)
    players = {str(seat): name for seat, name in BY_SEAT.items()}
    players |= {seat: player.name for seat, player in record.players.items()}
    since = "since the toss" if record.tossed else "from the start"
    judgements = list(_judge_all(walk.game, outcome, solution, made, since))
    return Analysis(
        walk.game.name,
        dict(record.options),
        players,
        outcome,
        solution.exact,
        solution.bounds,
        solution.forced,
        " ".join([*_end(judgements, outcome), solution.facts.sentence]),
        judgements,
        accounts(judgements, outcome, walk.game, tossed=record.tossed),
    )


def _end(judgements: list[Judgement], outcome: Outcome) -> Iterator[str]:
    if judgements and ended_early(outcome):
        chances = {seat: last_chance(judgements, seat) for seat in SEATS}
        yield sentences.ended(outcome, chances)


def losses(record: Record, solution: Solution) -> list[Loss]:
    """What each choice of a finished match cost, without the rest of an analysis."""
    weighed = (_weigh(solution, choice) for choice in choices(Walk(record)))
    return [Loss(by=weight.by, lost=weight.lost) for weight in weighed]


class Weight(NamedTuple):
    """A choice against the solution."""

    by: Seat
    chosen: Form
    lost: float
    weighed: Weighed

    @property
    def best(self) -> Form:
        """The choice itself where it is as good."""
        return self.chosen if self.weighed.as_good(self.chosen) else self.weighed.best

    @property
    def before(self) -> float:
        return self.weighed.outlook.values[self.weighed.best] if self.lost else self.after

    @property
    def after(self) -> float:
        return self.weighed.outlook.values[self.chosen]


def _weigh(solution: Solution, choice: Choice) -> Weight:
    """What the best choice promised, and what the one that was made did."""
    weighed = weigh(solution, choice.view)
    chosen = choice.step.answer
    seat: Seat = 2 if choice.step.seat == 2 else 1
    return Weight(seat, chosen, weighed.lost(chosen), weighed)


def _judge_all(
    game: Game[Any], outcome: Outcome, solution: Solution, made: list[Choice], since: str
) -> Iterator[Judgement]:
    secrets = {c.step.seat: c.step for c in made if c.step.question.asks == SECRET}
    weighed = [_weigh(solution, choice) for choice in made]
    beliefs: dict[Seat, tuple[Belief, ...]] = dict.fromkeys(SEATS, ())
    stood = _stood(weighed)
    for index, (choice, weight) in enumerate(zip(made, weighed, strict=True)):
        step, seat, at = choice.step, weight.by, weight.weighed
        theirs, mine = secrets.get(other(seat)), secrets.get(seat)
        beliefs[seat] = tuple(_believes(theirs.question if theirs else None, at.outlook))
        own = mine.question.value(mine.answer) if mine else 0
        situation = Situation(game, step.before, seat, step.question, own)
        best = named(step.question, at.best)
        when = since if stood[index] else "already"
        yield Judgement(
            turn=step.turn + 1,
            by=seat,
            asks=step.question.asks,
            chosen=named(step.question, step.answer),
            best=named(step.question, weight.best),
            before=round(weight.before, 6),
            after=round(weight.after, 6),
            lost=round(weight.lost, 6),
            expected_before=round(at.expects(at.best), 6),
            expected_after=round(at.expects(weight.chosen), 6),
            settled=at.settled,
            word=_word(weight, _next_value(weighed, index, outcome)),
            sentence=sentences.judged(at, weight.chosen, best, since=when),
            reasons=tuple(_reasons(situation, at, weight.chosen)),
            beliefs=(beliefs[1], beliefs[2]),
            board=_open_board(game, step.after),
            suspected=tuple(suspects(theirs.question if theirs else None, at.outlook)),
        )


def _stood(weighed: list[Weight]) -> list[bool]:
    """Of each choice, whether the position was lost for its player from the beginning."""
    always: dict[Seat, bool] = dict.fromkeys(SEATS, True)
    found = []
    for weight in weighed:
        always[weight.by] &= weight.weighed.settled == Settled.LOST
        found.append(always[weight.by])
    return found


def _reasons(at: Situation, weighed: Weighed, chosen: Form) -> list[Reason]:
    with held(type(at.game)):
        return reasons(at, weighed, chosen)


def _open_board(game: Game[Any], state: State) -> Board:
    with held(type(game)):
        return game.board(state, None, True)


def _next_value(weighed: list[Weight], index: int, outcome: Outcome) -> float:
    """What the same player could force when asked the next time, or what the match gave."""
    by = weighed[index].by
    later = (weight.before for weight in weighed[index + 1 :] if weight.by == by)
    return next(later, outcome.result(by))


def _word(weight: Weight, following: float) -> Word:
    cost = weight.weighed.cost(weight.chosen)
    if cost <= AS_GOOD:
        return Word.BEST
    if cost <= MISTAKE:
        return Word.FINE
    if weight.lost and following >= weight.before - AFTER_ALL:
        return Word.LUCKY  # it cost nothing after all
    return Word.MISTAKE if cost <= BLUNDER else Word.BLUNDER


def _believes(secret: Question | None, outlook: Outlook) -> Iterator[Belief]:
    """The likeliest secrets of the other, who was asked for one by `secret`."""
    if secret is None:
        return
    told = [(secret.text(secret.value(form)), often) for form, often in outlook.beliefs.items()]
    for text, chance in sorted(told, key=lambda pair: (-pair[1], pair[0]))[:TOP_BELIEFS]:
        if chance >= 5e-5:
            yield Belief(text, round(float(chance), 4))
