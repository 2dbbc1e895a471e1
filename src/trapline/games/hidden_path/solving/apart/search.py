"""Two searches at once, one for each seat's bound, on graphs that grow.

Each seat has a best graph, and challenges it again and again by another: with more secrets, more
moves or more choices that are made by the secret, or fewer. What to add is told by the other's
search, in which the seat may do anything. A challenger goes on from what the best one has learnt;
if it keeps more before its time is up, it is the best from then on, and if not, it is trained on as
long as it promises more.

A mixture of secrets that is followed uphill ends on one of many summits. So challengers differ, and
have the longer the longer none has won; and where none wins for long, the best graphs of the line
join those of the lines before it. One of these plans is to be drawn (`lots`), so they learn
together (`company`), as long as that brings more. Then another line of graphs begins with other
secrets.

Seconds are those that a search has had of a processor: beside other work it goes the same way, only
later.
"""

from __future__ import annotations

import math
import time
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from trapline.core import SEATS, other
from trapline.games.hidden_path.solving.apart.company import MOST_TOGETHER, Company
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.habits import Habits, remember
from trapline.games.hidden_path.solving.apart.keeping import (
    MOST_STATES,
    kept_of,
    packed,
    restored,
    unpacked,
)
from trapline.games.hidden_path.solving.apart.lines import (
    CHALLENGES,
    HIDDEN,
    IN_VAIN,
    MANY,
    Line,
    mixed,
)
from trapline.games.hidden_path.solving.apart.lots import alone, drawn_best
from trapline.games.hidden_path.solving.apart.trial import MORE, Trial, gone_on_with
from trapline.games.hidden_path.solving.both import Standing, above, search_at_once, taken_up
from trapline.games.hidden_path.solving.doubts import explore, in_a_hurry, one_way
from trapline.solve.interface import TooLarge
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.graph import Graph
    from trapline.games.hidden_path.solving.apart.lots import Lots
    from trapline.games.hidden_path.solving.apart.side import Side
    from trapline.games.hidden_path.solving.apart.trial import Known, Mix
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Certificate, Request

    Bits = NDArray[np.int16]

FEW_STATES, STATES_A_SECOND = 20_000, 20_000
"""A challenger may always have as many, and as many more as it has time: that leaves it about a
hundred iterations."""
BYTES = 450.0
"""For each state, about, with its vectors and tables."""
DEEPEST = 5
"""How many choices are made by the secret at most."""
ANY, FEWEST, MOST, LAST = 0.5, 3, 8, 24
"""How often another line begins with any secrets, and how many: of those that are known to be
hidden, or of those with the last steps."""
MADE, TAKEN = 0.2, 0.5
"""As a share of how far apart the bounds are: moves of the best that are made no more often are
left out, and so are those that the other's search tells."""
FINER, FINEST = 0.8, 0.02
"""These shares become smaller with every challenger that loses, and larger when one wins."""
OPEN = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4)
"""Where a graph with all moves would be too large, they are allowed early in the race: where no
smaller share of all secrets is possible,"""
COARSER = (1.0, 3.0, 9.0)
"""and where that is too large, fewer moves are taken from the other's search."""
FORGETS = 0.8
"""What the other's search told counts less with every challenger."""
SHORT, SHARE = 1.0, 0.25
"""Seconds that a challenger has at least, and as a share of the time since one has won."""
THOROUGH = 0.5
"""Before a line is given up its graphs are trained as long as they find more, and at most for this
share of all that the line has had: what is kept may grow for thousands of iterations."""
ALONE = 0.3
"""A line ends after this share of the time that is left, though it may not be stuck."""
OFTEN = 1 / MOST_TOGETHER
"""Who goes on trains again what is drawn as often; other plans are drawn as they are."""
TURNS = 3
"""How often it is looked which graph promises most while they are trained."""
EARLY = 40
"""What a rival does tells little before so many iterations."""


