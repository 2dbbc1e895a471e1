"""What matches are like when both play their best: measures that only a solved game has.

Every line that both solutions may take is followed, each with its chance; then a figure is exact.
Matches are played, too, fewer of those that take long, and tell how many lines there may be: one
over the chance of a match's own line is right on average (Knuth, 1975). Both figures are told
where both are to be had, so that a reader sees that they agree.
"""

from __future__ import annotations

import contextlib
import math
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from trapline.contest import next_asked
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Form, Seat
    from trapline.solve import Outlook, Solution

MATTERS = 0.01
"""Answers whose chances of winning differ by more than this make a decision that matters."""
LEADS = 0.05
"""A player whose chance is farther than this from even is ahead, or behind."""
LOOKS = 3_000
"""Decisions that are looked at before the lines count as too many."""
TOO_MANY = 20 * LOOKS
"""Lines that are not even begun with, where matches tell of more."""
MATCHES = 150
FEWEST = 20
"""Matches that are played however long they take; more only until as many decisions as LOOKS."""
GIVEN = 1e-9
"""Answers that are given less often than this are left over from rounding."""


class Line(NamedTuple):
    """What is counted along one line of play."""

    decisions: int = 0
    mattered: int = 0
    bits: float = 0.0
    changes: int = 0
    ahead: int = 0
    """Who was ahead last: 1 the first mover, −1 the other, 0 nobody yet."""
    lowest: tuple[float, float] = (0.5, 0.5)
    """The smallest chance that the first mover, and the other, ever had."""


class Figures(msgspec.Struct, frozen=True):
    """Means over matches."""

    turns: float
    matter: float
    """The share of decisions in which it matters what is answered."""
    bits: float
    """Bits of chance that both players draw together: 0 where nobody needs to mix."""
    lead_changes: float
    drama: float
    """How far below even the winner had been, as a chance of winning: from 0 to 0.5."""


class Sample(NamedTuple):
    """One match that was played."""

    figures: Figures
    lines: float
    """One over the chance of its line."""
    looks: int


class BestPlay(msgspec.Struct, frozen=True):
    exact: Figures | None
    """None where there are too many lines."""
    played: Figures
    margins: Figures
    """Half the widths of 95% confidence intervals of what was played."""
    matches: int


def best_play(solution: Solution, seed: int = 0) -> BestPlay:
    """Both play the solution; Player 1 moves first, or whoever the solution is for."""
    rng = Random(f"best play {seed}")  # noqa: S311 - matches between programs
    samples: list[Sample] = []
    while len(samples) < FEWEST or (
        len(samples) < MATCHES and sum(sample.looks for sample in samples) < LOOKS
    ):
        samples.append(_sample(solution, rng))
    exact = None
    if sum(sample.lines for sample in samples) / len(samples) < TOO_MANY:
        with contextlib.suppress(OverflowError):
            lines = _lines(solution)
            exact = _mean([(weight, _counted(match, line)) for weight, match, line in lines])
    found = [sample.figures for sample in samples]
    played = _mean([(1.0, figures) for figures in found])
    return BestPlay(exact, played, _margins(found, played), len(found))


def _opening(solution: Solution) -> Match:
    first: Seat = 2 if solution.facts.first == 2 else 1
    return Match(solution.game, first, deals=False)


def _lines(solution: Solution) -> Iterator[tuple[float, Match, Line]]:
    """All lines with their chances; OverflowError where there are too many."""
    waiting = [(1.0, _opening(solution), Line())]
    looks = 0
    while waiting:
        weight, match, line = waiting.pop()
        if match.outcome is not None:
            yield weight, match, line
            continue
        looks += 1
        if looks > LOOKS:
            raise OverflowError
        if match.chance is not None:
            for value, likely in _drawn(match):
                fork = match.fork()
                fork.deal(value)
                waiting.append((weight * likely, fork, line))
            continue
        seat, outlook = _look(solution, match)
        after = _along(line, match, seat, outlook, forced=solution.forced)
        for answer, chance in _mix(outlook).items():
            fork = match.fork()
            fork.play(seat, answer)
            waiting.append((weight * chance, fork, after))


def _sample(solution: Solution, rng: Random) -> Sample:
    match, line = _opening(solution), Line()
    lines, looks = 1.0, 0
    while match.outcome is None:
        if match.chance is not None:
            values, weights = zip(*_drawn(match), strict=True)
            at = rng.choices(range(len(values)), weights)[0]
            match.deal(values[at])
            lines /= weights[at]
            continue
        seat, outlook = _look(solution, match)
        line = _along(line, match, seat, outlook, forced=solution.forced)
        mix = _mix(outlook)
        answer = rng.choices(list(mix), list(mix.values()))[0]
        match.play(seat, answer)
        lines, looks = lines / mix[answer], looks + 1
    return Sample(_counted(match, line), lines, looks)


def _drawn(match: Match) -> list[tuple[int, float]]:
    """What chance may draw, and how likely each is."""
    question = match.chance
    assert question is not None  # asked only then
    values = list(question.values())
    weights = list(question.weights) or [1] * len(values)
    return [(v, w / sum(weights)) for v, w in zip(values, weights, strict=True) if w]


def _look(solution: Solution, match: Match) -> tuple[Seat, Outlook]:
    seat = next_asked(match)
    assert seat is not None  # a match goes on until its end
    return seat, solution.policy.look(match.view(seat))


def _mix(outlook: Outlook) -> dict[Form, float]:
    return {answer: often for answer, often in outlook.chances.items() if often > GIVEN}


def _along(line: Line, match: Match, seat: Seat, outlook: Outlook, *, forced: bool) -> Line:
    """What one more decision adds. Where results are forced, any of the best answers will do, so
    that nobody needs to draw."""
    stake, mix = match.game.stake, _mix(outlook)
    values = [value / stake for value in outlook.values.values()]
    free = len(values) > 1
    worth = sum(often * outlook.values[a] / stake for a, often in mix.items())
    chance = min(1.0, max(0.0, (1 + worth) / 2))
    firsts = chance if seat == match.first else 1 - chance
    ahead = (firsts > 0.5 + LEADS) - (firsts < 0.5 - LEADS)
    return Line(
        line.decisions + free,
        line.mattered + (free and (max(values) - min(values)) / 2 > MATTERS),
        line.bits - (not forced) * sum(often * math.log2(often) for often in mix.values()),
        line.changes + (ahead * line.ahead < 0),
        ahead or line.ahead,
        (min(line.lowest[0], firsts), min(line.lowest[1], 1 - firsts)),
    )


def _counted(match: Match, line: Line) -> Figures:
    assert match.outcome is not None  # lines end
    winner = match.outcome.winner
    drama = 0.0
    if winner is not None:
        drama = 0.5 - line.lowest[0 if winner == match.first else 1]
    matter = line.mattered / line.decisions if line.decisions else 0.0
    turns = float(match.view(None).turn)
    return Figures(turns, matter, line.bits, float(line.changes), max(0.0, drama))


def _mean(weighed: list[tuple[float, Figures]]) -> Figures:
    whole = sum(weight for weight, _ in weighed)
    return Figures(
        *(
            sum(weight * getattr(found, name) for weight, found in weighed) / whole
            for name in Figures.__struct_fields__
        )
    )


def _margins(samples: list[Figures], mean: Figures) -> Figures:
    return Figures(
        *(
            1.96
            * math.sqrt(
                sum((getattr(s, name) - getattr(mean, name)) ** 2 for s in samples)
                / len(samples) ** 2
            )
            for name in Figures.__struct_fields__
        )
    )
