"""A finding, shown again: by a line of Python, or as a test that fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from trapline.audit.belongings import Chosen, Dealt, Seating
from trapline.audit.contained import audit
from trapline.audit.faults import Faulty, taken
from trapline.audit.looking import DEALS, Look
from trapline.audit.replaying import Play, begun, meant, play_faults
from trapline.audit.targets import own_findings, subject_named
from trapline.audit.twins import Told, Twins, recall_of
from trapline.testing.check import RecallLost
from trapline.worlds import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.audit.report import Report
    from trapline.worlds import Subject


WHOLE = ("leak", "recall", "decided")
"""What can be true of a whole game, and of no play of it."""

TRIES = 30
"""What depends on chance can turn out alike twice: so often it is tried again."""


class FaultFound(AssertionError):
    """What an audit has found is true."""


def assert_sound(target: str, seconds: float = 20, **options: Any) -> Report:
    """Raise FaultFound if anything but `decided` is found in a target."""
    report = audit(target, seconds, options=options)
    if not report.ok:
        lines = [
            f"{finding.check}: {finding.sentence}\n  {finding.reproduce}"
            for finding in report.findings
        ]
        raise FaultFound("\n".join([f"{target} is not sound.", *lines]))
    return report


def reproduce(
    target: str,
    check: str,
    play: Sequence[Any] = (),
    *,
    seed: int = 0,
    beside: tuple[int, Sequence[Any]] | None = None,
    options: dict[str, Any] | None = None,
) -> None:
    """Show a finding again in this process: FaultFound if it is there, a printed line if not."""
    try:
        subject = subject_named(target, options)
    except Faulty as faulty:
        raise FaultFound(f"{faulty.fault.check}: {faulty.fault.sentence}") from None
    sentence = _found(target, subject, check, Play(seed, tuple(play)), beside, options)
    if sentence:
        raise FaultFound(f"{check}: {sentence}")
    print(f"{target}: no {check} in this play any more.")  # noqa: T201 - for whoever typed the line


def _found(target: str, subject: Subject, check: str, play: Play, beside: Any, options: Any) -> str:
    if beside is not None:
        return _twins(subject, check, play, Play(beside[0], tuple(beside[1])))
    if check == "rewards" and subject.total is None:
        subject.total = 0.0  # type: ignore[misc]  # the audit has seen that it is
    for _ in range(TRIES if check == "chance" else 1):
        for fault in play_faults(subject, play):
            if fault.check == check:
                return fault.sentence
    for finding in own_findings(target, options):
        if finding.check == check:
            return finding.sentence
    if check == "leak" and (sentence := _dealt(subject)):
        return sentence
    return _looked(target, subject, check, options) if check in WHOLE else ""


def _dealt(subject: Subject) -> str:
    """What somebody is told before the first move."""
    if not subject.seeded:
        return ""
    dealt = Dealt(Seating(begun(subject, 0)))
    for seed in range(DEALS):
        dealt.look(begun(subject, seed))
    return next(dealt.told(), "")


def _looked(target: str, subject: Subject, check: str, options: Any) -> str:
    """What is true of the whole game, and of no play of it."""
    look = Look(target, subject, 10, options=options)
    look.begun = time.monotonic()
    found = look.run().findings
    return next((finding.sentence for finding in found if finding.check == check), "")


def _twins(subject: Subject, check: str, one: Play, two: Play) -> str:
    """Two positions that a player may not tell apart, one beside the other."""
    nodes = [_node(subject, play) for play in (two, one)]
    channels = list(nodes[0].world.information(nodes[0].world.viewers[0]))
    watches: list[Any] = [recall_of(channel) for channel in channels]
    if check == "leak":
        seating = Seating(begun(subject, two.start)) if subject.seeded else None
        known = seating if seating is not None and seating.known else None
        watches = [Twins(subject, channel, known) for channel in channels]
        watches += [Chosen(known)] if known is not None else []
    for watch in watches:
        try:
            for node in nodes:
                watch.look(node)
        except (Told, RecallLost) as told:
            return told.sentence
    return ""


def _node(subject: Subject, play: Play) -> Node:
    node = Node(begun(subject, play.start))
    for action in play.actions:
        action = meant(node.world, action)
        node = Node(taken(node.world, action), action, node)
    return node
