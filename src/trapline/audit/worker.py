"""The process in which a target is looked at: `python -m trapline.audit.worker`.

It speaks in lines of JSON to the process that started it. Whatever the target prints goes nowhere.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import TYPE_CHECKING

import msgspec

from trapline.audit import faults
from trapline.audit.contained import Message, Trail
from trapline.audit.faults import Faulty
from trapline.audit.looking import Look
from trapline.audit.replaying import plain
from trapline.audit.report import Figures, Finding, Report
from trapline.audit.targets import own_findings, subject_named
from trapline.core import TraplineError

if TYPE_CHECKING:
    from trapline.audit.replaying import Play

MEMORY = 2 << 30
"""Bytes that a target may take beyond what it needs to be loaded."""


def main() -> None:
    target, seconds, options, part, path = json.loads(sys.argv[1])
    speak = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    sys.argv = sys.argv[:1]
    faults.heard = trail = Trail(path)

    def say(message: Message) -> None:
        speak.write(msgspec.json.encode(message) + b"\n")

    def told(step: str, spent: float, finding: Finding | None) -> None:
        say(Message(step=step, spent=spent, finding=finding))

    def noted(play: Play) -> None:
        trail.write(play.start, [plain(action) for action in play.actions])

    try:
        subject = subject_named(target, options)
    except TraplineError as error:
        say(Message(refused=str(error)))
        return
    except Faulty as faulty:
        line = f"from trapline.audit import reproduce; reproduce({target!r}, 'crash', [])"
        found = Finding(faulty.fault.check, faulty.fault.sentence, (), line)
        say(Message(report=Report(target, (found,), False, Figures())))
        return
    _limit_memory()
    told("looking", 0.0, None)
    look = Look(target, subject, seconds, part=part, options=options, told=told, noted=noted)
    if part == 0:
        for finding in own_findings(target, options):
            look.keep(finding)
    try:
        report = look.run()
    except TraplineError as error:
        if not look.findings:
            say(Message(refused=str(error)))
            return
        report = look.report()
    say(Message(report=report))
    os._exit(0)  # whatever the target has left running ends here


def _limit_memory() -> None:
    try:
        import resource
        from pathlib import Path

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError):
        return  # a platform that sets no limits
    most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
