"""What the coach says of a choice, in words that a child understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.coach.weighing import Settled

if TYPE_CHECKING:
    from trapline.coach.weighing import Weighed
    from trapline.core import Form

NOTICED = 0.01
"""A smaller difference between chances is not worth a word."""


def figure(share: float) -> str:
    """A chance in percent; what is not certain is never told as certain."""
    if share >= 1.0:
        return "100%"
    if share <= 0.0:
        return "0%"
    return f"{min(99, max(1, round(100 * share)))}%"


def settled_in_words(settled: Settled) -> str:
    """What best play makes of a position."""
    return {
        Settled.WON: "it wins by force",
        Settled.DRAWN: "it keeps the draw by force",
        Settled.LOST: "against best play all is lost",
        Settled.OPEN: "nothing is settled",
    }[settled]


def judged(weighed: Weighed, chosen: Form, best: str, *, since: str) -> str:
    """One choice in a sentence or two. `since` says when a lost game was lost."""
    before, after = weighed.expects(weighed.best), weighed.expects(chosen)
    change = f"{figure(before)} → {figure(after)}"
    slipped = weighed.lost(chosen) > 0
    worse = before - after > NOTICED
    if weighed.game.stake > 1:
        return _in_points(weighed, chosen, best)
    if weighed.settled == Settled.OPEN:
        if slipped:
            return f"{best} was better: {change}."
        if worse:
            return f"No worse against best play; {best} left more to hope for: {change}."
        return f"As good as any: {figure(after)}."
    if slipped:
        goal = "win" if weighed.settled == Settled.WON else "draw"
        return f"This gave the {goal} away; {best} kept it: {change}."
    return _kept(weighed, chosen, best, since, change if worse else "")


def _kept(weighed: Weighed, chosen: Form, best: str, since: str, change: str) -> str:
    """A choice that leaves the result of best play as it was."""
    if weighed.settled == Settled.LOST:
        if change:
            return f"Lost {since} against best play; {best} left more to hope for: {change}."
        told = figure(weighed.expects(chosen))
        return f"Lost {since} against best play; no other choice left more to hope for: {told}."
    alone = len(weighed.keepers()) == 1
    won = weighed.settled == Settled.WON
    if won and weighed.certain(chosen):
        return f"This wins for certain: {figure(weighed.expects(chosen))}."
    if weighed.certain(chosen):
        return f"Nobody can win any more: {figure(weighed.expects(chosen))}."
    kept = "Still winning" if won else "Keeps the draw"
    slip = (", but one slip from losing it" if won else ", and nothing else does") * alone
    if change:
        more = "made it surer" if won else "left more to hope for"
        return f"{kept}{slip}; {best} {more}: {change}."
    return f"{kept}{slip}: {figure(weighed.expects(chosen))}."


def _in_points(weighed: Weighed, chosen: Form, best: str) -> str:
    values = weighed.outlook.values
    if weighed.lost(chosen):
        return f"{best} was better: {values[weighed.best]:+.2f} → {values[chosen]:+.2f}."
    return f"As good as any: {values[chosen]:+.2f}."
