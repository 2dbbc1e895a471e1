"""A solution in a sentence: who wins with best play, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.solve.proof import Guarantee

WHO: dict[Seat, str] = {1: "moves first", 2: "moves second"}


def forced(winner: Seat, guarantee: Guarantee, turns: int, secrets: list[str]) -> str:
    """A win that can be forced whatever is hidden."""
    how = f" with the secret {' or '.join(secrets)}" if 0 < len(secrets) <= 3 else ""
    if turns > 1 and always_longest(guarantee):
        how += " by always making the longest move"
    ends = "turn 1" if turns == 1 else f"turn {turns} at the latest"
    return f"Whoever {WHO[winner]} wins{how}: the game is over on {ends}."


def drawn(limit: int) -> str:
    end = f"the limit of {limit} turns" if limit else "no end"
    return f"With best play nobody wins: each side can keep the other from winning, to {end}."


def certain(winner: Seat) -> str:
    """A win that needs guessing on the way, and still never fails."""
    return f"Whoever {WHO[winner]} wins with best play, whatever the other hides."


NARROW = 0.02
"""Bounds that are closer than this may be spoken of as one value."""


def mixed(bounds: tuple[float, float]) -> str:
    """A value between a win and a loss: chances, as far as they are proven."""
    low, high = bounds
    value = (low + high) / 2
    if high - low > NARROW:
        return (
            f"Whoever {WHO[1]} wins between {(1 + low) / 2:.1%} and {(1 + high) / 2:.1%} of the "
            "games when both play their best; nothing closer is proven."
        )
    if max(abs(low), abs(high)) < 1e-9:
        return "With best play both players win equally often: traps are a matter of guessing."
    about = "" if high - low < 1e-9 else "about "
    better: Seat = 1 if value > 0 else 2
    share = (1 + abs(value)) / 2
    return (
        f"Whoever {WHO[better]} has the better chances, and wins {about}{share:.1%} of the games "
        "when both play their best; nobody can force a win."
    )


def hides(better: Seat, secrets: dict[str, float]) -> str:
    """How the better side hides its traps, where that can be said in few words."""
    if not 0 < len(secrets) <= 3:
        return ""
    even = len(secrets) > 1 and max(secrets.values()) - min(secrets.values()) < 1e-6
    often = ", equally often" if even else ""
    return f" Whoever {WHO[better]} hides {' or '.join(secrets)}{often}."


def always_longest(guarantee: Guarantee) -> bool:
    """Whether the longest move is a best one wherever it leads, if moves are steps."""
    game = guarantee.game
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
            if not all(isinstance(action, int) for action in actions):
                return False
            actions = [max(actions)]
            if actions[0] not in guarantee.best(state, holding):
                return False
        for action in actions:
            chances = game.chances(state, action, holding)
            states += [chance.state for chance in chances if chance.state is not None]
    return True
