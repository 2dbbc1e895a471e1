"""Two searches at once, one for each seat's bound, on graphs that grow.

Each seat has a best graph, and challenges it again and again by another: with more secrets, more
moves or more choices that are made by the secret, or fewer. What to add is told by the other's
search, in which the seat may do anything. A challenger goes on from what the best one has learnt;
if it keeps more before its time is up, it is the best from then on.

A mixture of secrets that is followed uphill ends on one of many summits. So challengers differ, and
have the longer the longer none has won; and where none wins for long, another line of graphs begins
with other secrets. It has as much time, then the better one of both goes on.

Seconds are those that a search has had of a processor: beside other work it goes the same way, only
later.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from trapline.core import SEATS, other
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.habits import Habits, remember
from trapline.games.hidden_path.solving.apart.side import Beliefs, Side, answered
from trapline.games.hidden_path.solving.apart.training import Apart
from trapline.games.hidden_path.solving.apart.trial import Trial
from trapline.games.hidden_path.solving.both import Standing, better, search_at_once, taken_up
from trapline.games.hidden_path.solving.doubts import explore, in_a_hurry, one_way
from trapline.solve.interface import TooLarge
from trapline.solve.memory import room

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from trapline.core import Seat
    from trapline.games.hidden_path.solving.apart.trial import Known, Mix
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.solve.checkpoints import Checkpoint
    from trapline.solve.interface import Certificate, Request

    Bits = NDArray[np.int16]

MOST_STATES = 3_000_000
FEW_STATES, STATES_A_SECOND = 20_000, 10_000
"""A challenger may always have as many, and as many more as it has time: that leaves it about a
hundred iterations."""
BYTES = 450.0
"""For each state, about, with its vectors and tables."""


class Challenge(NamedTuple):
    deeper: int
    """How many more choices are made by the secret."""
    secrets: int
    """How many are added of those that the other's search tells."""
    larger: int
    """How many times as many states there may be."""
    anew: bool = False
    """Whether the best's own secrets are left out."""
    wide: bool = False
    """Whether more moves are worth more than choices that are made by the secret."""


SOME, MANY = 2, 12
CHALLENGES = (
    Challenge(0, SOME, 1),
    Challenge(0, MANY, 2, anew=True, wide=True),
    Challenge(1, 0, 1),
    Challenge(0, 2 * SOME, 2),
    Challenge(-1, MANY, 1, wide=True),
    Challenge(-1, SOME, 2),
    Challenge(1, SOME, 2),
    Challenge(0, 4 * SOME, 1, wide=True),
    Challenge(0, 0, 3),
    Challenge(2, 0, 2),
)
FIRST_DEPTH, DEEPEST = 2, 5
"""How many choices are made by the secret in the first graph, and at most."""
FEWEST, MOST, LAST = 3, 8, 24
"""How many secrets another line begins with: any of those that are known to be hidden, or of those
with the last steps."""
HIDDEN, OFTEN_HIDDEN = 0.002, 0.02
"""Secrets that are hidden less often are left out; the same where many are added."""
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
WAIT, LONGER = 8.0, 0.5
"""Seconds without a challenger that wins before another line begins, and as a share of all that the
line has had."""
THOROUGH = 0.5
"""Before that its best is trained as long as it finds more, and at most for this share of all that
the line has had: what is kept may grow for thousands of iterations."""
EARLY = 40
"""What a rival does tells little before so many iterations."""
IN_VAIN = 3
"""After so many looks that found no more, the best is not trained further."""


def search_apart(
    running: Hidden,
    lists: Mapping[Seat, set[int]],
    request: Request,
    last: float,
    known: Certificate,
) -> tuple[dict[Seat, Side], bool]:
    """The best of each seat, and whether an interrupt (Ctrl-C) has ended the search."""
    standing = Standing(request.target, known)
    told: dict[Seat, Known] = {}
    climbs = [
        Climb(seat, running, lists[seat], last, standing, told, request.checkpoint(f"apart {seat}"))
        for seat in SEATS
    ]
    stopped = search_at_once(climbs, standing, request)
    return {climb.seat: climb.best for climb in climbs if climb.best is not None}, stopped


@dataclass
class Line:
    """Graphs of which each has beaten the one before."""

    first: Mix
    """What to hide at the beginning."""
    depth: int = FIRST_DEPTH
    tries: int = 0
    fine: float = 1.0
    best: Trial | None = None
    seconds: float = 0.0
    """All that it has had,"""
    since: float = 0.0
    """and since a challenger has won, or the line was taken up again."""

    @property
    def kept(self) -> float:
        return -1.0 if self.best is None else self.best.kept

    @property
    def narrow(self) -> bool:
        """Whether more moves are worth more than anything else: in a small graph, and every other
        time that all challenges are tried."""
        small = self.best is None or self.best.states < FEW_STATES / 4
        return small or self.tries // len(CHALLENGES) % 2 == 1

    @property
    def stuck(self) -> bool:
        return self.since > WAIT + LONGER * self.seconds


