"""Every way a game can go, from its own rules, and what each seat has seen on the way.

The tree is walked as the referee would let matches go: chance draws by its weights; where both
are asked at once, neither has heard of the other's answer; and a seat hears of a turn when it
is complete, unless it acted itself. What a seat can know at a decision is what its View shows
then. The walk checks that this is all it has ever seen, so that nobody forgets, and gathers
the tree into sequence form (`sequences`).
"""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_array

from trapline.core import CHANCE, SEATS, SECRET, other
from trapline.solve import whole_size
from trapline.solve.interface import Unsuited, payoff
from trapline.solve.seen import InformationSet, Knower, Numbers, Position, Seen, shown
from trapline.solve.sequences import EMPTY, SequenceForm, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trapline.core import Actor, AnyEvent, Form, Game, Question, Seat, State

NODES_A_LOOK = 256
"""The clock is looked at so often."""


class WholeTree:
    """The information sets of both seats, and the ends of the game."""

    def __init__(
        self,
        game: Game[Any],
        first: Seat,
        *,
        horizon: int | None = None,
        most: int | None = None,
        until: float | None = None,
    ) -> None:
        """With a horizon, matches are followed for so many answers only."""
        self.game, self.first = game, first
        self._horizon = horizon
        self._most_nodes = whole_size.MOST_NODES if most is None else most
        self._until = math.inf if until is None else until
        self.sets: tuple[list[InformationSet], list[InformationSet]] = ([], [])
        self._alike: tuple[dict[Seen, InformationSet], dict[Seen, InformationSet]] = ({}, {})
        self._heard = Numbers()
        self._pasts = Numbers()
        self._ends: dict[tuple[int, int], Fraction] = {}
        self._beyond: dict[tuple[int, int], Fraction] = {}
        self._sizes = [1, 1]
        self.most = 0.0
        self.nodes = 0
        if horizon is None:
            whole_size.probe(game, first)
        self._walk()

    # --- for whoever looks something up ---------------------------------------------------

    def find(self, seat: Seat, events: Iterable[AnyEvent], look: Seen) -> InformationSet | None:
        """The information set in which a seat has heard and sees this."""
        heard = look.heard
        for event in events:
            known = self._heard.find((heard, event))
            if known is None:
                return None
            heard = known
        return self._alike[seat - 1].get(look._replace(heard=heard))

    @property
    def goes_on(self) -> bool:
        """Whether a match can go on beyond the horizon."""
        return bool(self._beyond)

    def form(self, beyond: int = 0) -> SequenceForm:
        """What was walked, in sequence form; what goes on beyond the horizon counts so much."""
        ends = dict(self._ends)
        for pair, chance in self._beyond.items():
            ends[pair] = ends.get(pair, Fraction(0)) + chance * beyond
        rows, columns = zip(*ends, strict=True)
        payoffs = coo_array(
            (
                np.array([float(result) for result in ends.values()]),
                (np.array(rows), np.array(columns)),
            ),
            shape=(self._sizes[0], self._sizes[1]),
        ).tocsr()
        most = max(self.most, abs(beyond)) if self._beyond else self.most
        return SequenceForm((self._side(0), self._side(1)), payoffs, most, ends)

    def _side(self, side: int) -> Side:
        sets = self.sets[side]
        return Side(
            np.array([found.parent for found in sets], np.int64),
            np.array([*(found.first for found in sets), self._sizes[side]], np.int64),
        )

    # --- walking --------------------------------------------------------------------------

    def _walk(self) -> None:
        state = self.game.start(self.first)
        looks = [
            Seen(0, self.game.board(state, seat, over=False), 0, 0, None, None) for seat in SEATS
        ]
        if not self.game.draws or self.game.chance(state) is None:
            looks = [self._see(state, seat, 0, None) for seat in SEATS]
        one, two = (Knower(EMPTY, 0, (), None, self._pasts.of(look), look) for look in looks)
        left = [Position(state, (one, two), Fraction(1), open_turn=False, depth=0)]
        while left:
            at = left.pop()
            self.nodes += 1
            if self.nodes > self._most_nodes:
                raise whole_size.too_large(self.game)
            if self.nodes % NODES_A_LOOK == 0 and time.monotonic() > self._until:
                raise whole_size.too_late(self.game)
            if at.depth > whole_size.LONGEST:
                raise whole_size.endless(self.game)
            if at.state.outcome is None and at.depth == self._horizon:
                pair = at.knowers[0].sequence, at.knowers[1].sequence
                self._beyond[pair] = self._beyond.get(pair, Fraction(0)) + at.chance
            elif at.state.outcome is None:
                left += self._following(at, len(left))[::-1]  # in the order of the answers
            else:
                self._end(at)

    def _following(self, at: Position, waiting: int) -> list[Position]:
        """All that may come next, and no more than there is room for: where both hide at once,
        their secrets are multiplied."""
        found: list[Position] = []
        for after in self._next(at):
            found.append(after)
            if self.nodes + waiting + len(found) > self._most_nodes:
                raise whole_size.too_large(self.game)
        return found

    def _end(self, at: Position) -> None:
        worth = payoff(at.state.outcome)
        self.most = max(self.most, abs(worth))
        pair = at.knowers[0].sequence, at.knowers[1].sequence
        self._ends[pair] = self._ends.get(pair, 0) + at.chance * Fraction(worth)

    def _next(self, at: Position) -> Iterator[Position]:
        drawn = self.game.chance(at.state) if self.game.draws else None
        if drawn is not None:
            yield from self._draw(at, drawn)
            return
        asked: dict[Seat, Question] = {
            seat: question
            for seat in SEATS
            if (question := self.game.question(at.state, seat)) is not None
        }
        if not asked:
            raise Unsuited(f"{self.game.title} asks nobody anything, and is not over.")
        if len(asked) == 2:
            yield from self._at_once(at, asked)
            return
        for seat, question in asked.items():
            known = self._set_of(at, seat, question)
            for index, value in enumerate(known.values):
                yield self._answer(at, seat, question, value, known.first + index)

    def _draw(self, at: Position, question: Question) -> Iterator[Position]:
        whole = sum(question.weights)
        for answer, weight in zip(question.answers, question.weights, strict=True):
            if weight:
                after = self.game.dealt(at.state, answer.value)
                events = tuple(self.game.events(at.state, CHANCE, answer.value, after))
                told = self._tell(at, CHANCE, events, after, flush=not at.open_turn)
                chance = at.chance * Fraction(weight) / Fraction(whole)
                yield Position(after, told, chance, at.open_turn, at.depth + 1)

    def _answer(
        self, at: Position, seat: Seat, question: Question, value: int, sequence: int
    ) -> Position:
        after = self.game.apply(at.state, seat, value)
        events = tuple(self.game.events(at.state, seat, value, after))
        complete = after.turn > at.state.turn or after.outcome is not None
        secret = question.record(value) if question.asks == SECRET else None
        told = self._tell(at, seat, events, after, complete, secret, (sequence, value))
        open_turn = not complete and (at.open_turn or question.asks != SECRET)
        return Position(after, told, at.chance, open_turn, at.depth + 1)

    # --- what the seats learn -------------------------------------------------------------

    def _tell(
        self,
        at: Position,
        by: Actor,
        events: tuple[AnyEvent, ...],
        after: State,
        flush: bool,
        secret: Form | None = None,
        answered: tuple[int, int] | None = None,
    ) -> tuple[Knower, Knower]:
        """Who acted hears at once, everybody else when the turn is complete.

        Nobody looks while something is drawn.
        """
        looks = after.outcome is None and (not self.game.draws or self.game.chance(after) is None)
        told = []
        for seat, knower in zip(SEATS, at.knowers, strict=True):
            now = [e for e in events if (e.by == seat if e.private else by == seat)]
            later = knower.later
            if by != seat:
                later += tuple(e for e in events if not e.private)
            if flush:
                now, later = [*now, *later], ()
            heard = knower.heard
            for event in now:
                heard = self._heard.of((heard, event))
            mine = answered if by == seat else None
            own = secret if by == seat and secret is not None else knower.secret
            seen = self._see(after, seat, heard, own) if looks else knower.seen
            past = knower.past
            if mine is not None or seen != knower.seen:
                past = self._pasts.of((past, mine, seen))
            sequence = mine[0] if mine is not None else knower.sequence
            told.append(Knower(sequence, heard, later, own, past, seen))
        return told[0], told[1]

    def _see(self, state: State, seat: Seat, heard: int, secret: Form | None) -> Seen:
        board = self.game.board(state, seat, over=False)
        questions = [self.game.question(state, who) for who in SEATS]
        hiding = any(q is not None and q.asks == SECRET for q in questions)
        mover = 0 if hiding else state.mover
        return Seen(heard, board, state.turn, mover, shown(questions[seat - 1]), secret)

    def _set_of(self, at: Position, seat: Seat, question: Question) -> InformationSet:
        me, rival = at.knowers[seat - 1], at.knowers[2 - seat]
        known = self._alike[seat - 1].get(me.seen)
        if known is None:
            if question.count() > self._most_nodes:
                raise whole_size.too_large(self.game)
            values = tuple(question.values())
            size = self._sizes[seat - 1]
            number = len(self.sets[seat - 1])
            known = InformationSet(seat, number, question, values, me.sequence, size, me.past)
            self._sizes[seat - 1] += len(values)
            self.sets[seat - 1].append(known)
            self._alike[seat - 1][me.seen] = known
        elif known.past != me.past or known.parent != me.sequence:
            raise Unsuited(
                f"{self.game.title} does not show Player {seat} all that Player {seat} has seen "
                "or answered before, so a View does not tell what is known."
            )
        weight = known.reached.get(rival.sequence, 0.0)
        known.reached[rival.sequence] = weight + at.chance
        return known

    # --- both at once ---------------------------------------------------------------------

    def _at_once(self, at: Position, asked: dict[Seat, Question]) -> Iterator[Position]:
        """Both answer, and neither has heard the other; who answers first must not matter."""
        sets = {seat: self._set_of(at, seat, question) for seat, question in asked.items()}
        earlier = {seat: self._alone(at, seat, asked, sets) for seat in SEATS}
        for i, value in enumerate(sets[1].values):
            for j, again in enumerate(sets[2].values):
                found = self._answer(earlier[1][i], 2, asked[2], again, sets[2].first + j)
                turned = self._answer(earlier[2][j], 1, asked[1], value, sets[1].first + i)
                # Boards follow from the state, so what was heard is all that may differ.
                heard = [[knower.heard for knower in p.knowers] for p in (found, turned)]
                if found.state != turned.state or heard[0] != heard[1]:
                    raise Unsuited(f"In {self.game.title} it matters who answers first.")
                yield found

    def _alone(
        self,
        at: Position,
        seat: Seat,
        asked: dict[Seat, Question],
        sets: dict[Seat, InformationSet],
    ) -> list[Position]:
        """What follows when one of two who are asked at once has answered, and not the other.

        The other may see that, and nothing more: it is one more look at the same decision.
        """
        late = other(seat)
        found = [
            self._answer(at, seat, asked[seat], value, sets[seat].first + index)
            for index, value in enumerate(sets[seat].values)
        ]
        for after in found:
            questions = self.game.question(after.state, seat), self.game.question(after.state, late)
            if after.state.outcome is not None or questions != (None, asked[late]):
                raise Unsuited(f"{self.game.title} asks otherwise when one of both has answered.")
        looks = {after.knowers[late - 1].seen for after in found}
        if len(looks) > 1:
            raise Unsuited(
                f"{self.game.title} shows Player {late} what Player {seat} answered, though both "
                "are asked at once."
            )
        for look in looks:
            if self._alike[late - 1].setdefault(look, sets[late]) is not sets[late]:
                raise Unsuited(f"{self.game.title} shows two decisions of Player {late} alike.")
        return found
