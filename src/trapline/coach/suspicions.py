"""What a player may believe of each place, from what the other chose in secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SECRET, Suspicion, Triggered, other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Question, View
    from trapline.solve import Outlook, Solution

WORTH_TELLING = 0.005
"""Chances below this are not told."""


def suspects(secret: Question | None, outlook: Outlook) -> Iterator[Suspicion]:
    """All that is likely enough to be told, place by place; `secret` is what the other is asked."""
    if secret is None:
        return
    for answer in secret.answers:
        chance = sum(
            likely
            for form, likely in outlook.beliefs.items()
            if answer.record in (form if secret.choose and isinstance(form, tuple) else (form,))
        )
        if chance >= WORTH_TELLING:
            place = answer.value if answer.place is None else answer.place
            yield Suspicion(place, round(float(chance), 4))


def suspected_now(solution: Solution, view: View, outlook: Outlook) -> tuple[Suspicion, ...]:
    """The same for who is to move; what has shown itself needs no guess."""
    assert view.seat is not None  # only players are asked
    if view.question is None or view.question.asks == SECRET:
        return ()
    game = solution.game
    asked = game.question(game.start(view.first), other(view.seat))
    if asked is None or asked.asks != SECRET:
        return ()
    met = [e.at for e in view.events if isinstance(e, Triggered) and e.by == view.seat]
    return tuple(found for found in suspects(asked, outlook) if found.place not in met)
