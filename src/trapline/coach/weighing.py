"""A decision weighed: what each answer can force, and what it lets a player expect.

Two figures with two names. What can be *forced* is the solution's: the chance of winning when the
other answers as well as anybody can. What can be *expected* is the chance against people: where
best play settles a position, both sides still err, so it is taken from what an erring opponent
leaves (`Outlook.likely`), and set by how matches between the computer levels have really ended.
How often levels err differs between variants, and what a position tells of its players' strength
does too; so that is counted for each preset, and apart for what is hidden before the first turn.

Hints and judgements both come from here, so they cannot contradict each other.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import SECRET
from trapline.games import preset_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trapline.core import Form, Game, View
    from trapline.solve import Outlook, Solution

MEANT = 0.01
"""An answer that the solution gives at least so often is part of it, and costs nothing. Where the
other has left the solution, what an answer is worth there is not proven, but guessed."""
AS_GOOD = 0.01
"""An answer that costs no more of the match than this is as good as the best."""
ROUNDING = 1e-9
CERTAIN = 1e-6
"""So near to a win, a draw or a loss, best play settles it."""
HIDING = "hiding "
"""What the name of a kind of moment begins with where a secret is chosen."""
CLEAR = "clear"
"""The kind of a moment after which nothing can change the result."""


class Settled(StrEnum):
    """What best play makes of a position, where it settles it."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"


class Weighed(NamedTuple):
    """The answers to one question, against the solution."""

    game: Game[Any]
    outlook: Outlook
    best: Form
    """The answer that the solution means and that leaves most to hope for."""
    settled: Settled
    forced: bool
    gap: float
    """How far the solution is from being exact."""
    hiding: bool
    """Whether it is a secret that is chosen, before the first turn."""

    @property
    def answers(self) -> list[Form]:
        """From the best to the worst."""
        return sorted(self.outlook.values, key=self._rank, reverse=True)

    def _rank(self, answer: Form) -> tuple[bool, bool, tuple[float, float]]:
        return answer == self.best, self.meant(answer), rank(self.outlook, answer)

    @property
    def mix(self) -> dict[Form, float]:
        """How often perfect play gives each answer.

        Where results are forced, one that is lost leaves nothing to guarantee, and what the
        solution does there may be anything: then it is what leaves most to hope for. Nor does it
        mind a longer way to its win: where one is certain, it is taken. Elsewhere a position is
        lost only against somebody who plays the solution, too: whoever turned aside there would
        keep less against others.
        """
        chances = self.outlook.chances
        equal = self.certain_wins()
        if self.forced and self.settled == Settled.LOST:
            most = rank(self.outlook, self.best)
            equal = [a for a in chances if _same(rank(self.outlook, a), most)]
        if not equal:
            return chances
        return {answer: (answer in equal) / len(equal) for answer in chances}

    @property
    def hopeful(self) -> Form | None:
        """What leaves more to hope for than perfect play does where that has lost."""
        if self.settled != Settled.LOST:
            return None
        most = max(self.outlook.values, key=partial(rank, self.outlook))
        more = self.outlook.hope(most) - self.outlook.hope(self.best)
        return most if more > 2 * self.game.stake * AS_GOOD else None

    def meant(self, answer: Form) -> bool:
        """Whether the solution may give this answer itself."""
        return self.mix[answer] >= MEANT

    def lost(self, answer: Form) -> float:
        """What an answer gives away of what can be forced, on the scale of results."""
        given = self.outlook.values[self.best] - self.outlook.values[answer]
        return 0.0 if self.meant(answer) or given <= max(ROUNDING, self.gap) else given

    def cost(self, answer: Form) -> float:
        """As a share of the match: of what can be forced or expected, whichever is more."""
        expected = self.expects(self.best) - self.expects(answer)
        return max(self.lost(answer) / (2 * self.game.stake), expected)

    def as_good(self, answer: Form) -> bool:
        """Whether an answer is not worth a word beside the best."""
        return self.cost(answer) <= AS_GOOD

    def forces(self, answer: Form) -> float:
        """The chance of winning against best play, a draw counting half."""
        return _share(self.game, self.outlook.values[answer])

    def expects(self, answer: Form) -> float:
        """The chance of winning that can be expected; no answer beats the best one."""
        best = self._expectation(self.best)
        return best if self._as_best(answer) else min(best, self._expectation(answer))

    def _as_best(self, answer: Form) -> bool:
        """Whether an answer is as good as the best, as far as is proven."""
        share = self.lost(answer) / (2 * self.game.stake)
        if self.meant(answer) or (self.mix[answer] > 0.0 and share <= AS_GOOD):
            return True  # whoever plays the solution makes no mistake, however rarely
        worth = self.outlook.values
        return not self.lost(answer) and abs(worth[answer] - worth[self.best]) > ROUNDING

    def _expectation(self, answer: Form) -> float:
        """How often whoever answers so has won, a draw counting half."""
        return counted(self.game.expectations, preset_of(self.game), *self.guess(answer))

    def guess(self, answer: Form) -> tuple[str, float]:
        """The kind of moment that an answer makes, and its chance before it is set right."""
        kind = CLEAR if self.certain(answer) else self._kind(answer)
        return kind, _share(self.game, self.outlook.expected(answer))

    def certain(self, answer: Form) -> bool:
        """Whether the result is the same whatever both do: then there is nothing to count."""
        if answer in self.outlook.drawn:
            return True
        told = _share(self.game, self.outlook.expected(answer))
        return self.forced and not CERTAIN < told < 1 - CERTAIN

    def certain_wins(self) -> list[Form]:
        won = (a for a, value in self.outlook.values.items() if value >= self.game.stake - CERTAIN)
        return [answer for answer in won if self.certain(answer)]

    def guesses(self, answer: Form) -> tuple[tuple[str, float], ...]:
        """What an answer is told by, the last of which is its own: no more than the best is."""
        best = self.guess(self.best)
        return (best,) if self._as_best(answer) else (best, self.guess(answer))

    def _kind(self, answer: Form) -> str:
        settled = settles(self.outlook.values[answer], self.game.stake, forced=self.forced)
        return f"{HIDING if self.hiding else ''}{settled}"

    def keepers(self) -> list[Form]:
        """The answers that keep what best play makes of the position."""
        most = self.outlook.values[self.best]
        return [a for a, value in self.outlook.values.items() if value >= most - CERTAIN]


