"""A hint: what perfect play would do, for a player who asks, and what it is worth."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec

from trapline.coach.choices import named
from trapline.coach.reasons import Reason, Situation, reasons
from trapline.coach.sentences import figure, settled_in_words
from trapline.coach.suspicions import suspected_now
from trapline.coach.weighing import MEANT, Settled, Weighed, weigh
from trapline.core import SECRET, NotNow, Suspicion
from trapline.games import make_game
from trapline.players import perfect
from trapline.players.worlds import sample

if TYPE_CHECKING:
    from trapline.core import Question, View

MOST_NAMED = 4
"""So many equally good answers are named; there may be more."""
ABOUT = 0.005
"""Chances that differ by less are told as the same."""


class Option(msgspec.Struct, frozen=True):
    """One answer, as the coach weighs it."""

    answer: str
    often: float
    """How often perfect play gives it."""
    forces: float
    """The chance of winning against best play, a draw counting half."""
    expects: float
    """The chance of winning that can be expected among people, who err."""


class Advice(msgspec.Struct, frozen=True):
    sentence: str
    options: tuple[Option, ...] = ()
    """The best first; none where there is nothing to weigh."""
    settled: str = Settled.OPEN.value
    reasons: tuple[Reason, ...] = ()
    suspected: tuple[Suspicion, ...] = ()
    """What the player may believe of each place, against best play."""

    @property
    def chance(self) -> str:
        """What the player can expect; the advice itself where nothing can be weighed."""
        if not self.options:
            return self.sentence
        expected = figure(max(option.expects for option in self.options))
        forced = figure(max(option.forces for option in self.options))
        chances = f"{expected} among people, {forced} in perfect play"
        return f"Your chance with the best answer: {chances}."


def hint(view: View) -> str:
    """A sentence for a player who asks what to do."""
    return advise(view).sentence


def advise(view: View) -> Advice:
    """The same with all that stands behind it."""
    question = view.question
    if question is None:
        raise NotNow("You are not asked anything now.")
    if question.forced:
        return Advice(f"There is only one answer: {named(question, question.answers[0].record)}.")
    solution = perfect.solution_of(make_game(view.game, view.options), view.first)
    if solution is None:
        return Advice("This variant is too large to be solved, so there is no hint.")
    weighed = weigh(solution, view)
    options = tuple(
        Option(
            named(question, answer),
            round(weighed.mix[answer], 6),
            round(weighed.forces(answer), 6),
            round(weighed.expects(answer), 6),
        )
        for answer in weighed.answers
    )
    why = tuple(_reasons(view, weighed))
    suspected = suspected_now(solution, view, weighed.outlook)
    return Advice(_sentence(question, weighed, why), options, weighed.settled.value, why, suspected)


def _reasons(view: View, weighed: Weighed) -> list[Reason]:
    assert view.seat is not None  # only players are asked
    assert view.question is not None  # only who is asked asks
    state = sample(view, Random(0))  # noqa: S311 - any world that fits will do
    if state is None:
        return []
    own = 0
    asked = weighed.game.question(weighed.game.start(view.first), view.seat)
    if view.secret is not None and asked is not None:
        own = asked.value(view.secret)
    at = Situation(weighed.game, state, view.seat, view.question, own)
    return reasons(at, weighed, weighed.best)


def _sentence(question: Question, weighed: Weighed, why: tuple[Reason, ...]) -> str:
    verb = "chooses" if question.asks == SECRET else "answers"
    told = [f"Perfect play {verb} {_how_often(question, weighed)}: {_worth(weighed)}."]
    if weighed.hopeful is not None:
        name = named(question, weighed.hopeful)
        told.append(f"Against somebody who errs there is more to hope for with {name}.")
    said = [r for r in why[:1] if r.kind in ("keeps", "first answers")]
    # Where answers are mixed, what is true of one that was not named would only puzzle.
    told += [r.sentence for r in said if all(name in told[0] for name in r.answers)]
    return " ".join(told)


def _worth(weighed: Weighed) -> str:
    """Both figures, by their names."""
    best = weighed.best
    if weighed.game.stake > 1:
        return f"it can expect {weighed.outlook.values[best]:+.2f}"
    expected = figure(weighed.expects(best))
    if weighed.settled == Settled.OPEN:
        return f"it wins {figure(weighed.forces(best))} against best play"
    return f"{settled_in_words(weighed.settled)}; {expected} can be expected among people"


def _how_often(question: Question, weighed: Weighed) -> str:
    """The mix as it is: one answer, a few, or how many there are and the likeliest of them."""
    chances = weighed.mix
    meant = (answer for answer in chances if chances[answer] >= MEANT)
    mixed = sorted(meant, key=lambda answer: -round(chances[answer], 4))
    most = chances[mixed[0]]
    names = [named(question, answer) for answer in mixed]
    if most > 1 - ABOUT:
        return names[0]
    even = chances[mixed[-1]] > most - ABOUT
    if len(mixed) <= MOST_NAMED:
        if even:
            return f"{_listed(names)}, equally often"
        return _listed([f"{n} ({chances[a]:.0%})" for n, a in zip(names, mixed, strict=True)])
    likeliest = [n for n, a in zip(names, mixed, strict=True) if chances[a] > most - ABOUT]
    many = f"one of {sum(often > 0 for often in chances.values())}"
    if even:
        return f"{many}, each {most:.0%} of the time"
    named_few = _listed(likeliest[:MOST_NAMED]) + " or others" * (len(likeliest) > MOST_NAMED)
    each = ", each" if len(likeliest) > 1 else ","
    return f"{many}, most often {named_few}{each} {most:.0%} of the time"


def _listed(names: list[str]) -> str:
    return " or ".join(names) if len(names) <= 2 else f"{', '.join(names[:-1])} or {names[-1]}"
