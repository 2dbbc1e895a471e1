"""Is this environment sound? For games of this project and for anybody's.

    from trapline.audit import assert_sound, audit

    report = audit("gymnasium:env.py", seconds=20)     # in a process of its own
    for finding in report.findings:
        print(finding.check, finding.sentence, finding.play, finding.reproduce)

    def test_my_environment():
        assert_sound("pettingzoo:my_package.my_env")

docs/audit.md says what each check means and how sure a silence is.
"""

from __future__ import annotations

from trapline.audit.certifying import proven
from trapline.audit.contained import audit
from trapline.audit.report import CHECKS, Figures, Finding, Report
from trapline.audit.reproducing import FaultFound, assert_sound, reproduce

__all__ = [
    "CHECKS",
    "FaultFound",
    "Figures",
    "Finding",
    "Report",
    "assert_sound",
    "audit",
    "proven",
    "reproduce",
]
