"""Short audits in this process, for the tests: work is bounded by counts, not by a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trapline.audit import FaultFound, faults, looking
from trapline.audit.faults import Faulty
from trapline.audit.looking import Look
from trapline.audit.report import Finding
from trapline.audit.targets import own_findings, subject_named

if TYPE_CHECKING:
    from trapline.audit import Report

HOUR = 3600.0


def looked(target: str, states: int = 150, positions: int = 80, plays: int = 12) -> Report:
    """An audit that has all the time it wants, and looks at a few things."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(looking, "MOST_STATES", states)
        patch.setattr(looking, "POSITIONS", positions)
        patch.setattr(looking, "PLAYS", plays)
        patch.setattr(looking, "DEALS", 60)
        patch.setattr(looking, "TAKEN_AGAIN", 2)
        patch.setattr(faults, "CALL", 0.5)
        look = Look(target, subject_named(target), HOUR)
        if plays == 12:  # what our own check says of our own games is tested with it
            for finding in own_findings(target, {}):
                look.keep(finding)
        return look.run()


def found_in(target: str, states: int = 150, positions: int = 80) -> dict[str, Finding]:
    """What an audit finds, by the name of the check."""
    try:
        findings = looked(target, states, positions).findings
    except Faulty as faulty:  # it could not even be made
        line = f"from trapline.audit import reproduce; reproduce({target!r}, 'crash')"
        findings = (Finding(faulty.fault.check, faulty.fault.sentence, (), line),)
    return {finding.check: finding for finding in findings}


def reproduced(finding: Finding) -> None:
    """The line of Python that came with a finding shows it again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faults, "CALL", 0.5)
        with pytest.raises(FaultFound, match=f"^{finding.check}: "):
            exec(finding.reproduce, {})  # noqa: S102 - that is what the line is for
