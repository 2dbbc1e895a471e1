"""Every decision of a small game, as the referee would come to it.

What looks the same to a seat is one decision to it, and the referee's Views say what looks the
same. What strategies are worth against each other is computed in the sequence form of the game
(`trapline.solve.sequences`): a sequence is an answer at a decision together with all answers of
the same seat that lead there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from scipy.sparse import coo_array

from trapline.core import BESIDE_THE_GAME, CHANCE, SEATS, Seat, TraplineError, asked
from trapline.core.faults import held
from trapline.referee import Match
from trapline.solve.sequences import SequenceForm, Side, best_answers, plan_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import Actor, Form, Game, View

    Floats = NDArray[np.float64]

MOST_WAYS = 100_000
"""How many ways a game may go, counting unfinished ones, for its decisions to be listed."""
MOST_DECISIONS = 5_000
"""How many decisions one seat may have."""
COUNTING = 60.0
"""Seconds that a game from outside may take to be counted."""


class TooMany(TraplineError):
    """A game has more decisions, under these options, than anybody can be asked about."""


class Decision(NamedTuple):
    """All moments of the game that look the same to the seat that is asked."""

    answers: tuple[Form, ...]
    before: int
    """The sequence of own answers that leads here; 0 where there are none."""
    first: int
    """The sequence of the first answer; those of the others follow."""
    path: tuple[tuple[Actor, Form], ...]
    """One of the ways to come here: who answered what."""

    @property
    def sequences(self) -> slice:
        return slice(self.first, self.first + len(self.answers))


@dataclass(frozen=True)
class Decisions:
    """The decisions of both seats, earlier ones first, in a game in which `first` begins."""

    game: Game[Any]
    first: Seat
    seats: tuple[tuple[Decision, ...], tuple[Decision, ...]]
    form: SequenceForm
    ways: Any
    """A sparse matrix like the payoffs: how likely chance makes the ends of each pair."""
    looks: dict[bytes, list[Decision]]
    """By what its player is shown there."""

    def of(self, seat: Seat) -> tuple[Decision, ...]:
        return self.seats[seat - 1]

    def side(self, seat: Seat) -> Side:
        return self.form.sides[seat - 1]

    def view(self, seat: Seat, decision: Decision) -> View:
        """What the seat sees there."""
        match = Match(self.game, self.first, deals=False)
        for actor, answer in decision.path:
            _answer(match, actor, answer)
        return match.view(seat)

    def find(self, view: View) -> Decision:
        """The decision that somebody who sees this stands at."""
        found = self.looks.get(_look(view), [])
        if len(found) != 1:
            why = "is no decision of this game" if not found else "says too little of what was"
            raise TraplineError(f"{self.game.title}: what the player sees {why}.")
        return found[0]

    def worth(self, one: Floats, two: Floats) -> float:
        """What seat 1 gets when both play these plans."""
        return float(one @ (self.form.payoffs @ two))

    def best_response(self, seat: Seat, theirs: Floats) -> Floats:
        """The plan that gets most against the other's plan."""
        side = self.side(seat)
        chances = np.ones(side.size)
        best_answers(side.parent, side.first, self.form.gains(seat, theirs), chances)
        return plan_of(side, chances)

    def reached(self, seat: Seat, theirs: Floats) -> Floats:
        """For each sequence of a seat, how likely the other's plan and chance let it come to
        where its last answer is given, if the seat itself does all it can for that."""
        side = self.side(seat)
        likely = np.asarray((self.ways if seat == 1 else self.ways.T) @ theirs)
        found = np.ones(side.size)
        for i in range(len(side.parent) - 1, -1, -1):
            # Whatever is answered, something follows: all answers lead to the same sum.
            found[side.first[i] : side.first[i + 1]] = likely[side.first[i]]
            likely[side.parent[i]] += likely[side.first[i]]
        return found


# --- going through the game -------------------------------------------------------------


@lru_cache(maxsize=8)
def all_decisions(game: Game[Any], first: Seat = 1) -> Decisions:
    """Every decision of a game; TooMany, with the limit, where there are more."""
    with held(type(game), COUNTING):
        count_ways(game, first)
    return _Explorer(game, first).explore()


def count_ways(game: Game[Any], first: Seat = 1, most: int = MOST_WAYS) -> int:
    """How many ways a game can go, by the bare rules: that is quick, and most games are too large
    for anything else. TooMany where there are more than `most`."""
    states, count = [game.start(first)], 0
    while states:
        state = states.pop()
        count += 1
        if count > most:
            raise TooMany(
                f"{game.title} can go in more than {most:,} ways under these options; "
                "smaller options have fewer."
            )
        for actor in asked(game, state)[:1]:
            if actor == CHANCE:
                dealt = game.chance(state)
                states += [game.dealt(state, value) for value in dealt.values()] if dealt else []
            else:
                question = game.question(state, actor)
                values = question.values() if question is not None else ()
                states += [game.apply(state, actor, value) for value in values]
    return count


class _Moment(NamedTuple):
    match: Match
    path: tuple[tuple[Actor, Form], ...]
    sequences: tuple[int, int]
    chance: float


