"""What the coach says of a choice, in words that a child understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.coach.weighing import Settled
from trapline.core import other
from trapline.core.outcomes import Reason as Ending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.coach.weighing import Weighed
    from trapline.core import Form, Outcome, Seat


def figure(share: float, digits: int = 0) -> str:
    """A chance in percent; what is not certain is never told as certain."""
    if share >= 1.0:
        return "100%"
    if share <= 0.0:
        return "0%"
    least = 10.0**-digits
    return f"{min(100 - least, max(least, round(100 * share, digits))):.{digits}f}%"


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
    if weighed.game.stake > 1:
        return _in_points(weighed, chosen, best)
    change = "" if weighed.as_good(chosen) else _change(weighed, chosen)
    slipped = weighed.lost(chosen) > 0
    if weighed.settled == Settled.OPEN:
        if not change:
            return f"No choice was better: a chance of {figure(weighed.expects(chosen))}."
        if slipped:
            return f"{best} was better: {change}."
        return f"No worse against best play; {best} left more to hope for: {change}."
    if slipped:
        goal = "win" if weighed.settled == Settled.WON else "draw"
        return f"This gave the {goal} away; {best} kept it: {change}."
    return _kept(weighed, chosen, best, since, change)


def _change(weighed: Weighed, chosen: Form) -> str:
    """What a choice made of the chances, told so that one sees it."""
    for digits in (0, 1):
        for chance, where in ((weighed.expects, ""), (weighed.forces, " against best play")):
            before, after = (figure(chance(answer), digits) for answer in (weighed.best, chosen))
            if before != after:
                return f"{before} → {after}{where}"
    return ""


def _kept(weighed: Weighed, chosen: Form, best: str, since: str, change: str) -> str:
    """A choice that leaves the result of best play as it was."""
    if weighed.settled == Settled.LOST:
        if change:
            return f"Lost {since} against best play; {best} left more to hope for: {change}."
        if weighed.hopeful is not None:  # what was chosen was meant, or no worse
            return f"Lost {since} against best play."
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
    if weighed.lost(chosen) and not weighed.as_good(chosen):
        return f"{best} was better: {values[weighed.best]:+.2f} → {values[chosen]:+.2f}."
    return f"No choice was better: {values[chosen]:+.2f}."


GIVING_UP = {
    Ending.RESIGNED: "resigned",
    Ending.FORFEIT: "had to forfeit",
    Ending.TIME: "ran out of time",
    Ending.UNOPENED: "did not open what was hidden",
    Ending.BROKEN_SECRET: "hid what the rules do not allow",
}


def ended(outcome: Outcome, chances: Mapping[Seat, float]) -> str:
    """What a player gave up, or both, who ended the match before the rules did."""
    if outcome.winner is None:
        most = figure(max(chances.values()))
        even = most == figure(min(chances.values()))
        return f"At the draw {'both' if even else 'one side'} still had a chance of {most}."
    chance = chances[other(outcome.winner)]
    left = f"still had a chance of {figure(chance)}" if chance > 0 else "had no chance left"
    return f"Whoever {GIVING_UP[Ending(outcome.reason)]} {left}."
