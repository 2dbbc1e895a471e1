"""Reasons: what was compared, in which worlds, on which squares; and a sentence that says it.

A world is what the other may be hiding, as far as the player could know: the rules are asked what
an answer does in each. A screen can point at the places; the sentence is for reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.coach.choices import named
from trapline.coach.weighing import Settled
from trapline.core import SECRET, Moved, Place, Triggered, other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.coach.weighing import Weighed
    from trapline.core import Form, Game, Question, Seat

FEW_WORLDS = 24
"""So many worlds can be counted in a sentence; of more, the share is told."""
POSSIBLE = 1e-4
"""Less likely worlds are left out."""
NOTICED = 0.02


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    kind: str
    """"worlds", "in sight", "keeps", "gives away" or "first answers"."""
    sentence: str
    answers: tuple[str, ...] = ()
    """The answers that are compared, the one that was given first."""
    places: tuple[Place | None, ...] = ()
    """Where each of them leads."""
    worlds: tuple[int, ...] = ()
    """In how many worlds each of them meets something bad."""
    of: int = 0
    """How many worlds there are, or how many answers."""
    chances: tuple[float, ...] = ()
    """How likely each of them meets something bad."""


class Danger(NamedTuple):
    """What an answer may run into."""

    place: Place | None
    worlds: int
    of: int
    chance: float


class Situation(NamedTuple):
    """A decision in the rules' own terms."""

    game: Game[Any]
    state: Any
    """Any state that fits: what the other hides in it is never looked at."""
    seat: Seat
    question: Question
    own: int = 0
    """The value of the player's own secret."""

    def danger(self, answer: Form, beliefs: dict[Form, float]) -> Danger:
        """In how many worlds an answer triggers something, or loses at once."""
        place: Place | None = None
        worlds, chance, whole = 0, 0.0, 0.0
        states = list(self._worlds(beliefs))
        value = self.question.value(answer)
        for state, likely in states:
            place, bad = meets(self.game, state, self.seat, value)
            worlds += bad
            chance += likely * bad
            whole += likely
        return Danger(place, worlds, len(states), chance / whole if whole else 0.0)

    def _worlds(self, beliefs: dict[Form, float]) -> Iterator[tuple[Any, float]]:
        """States that differ in what the other hides, each as likely as it can be believed."""
        rival = other(self.seat)
        asked = self.game.question(self.game.start(self.seat), rival)
        if not self.game.hides:
            yield self.state, 1.0
        if not beliefs or asked is None or asked.asks != SECRET:
            return
        for secret, likely in beliefs.items():
            if likely >= POSSIBLE:
                theirs = asked.value(secret)
                pair = (self.own, theirs) if self.seat == 1 else (theirs, self.own)
                hidden = self.game.with_secrets(self.state, pair)
                if hidden is not None:
                    yield hidden, likely


def reasons(at: Situation, weighed: Weighed, chosen: Form) -> list[Reason]:
    """Why an answer was good or bad, the plainest reason first."""
    if at.question.asks == SECRET:
        return list(_of_secret(at, weighed, chosen))
    found = list(_of_worlds(at, weighed, chosen))
    return found + list(_of_force(at, weighed, chosen))


def _of_worlds(at: Situation, weighed: Weighed, chosen: Form) -> Iterator[Reason]:
    beliefs = dict(weighed.outlook.beliefs)
    mine = at.danger(chosen, beliefs)
    # Whoever is told that a choice was as good is not told that another was safer.
    better = None if weighed.as_good(chosen) else at.danger(weighed.best, beliefs)
    place = at.game.place
    answers = tuple(named(at.question, a) for a in dict.fromkeys((chosen, weighed.best)))
    if not at.game.hides:
        if mine.chance == 1.0 and mine.place is not None:
            sentence = f"{place.capitalize()} {_at(mine.place)} is a trap that everybody can see."
            yield Reason("in sight", sentence, answers[:1], (mine.place,))
        return
    if not mine.of or mine.place is None:
        return
    if better is None or better.place is None:
        if mine.chance > NOTICED:
            told = f"{place.capitalize()} {_at(mine.place)} was a trap {_in_worlds(mine)}."
            yield _compared(told, answers[:1], mine)
        return
    if abs(mine.chance - better.chance) > NOTICED:
        here, there = f"{place.capitalize()} {_at(mine.place)}", _at(better.place)
        if mine.chance > better.chance:
            told = f"{here} was a trap {_in_worlds(mine)}; {there} {_in_worlds(better)}."
        else:
            told = (
                f"{here} was safer, but that is not enough here; "
                f"{there} was a trap {_in_worlds(better)}."
            )
        yield _compared(told, answers, mine, better)