class _Explorer:
    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game = game
        self.first = first
        self.looks: dict[bytes, list[Decision]] = {}
        self.known: dict[tuple[int, int, bytes], Decision] = {}
        self.decisions: dict[Seat, list[Decision]] = {1: [], 2: []}
        self.sizes: dict[Seat, int] = {1: 1, 2: 1}
        self.ends: dict[tuple[int, int], float] = {}
        self.likely: dict[tuple[int, int], float] = {}
        self.stake = 0.0

    def explore(self) -> Decisions:
        waiting = [_Moment(Match(self.game, self.first, deals=False), (), (0, 0), 1.0)]
        while waiting:
            moment = waiting.pop()
            match = moment.match
            if match.outcome is not None:
                result = match.outcome.result(1)
                self.stake = max(self.stake, abs(result))
                before = self.ends.get(moment.sequences, 0.0)
                self.ends[moment.sequences] = before + moment.chance * result
                likely = self.likely.get(moment.sequences, 0.0)
                self.likely[moment.sequences] = likely + moment.chance
            elif match.chance is not None:
                waiting += self._dealt(moment)
            else:
                waiting += self._answered(moment, match.asked[0])
        decisions = tuple(self.decisions[1]), tuple(self.decisions[2])
        form = self._form()
        return Decisions(
            self.game,
            self.first,
            decisions,
            form,
            self._matrix(self.likely, form.sides),
            self.looks,
        )

    def _form(self) -> SequenceForm:
        one, two = (
            Side(
                np.array([decision.before for decision in self.decisions[seat]], np.int64),
                np.array([*(d.first for d in self.decisions[seat]), self.sizes[seat]], np.int64),
            )
            for seat in SEATS
        )
        return SequenceForm((one, two), self._matrix(self.ends, (one, two)), self.stake)

    @staticmethod
    def _matrix(entries: dict[tuple[int, int], float], sides: tuple[Side, Side]) -> Any:
        rows, columns = np.array(list(entries), np.int64).T
        shape = sides[0].size, sides[1].size
        return coo_array((list(entries.values()), (rows, columns)), shape=shape).tocsr()

    def _dealt(self, moment: _Moment) -> list[_Moment]:
        question = moment.match.chance
        assert question is not None  # chance was found to be asked
        weights = question.weights or (1,) * len(question.answers)
        return [
            self._after(moment, CHANCE, answer.record, moment.sequences, weight / sum(weights))
            for answer, weight in zip(question.answers, weights, strict=True)
        ]

    def _answered(self, moment: _Moment, seat: Seat) -> list[_Moment]:
        question = moment.match.question(seat)
        assert question is not None  # the seat was found to be asked
        answers = tuple(question.record(value) for value in question.values())
        if len(answers) == 1:
            return [self._after(moment, seat, answers[0], moment.sequences)]
        decision = self._decision(moment, seat, answers)
        one, two = moment.sequences
        found = []
        for number, answer in enumerate(answers, decision.first):
            sequences = (number, two) if seat == 1 else (one, number)
            found.append(self._after(moment, seat, answer, sequences))
        return found

    def _decision(self, moment: _Moment, seat: Seat, answers: tuple[Form, ...]) -> Decision:
        before = moment.sequences[seat - 1]
        look = _look(moment.match.view(seat))
        key = (seat, before, look)
        known = self.known.get(key)
        if known is None:
            known = Decision(answers, before, self.sizes[seat], moment.path)
            self.known[key] = known
            self.looks.setdefault(look, []).append(known)
            self.decisions[seat].append(known)
            self.sizes[seat] += len(answers)
            if len(self.decisions[seat]) > MOST_DECISIONS:
                raise TooMany(
                    f"{self.game.title} has more than {MOST_DECISIONS:,} decisions for one player "
                    "under these options; smaller options have fewer."
                )
        return known

    @staticmethod
    def _after(
        moment: _Moment, actor: Actor, answer: Form, sequences: tuple[int, int], chance: float = 1.0
    ) -> _Moment:
        match = moment.match.fork()
        _answer(match, actor, answer)
        return _Moment(match, (*moment.path, (actor, answer)), sequences, moment.chance * chance)


def _answer(match: Match, actor: Actor, answer: Form) -> None:
    if actor == CHANCE:
        question = match.chance
        assert question is not None  # a path holds what was asked
        match.deal(question.value(answer))
    else:
        match.play(actor, answer)


def _look(view: View) -> bytes:
    """All that a View says of the game, without the toss, what players do beside it, and, where
    both are asked at once, which of them was quicker."""
    events = tuple(event for event in view.events if not isinstance(event, BESIDE_THE_GAME))
    plain = msgspec.structs.replace(
        view, tossed=False, ready=(True, True), events=events, draw_offer=None, may_claim=None
    )
    return msgspec.msgpack.encode(plain)


def refusal(game: Game[Any]) -> str | None:
    """Why nobody can be asked through this game, if so."""
    try:
        all_decisions(game)
    except TraplineError as error:
        return str(error)
    return None
