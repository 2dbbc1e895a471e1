"""A plan that fails, made as small as it can be and still fail in the same way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.seeded.plan import Plan
    from tests.seeded.world import Outcome

T = TypeVar("T")

NAMES = re.compile(r"\b[0-9a-f]{16,}\b|\d+")


def kind_of(fault: str) -> str:
    """What is wrong, without the match, the seat and the numbers that differ from run to run."""
    return NAMES.sub("#", fault.partition("\n")[0])


def shrink(
    plan: Plan, run: Callable[[Plan], Outcome], most: int = 300
) -> tuple[Plan, Outcome, int]:
    """The smallest plan that was found, how it ends, and how many were tried."""
    outcome = run(plan)
    wanted, tried = kind_of(outcome.fault), 1
    smaller = True
    while smaller and tried < most:
        smaller = False
        for candidate in _smaller(plan):
            tried += 1
            ended = run(candidate)
            if kind_of(ended.fault) == wanted:
                plan, outcome, smaller = candidate, ended, True
                break
            if tried >= most:
                break
    return plan, outcome, tried


def _smaller(plan: Plan) -> Iterator[Plan]:
    """Plans with less in them, those with much less first."""
    for name in ("stories", "faults"):
        for part in _without_some(getattr(plan, name)):
            yield msgspec.structs.replace(plan, **{name: part})
    if plan.store == "postgres" and plan.processes > 1:
        faults = tuple(fault for fault in plan.faults if fault.who < plan.processes - 1)
        yield msgspec.structs.replace(plan, processes=plan.processes - 1, faults=faults)
    for number, story in enumerate(plan.stories):
        changes: list[dict[str, Any]] = []
        if story.watchers:
            changes.append({"watchers": 0})
        if story.wordy:
            changes.append({"wordy": False})
        for change in changes:
            less = msgspec.structs.replace(story, **change)
            stories = (*plan.stories[:number], less, *plan.stories[number + 1 :])
            yield msgspec.structs.replace(plan, stories=stories)


def _without_some(items: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    size = len(items)
    while size:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2