def _compared(sentence: str, answers: tuple[str, ...], *dangers: Danger) -> Reason:
    return Reason(
        "worlds",
        sentence,
        answers,
        tuple(danger.place for danger in dangers),
        tuple(danger.worlds for danger in dangers),
        dangers[0].of,
        tuple(round(danger.chance, 4) for danger in dangers),
    )


def _in_worlds(danger: Danger) -> str:
    even = abs(danger.chance - danger.worlds / danger.of) < 0.005
    if not danger.worlds:
        return "in none"
    if danger.worlds == danger.of:
        return "in every world"
    if even and danger.of <= FEW_WORLDS:
        return f"in {danger.worlds} of {danger.of} worlds"
    return f"with a chance of {danger.chance:.0%}"


def _at(place: Place) -> str:
    return f"({place[0]},{place[1]})" if isinstance(place, tuple) else str(place)


def _of_force(at: Situation, weighed: Weighed, chosen: Form) -> Iterator[Reason]:
    """Where best play settles the result: which answers keep it."""
    count, keepers = len(weighed.outlook.values), weighed.keepers()
    if weighed.settled in (Settled.OPEN, Settled.LOST) or count == 1:
        return
    goal = "the win" if weighed.settled == Settled.WON else "the draw"
    names = tuple(named(at.question, answer) for answer in keepers)
    if chosen not in keepers:
        sentence = f"After {named(at.question, chosen)} the other can take {goal} from you"
        kept = f"{', '.join(names[:-1])} and {names[-1]} keep" if len(names) > 1 else ""
        kept = kept or f"only {names[0]} keeps"
        yield Reason("gives away", f"{sentence}; {kept} it.", names, of=count)
    elif len(keepers) == 1:
        sentence = f"Of {count} answers this alone keeps {goal}."
        yield Reason("keeps", sentence, names, of=count)


def _of_secret(at: Situation, weighed: Weighed, chosen: Form) -> Iterator[Reason]:
    """How many of the other's first answers a secret catches; of a worse one, how many the best
    does, where that is more: else it is no reason."""
    secret = chosen if weighed.as_good(chosen) else weighed.best
    caught, of = _first_answers(at, secret)
    if not caught or (secret != chosen and caught <= _first_answers(at, chosen)[0]):
        return
    name = named(at.question, secret)
    left = f"only {of - caught} of {of} first answers safe"
    sentence = f"{name} leaves the other {left if caught < of else 'no safe first answer'}."
    yield Reason("first answers", sentence, (name,), worlds=(caught,), of=of)


def _first_answers(at: Situation, secret: Form) -> tuple[int, int]:
    rival = other(at.seat)
    start = at.game.start(rival)
    theirs = at.game.question(start, rival)
    if theirs is None or theirs.asks != SECRET:
        return 0, 0
    state = at.game.apply(start, at.seat, at.question.value(secret))
    state = at.game.apply(state, rival, next(theirs.values()))
    question = at.game.question(state, rival)
    if question is None:
        return 0, 0
    caught = [meets(at.game, state, rival, value)[1] for value in question.values()]
    return sum(caught), len(caught)


def meets(game: Game[Any], state: Any, seat: Seat, value: int) -> tuple[Place | None, bool]:
    """Where an answer leads in one state, and whether it triggers something or loses at once."""
    after = game.apply(state, seat, value)
    place: Place | None = None
    bad = after.outcome is not None and after.outcome.result(seat) < 0
    for event in game.events(state, seat, value, after):
        if isinstance(event, Moved):
            place = event.to
        bad = bad or (isinstance(event, Triggered) and event.by == seat)
    return place, bad