class Climb:
    """One seat's search."""

    def __init__(
        self,
        seat: Seat,
        running: Hidden,
        secrets: set[int],
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
        self._random = Random(seat)  # noqa: S311 - any beginnings will do
        self.best: Side | None = None

    @property
    def _ended(self) -> bool:
        late = time.monotonic() > self._last
        return self.best is not None and (self._standing.enough or late)

    def run(self) -> None:
        self._go_on_from_what_was_kept()
        ahead = line = Line(self._first)
        while not self._ended and self._challenge(line):
            if not line.stuck or self._finds_more(line):
                continue
            if line is ahead:
                line = self._another_line(ahead)
            else:
                ahead = line = max(ahead, line, key=attrgetter("kept"))

    def _challenge(self, line: Line) -> bool:
        """Whether there was room for another graph."""
        began, seconds = time.thread_time(), max(SHORT, SHARE * line.since)
        trial = self._challenger(line, seconds)
        if trial is None:
            return False
        self._train(trial, seconds, line.kept)
        won = line.best is None or trial.kept > line.kept
        if won:
            line.best, line.fine, seconds = trial, min(1.0, line.fine / FINER), SHORT
        else:
            line.fine = max(FINEST, line.fine * FINER)
        if line.best is not None and line.best.in_vain < IN_VAIN:
            self._train(line.best, seconds / 2, 1.0)
        spent = time.thread_time() - began
        line.tries, line.seconds = line.tries + 1, line.seconds + spent
        line.since = 0.0 if won else line.since + spent
        return True

    def _finds_more(self, line: Line) -> bool:
        """Whether the best of a line that is stuck only had too few iterations."""
        began, before, line.since = time.thread_time(), line.kept, 0.0
        if line.best is not None and line.best.in_vain < IN_VAIN:
            self._train(line.best, THOROUGH * line.seconds, 1.0)
            line.seconds += time.thread_time() - began
        return line.kept > before

    def _another_line(self, ahead: Line) -> Line:
        draw, told = self._random, self._told.get(self.seat)
        known = {*self._known}
        for hides in (
            {} if told is None else told.hides,
            ahead.best.own().hides if ahead.best else {},
        ):
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

    def _offer(self, side: Side) -> None:
        """What proves more than anything before is kept."""
        if self.best is not None and not better(self.seat, side.bound, self.best.bound):
            return
        self.best = side
        self._standing.note(self.seat, side.bound)
        arrays = [np.array(side.hiding.secrets), side.manner.allowed, *side.plan]
        self._checkpoint.keep_now_and_then(lambda: arrays, {"knowing": side.manner.knowing})

    def _go_on_from_what_was_kept(self) -> None:
        types = (np.int64, np.int16, np.float64, np.float64, np.float64)
        found = taken_up(self._checkpoint, types)
        if found is None:
            return
        kept, (support, allowed, mix, moves, chances) = found
        shape = self._running.doubts.fewest.shape
        if not set(support.tolist()) <= set(self._running.secrets) or allowed.size != np.prod(
            shape
        ):
            return  # it is of another game
        hiding = self._hiding(support.tolist())
        manner = Manner(allowed.reshape(shape), int(kept.get("knowing", 0)))
        graph = connect(self.seat, self._running, hiding, manner, MOST_STATES)
        if graph is None or (len(graph.edges), len(support)) != (len(moves), len(mix)):
            return
        if chances.size != len(graph.signals.begin) * len(mix):
            return
        plan = Apart(mix, moves, chances.reshape(-1, len(mix)))
        answer = answered(graph, Beliefs(hiding, graph), plan)
        self._offer(Side(self.seat, self._running, hiding, manner, graph, plan, answer))
        self._first = dict(zip(hiding.secrets, mix.tolist(), strict=True))

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
        manners = [Manner(bits, depth) for depth, bits in product(depths, moves)]
        if kind.wide or line.narrow:
            manners = [Manner(bits, depth) for bits, depth in product(moves, depths)]
        while True:
            for manner in manners:
                graph = connect(self.seat, *hidden, manner, most)
                fits = graph is not None and graph.memory <= room() / len(SEATS)
                if graph is not None and fits and len(graph.states):
                    return Trial(self.seat, hidden, manner, graph, mix, best)
            if most >= MOST_STATES or self._ended:
                return None
            most *= 4

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


def mixed(kind: Challenge, own: Known, told: Known | None) -> Mix:
    """What to hide: what the best does, and what the other's search tells."""
    often = OFTEN_HIDDEN if kind.secrets == MANY else HIDDEN
    mix = (
        {}
        if kind.anew and told
        else {s: chance for s, chance in own.hides.items() if chance > often}
    )
    if told is not None:
        more = {s: chance for s, chance in told.hides.items() if chance > often and s not in mix}
        ranked = sorted(more, key=more.__getitem__, reverse=True)
        mix |= {secret: more[secret] for secret in ranked[: kind.secrets]}
    return mix or own.hides
