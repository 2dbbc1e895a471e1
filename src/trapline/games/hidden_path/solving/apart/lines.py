"""Lines of graphs: what challenges the best one, and which of those that lost may keep more."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trapline.games.hidden_path.solving.apart.trial import Known, Mix, Trial


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
    Challenge(1, MANY, 2, anew=True),
    Challenge(0, 2 * SOME, 2),
    Challenge(-1, MANY, 1, wide=True),
    Challenge(-1, SOME, 2),
    Challenge(1, SOME, 2),
    Challenge(0, 4 * SOME, 1, wide=True),
    Challenge(0, 0, 3),
    Challenge(2, 0, 2),
)
FIRST_DEPTH = 2
"""How many choices are made by the secret in the first graph."""
SMALL = 5_000
"""States of a graph that lacks moves more than anything else."""
HIDDEN, OFTEN_HIDDEN = 0.002, 0.02
"""Secrets that are hidden less often are left out; the same where many are added."""
WAIT, LONGER = 8.0, 0.5
"""Seconds without a challenger that wins before another line begins, and as a share of all that the
line has had."""
OTHERS = 4
"""How many graphs are remembered that are not the best of their line."""
WORTH = 5e-4
"""Less than this above what is kept is not worth the time."""
IN_VAIN = 3
"""After so many looks that found no more, a graph is not trained further."""


@dataclass
class Line:
    """Graphs of which each has beaten the one before."""

    first: Mix
    """What to hide at the beginning."""
    depth: int = FIRST_DEPTH
    tries: int = 0
    fine: float = 1.0
    best: Trial | None = None
    others: list[Trial] = field(default_factory=list)
    """That have lost, or were best, and may keep more after all."""
    seconds: float = 0.0
    """All that it has had,"""
    since: float = 0.0
    """and since a challenger has won, or the line was taken up again."""

    @property
    def kept(self) -> float:
        return -1.0 if self.best is None else self.best.kept

    def add(self, trial: Trial) -> None:
        """The best is what keeps most; of the others those stay that promise most."""
        known = [*self.others, *([self.best] if self.best is not None else [])]
        every = known if trial in known else [*known, trial]
        self.best = max(every, key=attrgetter("kept"))
        others = (trial for trial in every if trial is not self.best and trial.in_vain < IN_VAIN)
        self.others = sorted(others, key=attrgetter("promise"), reverse=True)[:OTHERS]

    @property
    def hopeful(self) -> Trial | None:
        """What promises most, if it is worth the time."""
        every = [trial for trial in (self.best, *self.others) if trial is not None]
        least = self.kept + WORTH
        able = [trial for trial in every if trial.in_vain < IN_VAIN and trial.promise > least]
        return max(able, key=attrgetter("promise"), default=None)

    @property
    def narrow(self) -> bool:
        """Whether more moves are worth more than anything else: in a small graph, and every other
        time that all challenges are tried."""
        small = self.best is None or self.best.states < SMALL
        return small or self.tries // len(CHALLENGES) % 2 == 1

    @property
    def stuck(self) -> bool:
        return self.since > WAIT + LONGER * self.seconds


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