def weigh(solution: Solution, view: View) -> Weighed:
    """The decision that a View holds, against the solution of its game."""
    outlook = solution.policy.look(view)
    stake, forced = solution.game.stake, solution.forced
    meant = [a for a, often in outlook.chances.items() if often >= MEANT]
    most = settles(max(outlook.values.values()), stake, forced=forced)
    if not meant or (forced and most == Settled.LOST):
        meant = list(outlook.values)
    best = max(meant, key=lambda answer: rank(outlook, answer))
    lower, upper = solution.bounds
    settled = settles(outlook.values[best], stake, forced=forced)
    gap, hiding = upper - lower, view.asks == SECRET
    weighed = Weighed(solution.game, outlook, best, settled, forced, gap, hiding)
    certain = weighed.certain_wins()
    return weighed._replace(best=certain[0]) if certain and best not in certain else weighed


def rank(outlook: Outlook, answer: Form) -> tuple[float, float]:
    """First what can be forced, then what can be hoped for."""
    return round(outlook.values[answer], 6), outlook.hope(answer)


def _same(one: tuple[float, float], two: tuple[float, float]) -> bool:
    return all(abs(a - b) <= ROUNDING for a, b in zip(one, two, strict=True))


def settles(value: float, stake: int, *, forced: bool) -> Settled:
    if value >= stake - CERTAIN:
        return Settled.WON
    if value <= CERTAIN - stake:
        return Settled.LOST
    return Settled.DRAWN if forced and abs(value) <= CERTAIN else Settled.OPEN


def counted(
    expectations: Mapping[str, Sequence[float]], preset: str, kind: str, share: float
) -> float:
    """How often a chance has come true in a preset, or in any, in moments of a kind."""
    if kind == CLEAR:
        return round(2 * share) / 2
    for name in (f"{preset} {kind}", kind, kind.removeprefix(HIDING)):
        if name in expectations:
            return interpolated(expectations[name], share)
    return share


def interpolated(knots: Sequence[float], share: float) -> float:
    """What evenly spaced knots from 0 to 1 say of a share between them."""
    place = share * (len(knots) - 1)
    below = min(int(place), len(knots) - 2)
    return knots[below] + (place - below) * (knots[below + 1] - knots[below])


def _share(game: Game[Any], value: float) -> float:
    """A result between −stake and stake, as a share of what there is to win."""
    return min(1.0, max(0.0, (1 + value / game.stake) / 2))


def bucket(share: float, count: int) -> int:
    """Which of so many equal parts of 0 to 1 a share lies in."""
    return min(count - 1, bisect_right([i / count for i in range(1, count)], share))
