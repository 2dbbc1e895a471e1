"""A solution in a sentence: who wins with best play, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core import Form, Question
    from trapline.solve.guarantee import Guarantee

FIRST, SECOND = "moves first", "moves second"


def who(*, first: bool) -> str:
    return f"Whoever {FIRST if first else SECOND}"


def forced(first: bool, how: str, turns: int) -> str:
    """A win that can be forced whatever is hidden."""
    ends = "turn 1" if turns == 1 else f"turn {turns} at the latest"
    return f"{who(first=first)} wins{how}: the game is over on {ends}."


def with_secret(secrets: list[str]) -> str:
    return f" with the secret {' or '.join(secrets)}" if 0 < len(secrets) <= 3 else ""


def named(question: Question | None, form: Form) -> str:
    """A secret as one would type it."""
    return str(form) if question is None else question.text(question.value(form))


def drawn(limit: int) -> str:
    end = f"the limit of {limit} turns" if limit else "no end"
    return f"With best play nobody wins: each side can keep the other from winning, to {end}."


def certain(*, first: bool, hides: bool = True) -> str:
    """A win that may need guessing on the way, and still never fails."""
    return f"{who(first=first)} wins with best play{', whatever the other hides' * hides}."


NARROW = 0.02
"""Bounds that are closer than this may be spoken of as one value."""


def is_open(bounds: tuple[float, float]) -> bool:
    """Whether bounds are too far apart to speak of a value."""
    return bounds[1] - bounds[0] > NARROW


def worth(bounds: tuple[float, float], digits: int) -> str:
    """A value in figures, or bounds where no value is known."""
    low, high = bounds
    if is_open(bounds):
        return f"{low:+.{digits}f} to {high:+.{digits}f}"
    return f"{(low + high) / 2 + 0.0:+.{digits}f}"


def mixed(bounds: tuple[float, float]) -> str:
    """A value between a win and a loss: chances, as far as they are proven."""
    low, high = bounds
    value = (low + high) / 2
    if is_open(bounds):
        return (
            f"{who(first=True)} wins between {(1 + low) / 2:.1%} and {(1 + high) / 2:.1%} of the "
            "games when both play their best; nothing closer is proven."
        )
    if max(abs(low), abs(high)) < 1e-9:
        return "With best play both players win equally often: it is a matter of guessing."
    about = "" if high - low < 1e-9 else "about "
    share = (1 + abs(value)) / 2
    return (
        f"{who(first=value > 0)} has the better chances, and wins {about}{share:.1%} of the games "
        "when both play their best; nobody can force a win."
    )


def scored(bounds: tuple[float, float]) -> str:
    """A value on a scale of its own."""
    low, high = bounds
    value = (low + high) / 2
    if max(abs(low), abs(high)) < 1e-9:
        return "With best play nobody is ahead on average."
    about = "" if high - low < 1e-9 else "about "
    return (
        f"{who(first=value > 0)} wins {about}{abs(value):.4g} a game on average "
        "when both play their best."
    )


def on_average(bounds: tuple[float, float]) -> str:
    """The value of somebody else's game, in which Player 1 need not be the first to move."""
    low, high = bounds
    value = (low + high) / 2
    if max(abs(low), abs(high)) < 1e-9:
        return "With best play nobody gains anything on average."
    if low < 0 < high:
        return f"With best play Player 1 gets between {low:.6g} and {high:.6g} on average."
    about = "" if high - low < 1e-9 else "about "
    winner = 1 if value > 0 else 2
    return f"Player {winner} gains {about}{abs(value):.6g} on average when both play their best."


def hides(*, first: bool, secrets: dict[str, float]) -> str:
    """How the better side hides things, where that can be said in few words."""
    if not 0 < len(secrets) <= 3:
        return ""
    even = len(secrets) > 1 and max(secrets.values()) - min(secrets.values()) < 1e-6
    often = ", equally often" if even else ""
    return f" {who(first=first)} hides {' or '.join(secrets)}{often}."


def always_largest(guarantee: Guarantee) -> str:
    """That the largest number is a best answer wherever it leads, where that is so."""
    game = guarantee.game
    nouns: set[str] = set()
    seen: set[Any] = set()
    holding = next(iter(guarantee.holdings()))
    states = [game.root]
    while states:
        state = states.pop()
        if state in seen:
            continue
        seen.add(state)
        actions = list(game.actions(state))
        if game.mover(state) == game.hero:
            question = game.question(state)
            if not all(isinstance(answer.record, int) for answer in question.answers):
                return ""
            nouns.add(question.noun)
            actions = [max(actions)]
            if actions[0] not in guarantee.best(state, holding):
                return ""
        for action in actions:
            possible = game.consequences(state, action, holding)
            states += [c.state for c in possible if c.state is not None]
    return f" by always giving the largest {nouns.pop()}" if len(nouns) == 1 else ""
