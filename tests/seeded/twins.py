"""Two worlds that differ in what one player hides: whoever cannot know it must not notice it.

Everything else in them comes from the same seed. Until the referee shows the two hands apart to a
viewer, that viewer is sent the same bytes at the same moments in both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tests.seeded.world import World, in_folder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.seeded.plan import Plan
    from tests.seeded.truth import Shown, Truth
    from trapline.core import Viewer

SEALS = re.compile(rb'"[0-9a-f]{64}"')
"""Commitments are public, and differ with what they seal."""
BLIND: tuple[Viewer, ...] = (1, None)
Sent = list[tuple[float, str, bytes]]


def compare(plan: Plan, number: int) -> tuple[str, int]:
    """What differs that must not, if anything does; and how many messages were compared."""
    one, first = _run(plan)
    other, second = _run(msgspec.structs.replace(plan, other_secrets=number))
    if one.fault or other.fault:
        return one.fault or other.fault, 0
    match = one.casts[number].match
    until = _parted(one.model.truths[match], other.model.truths[match])
    hidden = f"{match} 2"
    mine, theirs = (
        [s for s in sent if s[0] < until and s[1] != hidden] for sent in (first, second)
    )
    for left, right in zip(mine, theirs, strict=False):
        if left != right:
            return f"{match}: {left} in one world, {right} in the other", 0
    if len(mine) != len(theirs):
        return f"{match}: {len(mine)} messages in one world, {len(theirs)} in the other", 0
    return "", len(mine)


def _run(plan: Plan) -> tuple[World, Sent]:
    sent: Sent = []

    def note(when: float, to: str, text: bytes) -> None:
        sent.append((when, to, SEALS.sub(b'""', text)))

    def world(folder: Path) -> World:
        made = World(plan, folder, note)
        made.run()
        return made

    return in_folder(world), sent


def _parted(one: Truth, other: Truth) -> float:
    """When somebody who cannot see the hidden hand is first shown something that depends on it."""
    moments: list[float] = []
    for viewer in BLIND:
        left, right = one.versions[viewer], other.versions[viewer]
        same = 0
        while same < min(len(left), len(right)) and _openly(left[same]) == _openly(right[same]):
            same += 1
        moments += [shown[same].kept_at for shown in (left, right) if same < len(shown)]
    return min(moments, default=float("inf"))


def _openly(shown: Shown) -> tuple[object, ...]:
    """What has happened for all to see; what else a view holds is for the comparison to judge."""
    view = shown.view
    revealed = (view.board, view.secrets) if view.outcome is not None else None
    return (
        revealed,
        view.events,
        view.ready,
        view.turn,
        view.draw_offer,
        view.may_claim,
        view.outcome,
    )
