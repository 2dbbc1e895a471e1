"""Which of a seat's plans may have been drawn, after all that has happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trapline.games.hidden_path.solving.apart.side import Stand, started
from trapline.games.hidden_path.solving.duel.situation import Astray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from trapline.games.hidden_path.solving.apart.side import Side
    from trapline.games.hidden_path.solving.duel.situation import Landing

Row = dict[int, float]
"""How often each move is made."""


class Drawn(NamedTuple):
    stand: Stand
    likely: dict[int, float]
    """By secret that is still possible: that this plan was drawn, and hid it, and has run so."""

    @property
    def whole(self) -> float:
        return sum(self.likely.values())

    def row(self, secret: int, hurry: Callable[[], Row]) -> Row:
        """What the seat does that hides this; it hurries where this plan has lost."""
        found = self.stand.row(secret)
        return hurry() if found is None else found

    def after(self, landing: Landing, hurry: Callable[[], Row]) -> Drawn | None:
        """None where the plan does not know of it."""
        seat, steps, _ = landing
        try:
            stand = self.stand.after(landing)
        except Astray:
            return None
        likely = {secret: self.likely.get(secret, 0.0) for secret in stand.possible}
        if seat == stand.side.seat:
            for secret in likely:
                likely[secret] *= self.row(secret, hurry).get(steps, 0.0)
        return Drawn(stand, likely)


def drawn(side: Side, share: float) -> Drawn:
    pairs = zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True)
    return Drawn(started(side), {secret: share * chance for secret, chance in pairs})


def believed(plans: Sequence[Drawn]) -> dict[int, float]:
    """How likely each secret is. Where nobody keeps to the plans, the first of them tells."""
    whole = sum(plan.whole for plan in plans)
    if not whole:
        return plans[0].stand.beliefs()
    found: dict[int, float] = {}
    for plan in plans:
        for secret, chance in plan.likely.items():
            found[secret] = found.get(secret, 0.0) + chance / whole
    return found


def expected(plans: Sequence[Drawn], secret: int, sure: Iterable[int]) -> dict[int, float]:
    """What moves are worth to the rival, who hides this: those of which every plan that is likely
    knows it. Where the rival is only a number, it makes the `sure` ones."""
    likely = [plan for plan in plans if plan.whole > 0] or plans[:1]
    known = [_worth(plan.stand, secret, sure) for plan in likely]
    weights = [plan.whole for plan in likely] if any(plan.whole for plan in likely) else [1.0]
    found = dict.fromkeys(set.intersection(*map(set, known)), 0.0)
    for values, weight in zip(known, weights, strict=True):
        for move in found:
            found[move] += weight / sum(weights) * values[move]
    return found


def _worth(stand: Stand, secret: int, sure: Iterable[int]) -> dict[int, float]:
    number = stand.number_value(secret)
    return stand.values(secret) if number is None else dict.fromkeys(sure, number)