def search_apart(
    running: Hidden,
    lists: Mapping[Seat, set[int]],
    begins: Mapping[Seat, Lots | None],
    request: Request,
    last: float,
    known: Certificate,
) -> tuple[dict[Seat, Lots], bool]:
    """The best of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    standing = Standing(request.target, known)
    told: dict[Seat, Known] = {}
    climbs = []
    for seat in SEATS:
        file = request.checkpoint(f"apart {seat}")
        climb = Climb(seat, running, lists[seat], begins[seat], last, standing, told, file)
        climbs.append(climb)
    stopped = search_at_once(climbs, standing, request)
    return {climb.seat: climb.best for climb in climbs if climb.best is not None}, stopped


class Climb:
    """One seat's search."""

    def __init__(
        self,
        seat: Seat,
        running: Hidden,
        secrets: set[int],
        begins: Lots | None,
        last: float,
        standing: Standing,
        told: dict[Seat, Known],
        checkpoint: Checkpoint,
    ) -> None:
        self.seat, self._running, self._last = seat, running, last
        self._standing, self._told, self._checkpoint = standing, told, checkpoint
        self._known = {*secrets, *running.secrets[-LAST:]}
        self._first: Mix = dict.fromkeys(sorted(secrets)[-MANY:], 1.0)
        doubts = running.doubts
        self._memory = np.zeros((*doubts.fewest.shape, doubts.max_step))
        """What the other's searches have told of the moves of somebody who may meet anything."""
        # Who goes on tries other beginnings than last time, which did not lead any further.
        self._random = Random(seat if begins is None else None)  # noqa: S311 - any will do
        self._begins = begins
        self.best: Lots | None = None
        self._company: list[Trial] = []
        """Those of all lines so far that are drawn most."""
        self._apart = self._together = 0.0
        """Seconds that lines have had, and graphs that learnt together."""

    @property
    def _ended(self) -> bool:
        late = time.monotonic() > self._last
        return self.best is not None and (self._standing.enough or late)

    def run(self) -> None:
        line = Line(self._first)
        self._go_on_from_what_is_known(line)
        until = self._long_enough()
        while not self._ended and self._challenge(line):
            late = time.monotonic() > until
            if late or (line.stuck and not self._finds_more(line)):
                self._join(line)
                line, until = self._another_line(line), self._long_enough()

    def _long_enough(self) -> float:
        """When a line that begins now has had its time."""
        now = time.monotonic()
        return now + ALONE * (self._last - now)

    def _join(self, line: Line) -> None:
        """The graphs of a line learn with those before it."""
        self._apart += line.seconds
        joined = [trial for trial in (line.best, *line.others) if trial is not None]
        self._train_together([*joined, *self._company][:MOST_TOGETHER])

    def _train_together(self, trials: list[Trial]) -> None:
        """As long as it brings more, and no longer than lines have had by themselves."""
        self._company = trials
        if len(trials) < 2:
            return
        began, in_vain, company = time.thread_time(), 0, Company(trials)
        until = began + max(SHORT, self._apart - self._together)
        for sides in company.train(lambda: time.thread_time() > until or self._ended):
            before = self._bound
            self._offer(*sides)
            in_vain = 0 if above(self.seat, self._bound, before) > MORE else in_vain + 1
            self._told[other(self.seat)] = company.by_share[0].rivals()
            if in_vain >= IN_VAIN:
                break
        self._together += time.thread_time() - began
        self._company = company.by_share[: MOST_TOGETHER // 2]

    def _challenge(self, line: Line) -> bool:
        """Whether there was room for another graph."""
        began, seconds = time.thread_time(), max(SHORT, SHARE * line.since)
        trial = self._challenger(line, seconds)
        if trial is None:
            return False
        best = line.best
        self._train(trial, seconds, line.kept)
        line.add(trial)
        self._train_hopeful(line, SHORT if line.best is not best else seconds)
        won = line.best is not best
        line.fine = min(1.0, line.fine / FINER) if won else max(FINEST, line.fine * FINER)
        spent = time.thread_time() - began
        line.tries, line.seconds = line.tries + 1, line.seconds + spent
        line.since = 0.0 if won else line.since + spent
        return True

    def _finds_more(self, line: Line) -> bool:
        """Whether graphs of a line that is stuck only had too few iterations."""
        began, before, line.since = time.thread_time(), line.kept, 0.0
        self._train_hopeful(line, THOROUGH * line.seconds)
        line.seconds += time.thread_time() - began
        return line.kept > before

    def _train_hopeful(self, line: Line, seconds: float) -> None:
        """Whatever promises most, by turns."""
        until = time.thread_time() + seconds
        while time.thread_time() < until and not self._ended and line.hopeful is not None:
            hopeful = line.hopeful
            self._train(hopeful, seconds / TURNS, 1.0)
            line.add(hopeful)

    def _another_line(self, ahead: Line) -> Line:
        """With what the other's search tells, or with a few secrets of any that are known."""
        draw, told = self._random, self._told.get(self.seat)
        ours = ahead.best.own().hides if ahead.best else {}
        theirs = {} if told is None else told.hides
        first = dict(sorted(theirs.items(), key=itemgetter(1))[-MANY:])
        if not first or draw.random() < ANY:
            known = {*self._known}
            for hides in (ours, theirs):
                known |= {secret for secret, chance in hides.items() if chance > HIDDEN}
            some = draw.sample(sorted(known), min(len(known), draw.randint(FEWEST, MOST)))
            first = {secret: draw.expovariate(1.0) for secret in some}
        return Line(first, draw.randint(0, DEEPEST), draw.randrange(len(CHALLENGES)))

    def _train(self, trial: Trial, seconds: float, enough: float) -> None:
        """Train a graph until it keeps more than enough, or as long as it may."""
        until = time.thread_time() + seconds
        for side in trial.train(
            lambda: time.thread_time() > until or time.monotonic() > self._last
        ):
            self._offer(side)
            if trial.iterations > EARLY:
                self._told[other(self.seat)] = trial.rivals()
            if self._ended or trial.kept > enough or (enough >= 1.0 and trial.in_vain >= IN_VAIN):
                break

    @property
    def _bound(self) -> float:
        return self._standing.bound(self.seat)

    def _offer(self, *sides: Side) -> None:
        """What proves more than anything before is kept: one of them, or several to draw from."""
        known = () if self.best is None else self.best.sides
        every = [*known, *sides]
        best = max((alone(side) for side in every), key=self._worth)
        if len(every) > 1:
            best = max(best, drawn_best(every), key=self._worth)
        if self.best is not None and self._worth(best) <= self._worth(self.best):
            return
        self.best = best
        self._standing.note(self.seat, best.bound)
        self._checkpoint.keep_now_and_then(
            lambda: [np.frombuffer(packed(kept_of(best)), np.uint8)], {}
        )

    def _worth(self, lots: Lots) -> float:
        return above(self.seat, lots.bound, 0.0)

    def _go_on_from_what_is_known(self, line: Line) -> None:
        """The best plans, if there are any, on the graphs on which they were found."""
        for lots in (self._begins, self._kept()):
            if lots is not None:
                self._offer(*lots.sides)
        if self.best is None or self._ended:
            return
        drawn = zip(*self.best, strict=True)
        trials = [gone_on_with(side) for side, share in drawn if share >= OFTEN]
        if len(trials) > 1:
            self._apart = THOROUGH * (self._last - time.monotonic())
            self._train_together(trials)
            return
        self._train(trials[0], THOROUGH * (self._last - time.monotonic()), 1.0)
        line.add(trials[0])

    def _kept(self) -> Lots | None:
        """What a search that was killed had found."""
        found = taken_up(self._checkpoint, (np.uint8,))
        if found is None:
            return None
        _, (data,) = found
        try:
            return restored(unpacked(data.tobytes()), self.seat, self._running, math.inf)
        except ValueError:
            return None  # it is of another game

    def _hiding(self, secrets: list[int]) -> Hidden:
        doubts = self._running.doubts
        return explore(doubts.length, doubts.max_step, secrets, by_sprung=True)

    def _challenger(self, line: Line, seconds: float) -> Trial | None:
        """The largest of its kind for which there is room and time; None where there is none."""
        kind, best = CHALLENGES[line.tries % len(CHALLENGES)], line.best
        depth = line.depth if best is None else best.knowing + kind.deeper
        depths = range(max(0, min(DEEPEST, depth)), -1, -1)
        most = max(FEW_STATES, STATES_A_SECOND * seconds, 0 if best is None else best.states)
        most = int(min(most * kind.larger, room() / len(SEATS) / BYTES))
        own, told = None if best is None else best.own(), self._told.get(self.seat)
        mix, hidden = self._listed(mixed(kind, own, told) if own else line.first)
        moves = list(self._moves(own, told, line.fine * min(1.0, self._standing.apart)))
        manners = [[Manner(bits, depth) for bits in moves] for depth in depths]
        if kind.wide or line.narrow:
            manners = [[Manner(bits, depth) for depth in depths] for bits in moves]
        while True:
            for each_smaller in manners:
                found = self._first_that_fits(each_smaller, hidden, most)
                if found is not None:
                    return Trial(self.seat, hidden, *found, mix, best)
            if most >= MOST_STATES or self._ended:
                return None
            most *= 4

    def _first_that_fits(
        self, manners: list[Manner], hidden: tuple[Hidden, Hidden], most: int
    ) -> tuple[Manner, Graph] | None:
        """Of manners with graphs that are each smaller than the one before, found by halving: to
        learn that a graph is too large takes as long as to build one that is not."""
        found, first, last = None, 0, len(manners)
        while first < last:
            at = last - 1 if found is None else (first + last) // 2
            graph = connect(self.seat, *hidden, manners[at], most)
            fits = graph is not None and graph.memory <= room() / len(SEATS)
            if graph is not None and fits and len(graph.states):
                found, last = (manners[at], graph), at
            elif found is None:
                return None
            else:
                first = at + 1
        return found

    def _listed(self, mix: Mix) -> tuple[Mix, tuple[Hidden, Hidden]]:
        """As many of these secrets as leave not too much to doubt, and what both may doubt then."""
        while True:
            try:
                return mix, (self._running, self._hiding(list(mix)))
            except TooLarge:
                if len(mix) == 1:
                    raise
                ranked = sorted(mix, key=mix.__getitem__, reverse=True)
                mix = {secret: mix[secret] for secret in ranked[: len(mix) * 2 // 3]}

    def _moves(self, own: Known | None, told: Known | None, often: float) -> Iterator[Bits]:
        """To which moves to keep, the most first."""
        doubts = self._running.doubts
        one, every = one_way(doubts), np.int16((1 << doubts.max_step) - 1)
        kept = np.zeros(one.shape, np.int16) if own is None else own.habits.bits(MADE * often)
        self._memory *= FORGETS
        if told is not None:
            remember(doubts, told.habits, self._memory)
        yield np.full(one.shape, every)
        known = kept | Habits(doubts, self._memory).bits(TAKEN * often)
        some = np.where(known == 0, one, known)
        for share in OPEN:
            yield np.where((doubts.size >= share * doubts.size[0])[:, None], every, some)
        yield np.where(known == 0, one | in_a_hurry(doubts), known)
        for coarser in COARSER:
            known = kept | Habits(doubts, self._memory).bits(coarser * TAKEN * often)
            yield np.where(known == 0, one, known)
        yield np.where(kept == 0, one, kept)
